// One lock as a row, where there are many: its bolt, its name, one line of what and who, and what can be done.
import type { VNode } from 'preact';
import { BoltIcon } from './icons.tsx';
import { type LockEntryProps, Mover, presenceWords } from './lock-card.tsx';
import { LockControls } from './lock-controls.tsx';
import {
  batteryWords,
  boltWords,
  certainBolt,
  isLow,
  JAM_ADVICE,
  leftUnlockedWords,
  nameOf,
} from './words.ts';

export function LockRow({ lock, isHidden, isCurrent, failure, now }: LockEntryProps): VNode {
  const { bolt, target, presence, lastMove, battery } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  const leftUnlocked = leftUnlockedWords(lock, isCurrent, now);
  return (
    <article class="row" aria-label={name} data-bolt={certain} data-current={isCurrent}>
      <span class="seal" data-moving={isMoving}>
        <BoltIcon bolt={certain} />
      </span>
      <div>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        <p class="about">
          <span class="bolt">{boltWords(lock, isCurrent)}</span>
          {lastMove !== null && lastMove.to === bolt && <Mover lock={lock} now={now} />}
          {presence !== 'reachable' && <span class="warning"> · {presenceWords(lock, isCurrent)}</span>}
          {leftUnlocked !== '' && <span class="warning"> · {leftUnlocked}</span>}
          {isLow(battery) && <span class="warning"> · Battery {batteryWords(battery)}</span>}
          {isHidden && ' · hidden from Home'}
        </p>
        {certain === 'jammed' && <p class="about">{JAM_ADVICE}</p>}
      </div>
      <LockControls {...{ lock, name, isMoving, isCurrent, failure }} />
    </article>
  );
}
