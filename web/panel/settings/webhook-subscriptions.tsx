// The addresses that are registered at the service, and the removal of one.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SubscriptionView } from '../../../src/panel/views/webhooks.ts';
import { t } from '../../../src/words/translate.ts';
import { WHOSE } from '../../../src/words/webhooks.ts';
import { Confirmed, Failure } from '../parts/pieces.tsx';
import { type PageAction, useAction, usePageContext } from '../state/page-context.ts';

export function Subscriptions(): VNode {
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
