// The question that follows when the linked account seems to be another one: nothing is removed before the answer.
import type { VNode } from 'preact';
import type { AccountChange } from '../../../src/linking/account-watch.ts';
import { t } from '../../../src/words/translate.ts';
import { Button, Failure, Notice } from '../parts/pieces.tsx';
import { useChange } from '../state/page-context.ts';

export function AccountQuestion({ change }: { readonly change: AccountChange }): VNode {
  const { isBusy, failure, change: confirm } = useChange('link.show', 'status', 'locks', 'locks.settings');
  const answer = (keep: boolean): void => void confirm('link.confirm', { keep });
  return (
    <Notice tone="warning">
      <h3>{t('This looks like a different account')}</h3>
      <p>{t('Nothing is removed from Home until you answer.')}</p>
      <Names title={t('Only the former account has:')} names={change.missing} />
      <Names title={t('Only this account has:')} names={change.added} />
      <div class="pushes">
        <Button kind="main" isBusy={isBusy} onPress={() => answer(true)}>
          {t('Use this account')}
        </Button>
        <Button isBusy={isBusy} onPress={() => answer(false)}>
          {t('Disconnect')}
        </Button>
      </div>
      <p class="about">
        {t(
          '“{use}” removes the former account’s locks from Home, together with their rooms and automations. “{disconnect}” removes nothing: then connect the former account.',
          { use: t('Use this account'), disconnect: t('Disconnect') },
        )}
      </p>
      <Failure failure={failure} />
    </Notice>
  );
}

function Names({
  title,
  names,
}: {
  readonly title: string;
  readonly names: readonly string[];
}): VNode | null {
  return names.length === 0 ? null : (
    <>
      <p>{title}</p>
      <ul>
        {names.map((name, index) => (
          <li key={index}>{name}</li>
        ))}
      </ul>
    </>
  );
}
