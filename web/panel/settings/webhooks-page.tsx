// Webhooks: their purpose, their health, the address to register, and a test that shows where the path is cut.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { whyClosed } from '../../../src/domain/webhooks/report.ts';
import type { SubscriptionView, WebhooksView } from '../../../src/panel/views/webhooks.ts';
import { sentence } from '../../../src/words/sentence.ts';
import { agoWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { healthWords, ignoredWords, registrationWords, WHOSE } from '../../../src/words/webhooks.ts';
import { Fold } from '../../shared/fold.tsx';
import { Field } from '../parts/fields.tsx';
import { Button, Confirmed, Fact, Failure, Notice, Part, Status, useAge } from '../parts/pieces.tsx';
import { isPluginLost } from '../state/account-state.ts';
import { type PageAction, useAction, usePageContext } from '../state/page-context.ts';
import { WebhookSteps } from './webhook-steps.tsx';

export function WebhooksPage(): VNode {
  const { state } = usePageContext();
  const webhooks = state['webhooks.status'];
  return (
    <>
      <p>
        {t(
          'Optional. Webhooks make changes appear instantly instead of within 30 seconds. You need an address reachable from the internet.',
        )}
      </p>
      {webhooks === null ? (
        <p>{t('Loading …')}</p>
      ) : webhooks.enabled ? (
        <Wanted webhooks={webhooks} />
      ) : (
        <Part title={t('Set up in three steps')}>
          <WebhookSteps webhooks={webhooks} />
        </Part>
      )}
    </>
  );
}

function Wanted({ webhooks }: { readonly webhooks: WebhooksView }): VNode {
  const { state } = usePageContext();
  const isLost = isPluginLost(state);
  const lastEventAgoMs = useAge(webhooks.lastEventAgoMs, state.webhooksAt);
  const ignored = ignoredWords(webhooks.ignored);
  return (
    <>
      <Part title={t('Health')}>
        <dl class="facts">
          <Fact name={t('Events')} tone={webhooks.health === 'healthy' && !isLost ? 'good' : 'warning'}>
            {healthWords(webhooks, isLost)}
          </Fact>
          <Fact name={t('Last event')} tone="plain">
            {lastEventAgoMs === null ? t('None since the plugin started.') : agoWords(lastEventAgoMs)}
          </Fact>
          {ignored !== '' && (
            <Fact name={t('Ignored')} tone="plain">
              {sentence(ignored)}
            </Fact>
          )}
          {webhooks.listener !== null && (
            <>
              <Fact name={t('Registration')} tone={webhooks.registration === 'failed' ? 'warning' : 'plain'}>
                {registrationWords(webhooks)}
              </Fact>
              <Fact name={t('Listener')} tone="plain">
                {webhooks.listener}
              </Fact>
            </>
          )}
        </dl>
        {webhooks.listener === null && <NotOpen webhooks={webhooks} />}
      </Part>
      <Part title={t('Set up in three steps')}>
        <WebhookSteps webhooks={webhooks} />
      </Part>
      {webhooks.listener !== null && <Address webhooks={webhooks} />}
      <Fold title={t('Registered addresses')}>{() => <Subscriptions />}</Fold>
    </>
  );
}

/** Nothing can be tested or registered before this is put right. */
function NotOpen({ webhooks: { trouble } }: { readonly webhooks: WebhooksView }): VNode {
  const { what, advice } = whyClosed(trouble);
  return (
    <Status>
      <Notice tone={trouble === null ? 'plain' : 'warning'}>
        <p>
          <strong>{t(what)}</strong>
        </p>
        <p>{t(advice)}</p>
      </Notice>
    </Status>
  );
}

/** The whole address is shown on request only, because anyone who knows it can send requests to it. */
function Address({ webhooks }: { readonly webhooks: WebhooksView }): VNode {
  const { call } = usePageContext();
  const asking = useAction();
  const [address, setAddress] = useState<string | null>(null);
  const ask = (): void => {
    void asking.run(async () => setAddress((await call('webhooks.status', { address: true })).address));
  };
  return (
    <Part title={t('Address')}>
      <p>
        {webhooks.publicUrl === null
          ? t(
              'No public address is set, so the plugin cannot register by itself. Append this path to the address of your tunnel or proxy, and have the service register it.',
            )
          : t(
              'Reached from outside at {address}, and registered by itself. The whole address is needed only for the proxy, or to register by hand.',
              { address: webhooks.publicUrl },
            )}
      </p>
      {address === null ? (
        <div class="pushes">
          <Button isBusy={asking.isBusy} onPress={ask}>
            {t(webhooks.publicUrl === null ? 'Show the path' : 'Show the whole address')}
          </Button>
        </div>
      ) : (
        <Field
          isCopied
          label={t(webhooks.publicUrl === null ? 'Path' : 'Whole address')}
          value={address}
          help={t('It cannot be guessed, and that keeps strangers away: pass it on to nobody else.')}
        />
      )}
      <Failure failure={asking.failure} />
    </Part>
  );
}

function Subscriptions(): VNode {
  const { call } = usePageContext();
  const reading = useAction();
  const removing = useAction();
  const [held, setHeld] = useState<readonly SubscriptionView[] | null>(null);
  const list = async (): Promise<void> => {
    await reading.run(async () => setHeld(await call('webhooks.list')));
  };
  useEffect(() => void list(), []);
  return (
    <>
      {held === null && reading.failure === null && <p>{t('Asking the service …')}</p>}
      {held?.length === 0 && <p>{t('No addresses are registered for this account.')}</p>}
      <ul class="subscriptions">
        {held?.map((subscription) => (
          <li key={subscription.id}>
            <Subscription subscription={subscription} removing={removing} onRemoved={() => void list()} />
          </li>
        ))}
      </ul>
      <Failure failure={reading.failure ?? removing.failure} />
    </>
  );
}

function Subscription(props: {
  readonly subscription: SubscriptionView;
  readonly removing: PageAction;
  readonly onRemoved: () => void;
}): VNode {
  const { subscription, removing, onRemoved } = props;
  const { call } = usePageContext();
  const { id, origin, whose, active } = subscription;
  return (
    <>
      <p>
        {origin}
        <span class="about">
          {' '}
          · {active ? t(WHOSE[whose]) : t('{whose} (inactive)', { whose: t(WHOSE[whose]) })}
        </span>
      </p>
      {whose !== 'ours' && (
        <Confirmed
          action={t('Remove')}
          of={origin}
          question={t(
            'The service will tell this address nothing more. Whoever uses it has to register again.',
          )}
          isBusy={removing.isBusy}
          onConfirm={() => void removing.run(async () => call('webhooks.remove', { id })).then(onRemoved)}
        />
      )}
    </>
  );
}
