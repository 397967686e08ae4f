// Ends the account: names what would be undone elsewhere, takes the codes off the locks first, and says what is left.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CodeLeft, EndingReport, EndingView } from '../../../src/panel/views/ending.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { Fold } from '../../shared/fold.tsx';
import { Button, Confirmed, Failure, Notice, Status, Waiting } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';

/** How often the rest is read while locks take codes off, in milliseconds (our choice). */
const READ_EVERY_MS = 2_000;

export function AccountEnd(): VNode {
  return <Fold title={t('End this account')}>{() => <Ending />}</Fold>;
}

function Ending(): VNode {
  const { call } = usePageContext();
  const acting = useAction();
  const [view, setView] = useState<EndingView | null>(null);
  const [hasBegun, setBegun] = useState(false);
  const [report, setReport] = useState<EndingReport | null>(null);
  useEffect(() => {
    void acting.run(async () => setView(await call('ending.show')));
  }, []);
  const isWaiting = hasBegun && report === null && (view?.codes.length ?? 0) > 0;
  useEffect(
    () =>
      isWaiting
        ? after(READ_EVERY_MS, () => void call('ending.show').then(setView, () => undefined))
        : undefined,
    [isWaiting, view],
  );
  if (report !== null) {
    return <Ended report={report} />;
  }
  if (view === null) {
    return <Waiting failure={acting.failure} />;
  }
  const { account } = view;
  const finish = (leaveCodes: boolean): void => {
    void acting.run(async () => setReport(await call('ending.finish', { account, leaveCodes })));
  };
  return (
    <>
      {hasBegun ? <Rest view={view} isBusy={acting.isBusy} onFinish={finish} /> : <Plan view={view} />}
      {!hasBegun && (
        <Confirmed
          action={t('End this account')}
          of={account}
          question={t('The codes of guests and stays come off your locks now. Continue?')}
          isBusy={acting.isBusy}
          onConfirm={() => {
            void acting.run(async () => {
              setView(await call('ending.begin', { account }));
              setBegun(true);
            });
          }}
        />
      )}
      <Failure failure={acting.failure} />
    </>
  );
}

/** What would be removed, before anything is. */
function Plan({ view }: { readonly view: EndingView }): VNode {
  const { codes, calendars, webhooks, broker, isConnected } = view;
  return (
    <>
      <p>{t('Use this before you remove the plugin. It undoes what the plugin did elsewhere:')}</p>
      <ul>
        {codes.map((code) => (
          <li key={code.name}>{leftWords(code)}</li>
        ))}
        {calendars.map(({ name, from }) => (
          <li key={name}>
            {from === 'page'
              ? t('Booking calendar: {name}', { name })
              : t('Booking calendar: {name}. Remove it from config.json yourself.', { name })}
          </li>
        ))}
        {webhooks && <li>{t('The webhook registration at the service')}</li>}
        {broker !== null && <li>{t('Devices and topics at {broker}', { broker })}</li>}
        {isConnected && <li>{t('The sign-in')}</li>}
        <li>{t('The files of the account on this computer, with its history')}</li>
      </ul>
    </>
  );
}

function Rest(props: {
  readonly view: EndingView;
  readonly isBusy: boolean;
  readonly onFinish: (leaveCodes: boolean) => void;
}): VNode {
  const { view, isBusy, onFinish } = props;
  const { codes, account } = view;
  return codes.length === 0 ? (
    <>
      <Status>
        <p>{t('No lock has a code of a guest or stay any more.')}</p>
      </Status>
      <Button kind="main" of={account} isBusy={isBusy} onPress={() => onFinish(false)}>
        {t('Finish')}
      </Button>
    </>
  ) : (
    <>
      <Status>
        <p>{t('Waiting for these locks to take the codes off:')}</p>
      </Status>
      <ul>
        {codes.map((code) => (
          <li key={code.name}>{leftWords(code)}</li>
        ))}
      </ul>
      <Confirmed
        action={t('Finish without them')}
        of={account}
        question={t('These codes go on opening those locks. Finish all the same?')}
        isBusy={isBusy}
        onConfirm={() => onFinish(true)}
      />
    </>
  );
}

function Ended({ report }: { readonly report: EndingReport }): VNode {
  const { codes, webhooks, broker } = report;
  return (
    <Notice tone={codes.length > 0 || webhooks || broker !== null ? 'warning' : 'good'}>
      <p>{t('The account has ended. Now remove the plugin, and revoke access in the lock’s app.')}</p>
      {codes.map((code) => (
        <p key={code.name}>{t('Still on the lock: {code}', { code: leftWords(code) })}</p>
      ))}
      {webhooks && (
        <p>
          {t('The webhook registration could not be removed. Revoking access in the lock’s app ends it.')}
        </p>
      )}
      {broker !== null && (
        <p>{t('{broker} did not answer: devices and retained topics are still there.', { broker })}</p>
      )}
    </Notice>
  );
}

function leftWords({ name, locks }: CodeLeft): string {
  return t('Code of {name} on {locks}', {
    name,
    locks: listWords(locks),
  });
}
