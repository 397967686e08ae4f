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
    ...(status === null ? [] : [`status ${status}`]),
    ...(tookMs === null ? [] : [`${tookMs} ms`]),
  ]);
  return [what, ...(advice === null ? [] : [advice])];
}

/** Delivery state, one line per fact. */
export function statusLines(view: WebhooksView, now: number): readonly string[] {
  const { listener, trouble, publicUrl, address, lastEventAgoMs, lastSelfTest, answers, ignored } = view;
  const test = lastSelfTest === null ? null : `${agoWords(now - lastSelfTest.at)}: ${lastSelfTest.finding}`;
  const counts = Object.entries(answers).map(([answer, count]) => `${answer} ${count}`);
  return columns([
    ['webhooks', healthWords(view)],
    ['listener', listener ?? `not open${trouble === null ? '' : `: ${oneLine(t(trouble))}`}`],
    ['public address', address ?? publicUrl ?? 'not set'],
    ['registration', oneLine(registrationWords(view))],
    ['last event', lastEventAgoMs === null ? 'none since the start' : agoWords(lastEventAgoMs)],
    ['last self-test', test ?? 'none since the start'],
    ['answers', counts.length === 0 ? 'none' : counts.join(', ')],
    ['ignored', ignoredWords(ignored) || 'none'],
  ]);
}

/** Subscriptions at the service, in columns. */
export function subscriptionLines(subscriptions: readonly SubscriptionView[]): readonly string[] {
  return columns(
    subscriptions.map(({ id, origin, whose, active }) => [
      oneLine(id),
      oneLine(origin),
      t(WHOSE[whose]),
      active ? 'active' : 'inactive',
    ]),
  );
}
