// One door as it stands, live: its bolt and how sure that is, who moved it, its battery and connection, and a button to lock it.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LockView } from '../../src/panel/lock-view.ts';
import { BatteryIcon, BoltIcon, WirelessIcon } from './icons.tsx';
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
  leftUnlockedWords,
  moveWords,
  nameOf,
} from './words.ts';

/** Whether the service reaches the lock; empty where a page that hears nothing cannot say it. */
export function presenceWords({ presence }: Pick<LockView, 'presence'>, isCurrent: boolean): string {
  switch (presence) {
    case 'reachable':
      return isCurrent ? 'Connected' : '';
    case 'offline':
      return isCurrent ? 'Offline' : 'Was offline';
    case 'missing':
      return 'Removed from account';
  }
}

export interface LockEntryProps {
  readonly lock: LockView;
  readonly isHidden: boolean;
  /** The page hears of the lock as things change: else the card tells what was. */
  readonly isCurrent: boolean;
  readonly now: number;
}

export function LockCard({ lock, isHidden, isCurrent, now }: LockEntryProps): VNode {
  const { bolt, target, presence, confirmedAt, lastMove } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  const leftUnlocked = leftUnlockedWords(lock, isCurrent, now);
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
      {leftUnlocked !== '' && <p class="warning">{leftUnlocked}</p>}
      {lastMove !== null && (
        <p>
          {lastMove.to === bolt
            ? BOLT_WORDS[lastMove.to]
            : `Last move: ${BOLT_WORDS[lastMove.to].toLowerCase()}`}
          {byWords(lastMove.by)}, <Time at={lastMove.at} now={now} />
        </p>
      )}
      <Signs lock={lock} isCurrent={isCurrent} />
      {presence === 'missing' ? (
        <Forget lock={lock} name={name} />
      ) : (
        <LockIt lock={lock} name={name} isMoving={isMoving} isCurrent={isCurrent} />
      )}
    </article>
  );
}

/** The lock's connection and battery. */
function Signs({ lock, isCurrent }: Pick<LockEntryProps, 'lock' | 'isCurrent'>): VNode {
  const { presence, battery } = lock;
  const connection = presenceWords(lock, isCurrent);
  const charge = batteryWords(battery);
  return (
    <ul class="signs">
      {connection !== '' && (
        <li class={presence === 'reachable' ? '' : 'warning'}>
          <WirelessIcon isOn={presence === 'reachable'} />
          {connection}
        </li>
      )}
      {charge !== '' && (
        <li class={battery.grade === 'normal' || battery.grade === 'unknown' ? '' : 'warning'}>
          <BatteryIcon level={battery.percent} />
          <span class="unseen">Battery </span>
          {charge}
        </li>
      )}
    </ul>
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
