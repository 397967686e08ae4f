// One door as it stands, live: its bolt and how sure that is, who moved it, its battery and connection, and a button to lock it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockView } from '../../src/panel/lock-view.ts';
import { BatteryIcon, BoltIcon, WirelessIcon } from './icons.tsx';
import { LeftUnlocked } from './left-unlocked.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Confirmed, Failure, Status, Time } from './pieces.tsx';
import {
  agoWords,
  BOLT_WORDS,
  batteryWords,
  boltWords,
  byWords,
  certainBolt,
  JAM_ADVICE,
  moveWords,
  nameOf,
} from './words.ts';

export const PRESENCE_WORDS: Readonly<Record<LockView['presence'], string>> = {
  reachable: 'Connected',
  offline: 'Offline',
  missing: 'Removed from account',
};

export interface LockEntryProps {
  readonly lock: LockView;
  readonly isHidden: boolean;
  /** The page hears of the lock as things change: else the card tells what was. */
  readonly isCurrent: boolean;
  readonly now: number;
}

export function LockCard({ lock, isHidden, isCurrent, now }: LockEntryProps): VNode {
  const { bolt, target, presence, confirmedAt, lastMove, battery } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  return (
    <article class="door" aria-label={name} data-bolt={certain} data-current={isCurrent}>
      <header>
        <span class="seal big" data-moving={isMoving}>
          <BoltIcon bolt={certain} />
        </span>
        <div>
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <p class="bolt">{boltWords(lock, isCurrent)}</p>
        </div>
      </header>
      {certain === 'jammed' && <p>{JAM_ADVICE}</p>}
      <p class="about">
        {confirmedAt === null ? 'No update since startup' : `Updated ${agoWords(now - confirmedAt)}`}
        {isHidden && ' · hidden from Home'}
      </p>
      <LeftUnlocked lock={lock} isCurrent={isCurrent} now={now} />
      {lastMove !== null && (
        <p>
          {BOLT_WORDS[lastMove.to]}
          {byWords(lastMove.by)}, <Time at={lastMove.at} now={now} />
        </p>
      )}
      <ul class="signs">
        <li class={presence === 'reachable' ? '' : 'warning'}>
          <WirelessIcon isOn={presence === 'reachable'} />
          {PRESENCE_WORDS[presence]}
        </li>
        {batteryWords(battery) !== '' && (
          <li class={battery.grade === 'normal' || battery.grade === 'unknown' ? '' : 'warning'}>
            <BatteryIcon level={battery.percent} />
            <span class="unseen">Battery </span>
            {batteryWords(battery)}
          </li>
        )}
      </ul>
      {presence === 'missing' ? (
        <Forget lock={lock} name={name} />
      ) : (
        <LockIt lock={lock} name={name} isMoving={isMoving} isCurrent={isCurrent} />
      )}
    </article>
  );
}

/** The only move a page may ask for. Whether it happened, only the lock's own word says. */
export function LockIt(props: {
  readonly lock: LockView;
  readonly name: string;
  readonly isMoving: boolean;
  readonly isCurrent: boolean;
}): VNode | null {
  const { lock, name, isMoving, isCurrent } = props;
  const { call } = usePageContext();
  const locking = useAction();
  const [answer, setAnswer] = useState('');
  const isOnTheWay = locking.isBusy || (isMoving && lock.target === 'secured');
  if (lock.description.role === 'reader') {
    return <p class="about">View only: this account can’t operate the lock.</p>;
  }
  return (
    <>
      <div class="pushes">
        <Button
          kind={lock.bolt === 'secured' ? 'plain' : 'main'}
          isBusy={isOnTheWay && isCurrent}
          isOff={!isCurrent}
          of={name}
          onPress={() => {
            setAnswer('');
            void locking.run(async () => {
              setAnswer(moveWords(await call('lock', { lock: lock.id })));
            });
          }}
        >
          Lock
        </Button>
      </div>
      <Status>
        {isOnTheWay ? (
          <p class="about">Locking … waiting for the lock to confirm.</p>
        ) : (
          answer !== '' && <p class="about">{answer}</p>
        )}
      </Status>
      <Failure failure={locking.failure} />
    </>
  );
}

export function Forget({ lock, name }: { readonly lock: LockView; readonly name: string }): VNode {
  const { call, read } = usePageContext();
  const forgetting = useAction();
  return (
    <>
      <Confirmed
        action="Forget this lock"
        of={name}
        question="It leaves Home with its room and automations. If the account lists it again, it comes back as a new one."
        isBusy={forgetting.isBusy}
        onConfirm={() => {
          void forgetting.run(async () => {
            await call('forget', { lock: lock.id });
            await read('locks', 'locks.settings');
          });
        }}
      />
      <Failure failure={forgetting.failure} />
    </>
  );
}
