// The page of one lock: how it stands, who may come in, what happened today, its battery, and its options.
import type { VNode } from 'preact';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import { failureWords } from '../../../src/words/commands.ts';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { openFailures } from '../overview/command-failure.ts';
import { LockCard } from '../overview/lock-card.tsx';
import { unexplainedLocks } from '../overview/unexplained.ts';
import { Announcements } from '../parts/announcements.tsx';
import { Button, Part, useServiceNow } from '../parts/pieces.tsx';
import { LockOptions } from '../settings/lock-options.tsx';
import { isCurrent, listTrouble } from '../state/account-state.ts';
import { usePageContext, useWay } from '../state/page-context.ts';
import { LockBattery } from './lock-battery.tsx';
import { LockPeople } from './lock-people.tsx';
import { LockToday } from './lock-today.tsx';

export function LockPage({ id }: { readonly id: LockId }): VNode {
  const { state } = usePageContext();
  const go = useWay();
  const lock = state.locks?.find((one) => one.id === id);
  return (
    <div class="lock-page">
      <div class="pushes">
        <Button onPress={() => go({ view: 'overview' })}>{t('All locks')}</Button>
      </div>
      {lock === undefined ? (
        <p>{listTrouble(state) ?? t('This lock is no longer in the account.')}</p>
      ) : (
        <Parts lock={lock} />
      )}
    </div>
  );
}

function Parts({ lock }: { readonly lock: LockView }): VNode {
  const { state } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  const current = isCurrent(state);
  const settings = state['locks.settings']?.find(({ id }) => id === lock.id);
  const activity = state.activity ?? [];
  const isExplained = !unexplainedLocks(activity).has(lock.id);
  return (
    <>
      <Announcements locks={[lock]} isCurrent={current} />
      <LockCard
        lock={isExplained ? lock : { ...lock, lastMove: null }}
        isHidden={settings?.hide.value ?? false}
        isCurrent={current}
        failure={failureWords(openFailures(activity, [lock]).get(lock.id), lock.presence)}
        now={now}
        isWhole
      />
      <div class="columns">
        <LockPeople lock={lock} />
        <LockToday lock={lock} now={now} />
        <LockBattery lock={lock} />
        {settings !== undefined && (
          <Part title={t('Options')}>
            <LockOptions lock={settings} name={nameOf(lock)} />
            <p class="about">
              {[lock.description.model, lock.description.firmware].filter((part) => part !== '').join(' · ')}
            </p>
          </Part>
        )}
      </div>
    </>
  );
}
