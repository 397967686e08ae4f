// Webhooks in three steps, each with its state and a test: the plugin listens, the internet reaches it, the service sends.
import type { ComponentChildren, VNode } from 'preact';
import { provesDelivery } from '../../../src/domain/webhooks/report.ts';
import type { WebhooksView } from '../../../src/panel/views/webhooks.ts';
import { findingWords } from '../../../src/words/self-tests.ts';
import { seriesWords } from '../../../src/words/sentence.ts';
import { t } from '../../../src/words/translate.ts';
import { registrationWords } from '../../../src/words/webhooks.ts';
import { OptionName, OptionPlace } from '../parts/option-place.tsx';
import { Button, Failure, Notice, Status, Time, useServiceNow } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { hostOf } from '../state/account-state.ts';
import { type PageAction, useAction, usePageContext } from '../state/page-context.ts';

export function WebhookSteps({ webhooks }: { readonly webhooks: WebhooksView }): VNode {
  const { listener, publicUrl, lastSelfTest, registration, because } = webhooks;
  const isOpen = listener !== null;
  const isReached = isOpen && lastSelfTest !== null && provesDelivery(lastSelfTest);
  return (
    <ol class="tasks">
      <Task title={t('The plugin listens')} isDone={isOpen}>
        {isOpen ? <p>{t('It listens at {listener}.', { listener })}</p> : <TurnOn />}
      </Task>
      <Task title={t('The internet reaches it')} isDone={isReached || because === 'event'}>
        <p>
          {publicUrl === null
            ? t('Let a tunnel or reverse proxy with https lead to this port, and set its public address.')
            : t('Its public address is {address}.', { address: publicUrl })}
        </p>
        {isOpen && <Test operation="webhooks.test" action={t('Test connection')} isMain={!isReached} />}
        {isOpen && <LastTest webhooks={webhooks} />}
      </Task>
      <Task title={t('The service sends events')} isDone={isOpen && because === 'event'}>
        <p>
          {isOpen ? registrationWords(webhooks) : t('The plugin registers its address with the service.')}
        </p>
        {isOpen && registration !== 'by-hand' && (
          <Test operation="webhooks.register" action={t('Register now')} />
        )}
        {isOpen && because !== 'event' && (
          <>
            <p>{t('Then turn a lock by hand: its event arrives within seconds.')}</p>
            <Test operation={null} action={t('Has it arrived?')} />
          </>
        )}
      </Task>
    </ol>
  );
}

function Task(props: {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}): VNode {
  const { title, isDone, children } = props;
  return (
    <li>
      <p>
        <strong>{title}</strong>{' '}
        <span class={isDone ? 'standing good' : 'standing plain'}>{t(isDone ? 'Done' : 'To do')}</span>
      </p>
      {children}
    </li>
  );
}

function TurnOn(): VNode {
  const { state } = usePageContext();
  return (
    <>
      <p>
        {tRich(
          'Set {enabled} and {address} {place}, then restart {host, select, service {the service} other {Homebridge}}. Without another port it listens at 18581.',
          {
            enabled: <OptionName option="webhooks.enabled" label={t('Receive webhooks')} />,
            address: <OptionName option="webhooks.publicUrl" label={t('Public address')} />,
            place: <OptionPlace />,
            host: hostOf(state),
          },
        )}
      </p>
      <Test operation={null} action={t('Look again')} />
    </>
  );
}

/** `operation` null: what is known is read anew. */
function Test(props: {
  readonly operation: 'webhooks.register' | 'webhooks.test' | null;
  readonly action: string;
  readonly isMain?: boolean;
}): VNode {
  const { operation, action, isMain = false } = props;
  const { call, read } = usePageContext();
  const working: PageAction = useAction();
  const act = async (): Promise<void> => {
    await working.run(async () => (operation === null ? null : call(operation)));
    await read('webhooks.status');
  };
  return (
    <>
      <div class="pushes">
        <Button kind={isMain ? 'main' : 'plain'} isBusy={working.isBusy} onPress={() => void act()}>
          {action}
        </Button>
      </div>
      <Failure failure={working.failure} />
    </>
  );
}

function LastTest({ webhooks: { lastSelfTest } }: { readonly webhooks: WebhooksView }): VNode {
  const { state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const isGood = lastSelfTest !== null && provesDelivery(lastSelfTest);
  const { status = null, tookMs = null } = lastSelfTest ?? {};
  const details = [
    ...(status === null ? [] : [String(status)]),
    ...(tookMs === null ? [] : [`${String(Math.round(tookMs))} ms`]),
  ];
  return (
    <Status>
      {lastSelfTest !== null && (
        <Notice tone={isGood ? 'good' : 'warning'}>
          <p>
            <strong>
              {tRich(isGood ? 'Test at {time}: passed' : 'Test at {time}: failed', {
                time: <Time at={lastSelfTest.at} now={now} />,
              })}
              {details.length > 0 && ` (${seriesWords(details)})`}
            </strong>
          </p>
          <p>{Object.values(findingWords(lastSelfTest.finding)).filter(Boolean).join(' ')}</p>
        </Notice>
      )}
    </Status>
  );
}
