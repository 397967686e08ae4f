// One door as it stands, live: its bolt and how sure that is, who moved it, its battery and connection, and what can be done.
import type { VNode } from 'preact';
import type { LockView } from '../../src/panel/lock-view.ts';
import { BatteryIcon, BoltIcon, WirelessIcon } from './icons.tsx';
import { LockControls } from './lock-controls.tsx';
import { Time } from './pieces.tsx';
import {
  agoWords,
  BOLT_WORDS,
  batteryWords,
  boltWords,
  byWords,
  certainBolt,
  isLow,
  JAM_ADVICE,
  leftUnlockedWords,
  nameOf,
} from './words.ts';

/** A report older than this is said to be, in milliseconds: twice the slowest pace at which locks are usually read. */
const STALE_AFTER_MS = 120_000;

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
  /** What became of the last command, where it failed; else empty. */
  readonly failure: string;
  readonly now: number;
}

export function LockCard({ lock, isHidden, isCurrent, failure, now }: LockEntryProps): VNode {
  const { bolt, target } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  const leftUnlocked = leftUnlockedWords(lock, isCurrent, now);
  const notes = [staleWords(lock, isCurrent, now), isHidden ? 'Hidden from Home' : ''].filter(Boolean);
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
          <p>
            <span class="bolt">{boltWords(lock, isCurrent)}</span>
            {!isMoving && lock.lastMove?.to === certain && <Mover lock={lock} now={now} />}
          </p>
        </div>
      </header>
      {certain === 'jammed' && <p>{JAM_ADVICE}</p>}
      {leftUnlocked !== '' && <p class="warning">{leftUnlocked}</p>}
      {lock.lastMove !== null && lock.lastMove.to !== certain && (
        <p class="about">
          Last move: {BOLT_WORDS[lock.lastMove.to].toLowerCase()}
          <Mover lock={lock} now={now} />
        </p>
      )}
      {notes.length > 0 && <p class="about">{notes.join(' · ')}</p>}
      <Signs lock={lock} isCurrent={isCurrent} />
      <LockControls {...{ lock, name, isMoving, isCurrent, failure }} />
    </article>
  );
}

/** Who moved the bolt last, and when. */
export function Mover({ lock, now }: Pick<LockEntryProps, 'lock' | 'now'>): VNode | null {
  const { lastMove } = lock;
  return lastMove === null ? null : (
    <>
      {byWords(lastMove.by)}, <Time at={lastMove.at} now={now} />
    </>
  );
}

/** How old the last report is, unless it is recent. */
function staleWords({ confirmedAt, presence }: LockView, isCurrent: boolean, now: number): string {
  if (confirmedAt === null) {
    return 'No update since startup';
  }
  const isFresh = isCurrent && presence === 'reachable' && now - confirmedAt <= STALE_AFTER_MS;
  return isFresh ? '' : `Updated ${agoWords(now - confirmedAt)}`;
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
        <li class={isLow(battery) ? 'warning' : ''}>
          <BatteryIcon level={battery.percent} />
          <span class="unseen">Battery </span>
          {charge}
        </li>
      )}
    </ul>
  );
}
