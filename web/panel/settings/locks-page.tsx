// The locks of the account: which of them Home shows, under which name, and the options of each.
import type { VNode } from 'preact';
import type { LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { NO_LOCKS } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { CONFIG_FILE } from '../parts/fields.tsx';
import { readFreshList } from '../parts/fresh-list.ts';
import { BoltIcon } from '../parts/icons.tsx';
import { boltSign, certainBolt } from '../parts/lock-signs.ts';
import { Button, Failure, Notice } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { isCurrent, listTrouble } from '../state/account-state.ts';
import { useAction, usePageContext } from '../state/page-context.ts';
import { LockOptions } from './lock-options.tsx';
import { ReplaceLock } from './replace-lock.tsx';

/** `onContinue`: the way on, where the page is a step of the guide. */
export function LocksPage({ onContinue }: { readonly onContinue?: () => void }): VNode {
  const { state, call, read } = usePageContext();
  const reading = useAction();
  const settings = state['locks.settings'];
  const readAnew = (): void => void reading.run(async () => readFreshList({ call, read }));
  return (
    <>
      <p>
        {tRich(
          'Changes take effect immediately. Hiding a lock removes it from Home, along with its room and automations. Settings marked {file} can only be changed there.',
          { file: <span class="tag">{CONFIG_FILE}</span> },
        )}
      </p>
      <Entries settings={settings} trouble={listTrouble(state)} />
      <div class="pushes">
        {onContinue !== undefined && (
          <Button kind="main" onPress={onContinue}>
            {t('Continue')}
          </Button>
        )}
        <Button isBusy={reading.isBusy} onPress={readAnew}>
          {t('Refresh')}
        </Button>
        {onContinue === undefined && <ReplaceLock />}
      </div>
      <Failure failure={reading.failure} />
    </>
  );
}

/** `trouble`: why the list cannot be relied on. */
function Entries(props: {
  readonly settings: readonly LockSettingsView[] | null;
  readonly trouble: string | null;
}): VNode {
  const { settings, trouble } = props;
  if (settings === null) {
    return <p>{t('Loading locks …')}</p>;
  }
  if (settings.length > 0) {
    return (
      <ul class="locks">
        {settings.map((lock) => (
          <li key={lock.id}>
            <LockEntry lock={lock} />
          </li>
        ))}
      </ul>
    );
  }
  return trouble === null ? (
    <Notice tone="plain">
      <p>{t(NO_LOCKS)}</p>
    </Notice>
  ) : (
    <p>{trouble}</p>
  );
}

function LockEntry({ lock }: { readonly lock: LockSettingsView }): VNode {
  const { state } = usePageContext();
  const current = isCurrent(state);
  const view = state.locks?.find(({ id }) => id === lock.id);
  const name = lock.accountName === '' ? lock.id : lock.accountName;
  return (
    <article class="lock" aria-label={name}>
      <header>
        {view !== undefined && (
          <span class="seal" data-bolt={certainBolt(view, current)}>
            <BoltIcon bolt={certainBolt(view, current)} />
          </span>
        )}
        <div>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          {view !== undefined && (
            <p class="about">
              {[boltSign(view, current), view.description.model].filter((part) => part !== '').join(' · ')}
            </p>
          )}
        </div>
      </header>
      <LockOptions lock={lock} name={name} />
    </article>
  );
}
