// Formats webhook state for a terminal: self-test findings with advice, delivery state and registered subscriptions.

import type { SelfTestReport } from '../../domain/webhooks/report.ts';
import type { SubscriptionView, WebhooksView } from '../../panel/views/webhooks.ts';
import { oneLine } from '../../support/log.ts';
import { findingWords } from '../../words/self-tests.ts';
import { agoWords } from '../../words/times.ts';
import { t } from '../../words/translate.ts';
import { healthWords, ignoredWords, registrationWords, WHOSE } from '../../words/webhooks.ts';
import { columns } from '../terminal/lock-lines.ts';

/** The finding with its status and duration, such as "(status 403, 84 ms)", and the advice. */
export function findingLines({ finding, status, tookMs }: SelfTestReport): readonly string[] {
  const { what, advice } = findingWords(finding, [
    ...(status === null ? [] : [t('status {status}', { status })]),
    ...(tookMs === null ? [] : [`${tookMs} ms`]),
  ]);
  return [what, ...(advice === null ? [] : [advice])];
}

export function statusLines(view: WebhooksView, now: number): readonly string[] {
  const { listener, trouble, publicUrl, address, lastEventAgoMs, lastSelfTest, answers, ignored } = view;
  const test = lastSelfTest === null ? null : `${agoWords(now - lastSelfTest.at)}: ${lastSelfTest.finding}`;
  const closed =
    trouble === null ? t('not open') : t('not open: {trouble}', { trouble: oneLine(t(trouble)) });
  // While no listener is open, nobody registers the address, so there is no progress to show.
  const isIdle = listener === null && view.registration === 'pending';
  const counts = Object.entries(answers).map(([answer, count]) => `${answer} ${count}`);
  return columns([
    [t('webhooks'), healthWords(view)],
    [t('listener'), listener ?? closed],
    [t('public address'), address ?? publicUrl ?? t('not set')],
    ...(isIdle ? [] : [[t('registration'), oneLine(registrationWords(view))]]),
    [t('last event'), lastEventAgoMs === null ? t('none since the start') : agoWords(lastEventAgoMs)],
    [t('last self-test'), test ?? t('none since the start')],
    [t('answers'), counts.length === 0 ? t('none') : counts.join(', ')],
    [t('ignored'), ignoredWords(ignored) || t('none')],
  ]);
}

export function subscriptionLines(subscriptions: readonly SubscriptionView[]): readonly string[] {
  return columns(
    subscriptions.map(({ id, origin, whose, active }) => [
      oneLine(id),
      oneLine(origin),
      t(WHOSE[whose]),
      active ? t('active') : t('inactive'),
    ]),
  );
}
