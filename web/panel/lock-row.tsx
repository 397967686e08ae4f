// One lock as a row, where there are many: its bolt, its name, one line of what and who, and the button to lock it.
import type { VNode } from 'preact';
import { BoltIcon } from './icons.tsx';
import { Forget, type LockEntryProps, LockIt, presenceWords } from './lock-card.tsx';
import { Time } from './pieces.tsx';
import {
  batteryWords,
  boltWords,
  byWords,
  certainBolt,
  JAM_ADVICE,
  leftUnlockedWords,
  nameOf,
} from './words.ts';

export function LockRow({ lock, isHidden, isCurrent, now }: LockEntryProps): VNode {
  const { bolt, target, presence, lastMove, battery } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  const leftUnlocked = leftUnlockedWords(lock, isCurrent, now);
  const isLow = battery.grade === 'low' || battery.grade === 'critical';
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
          {lastMove !== null && lastMove.to === bolt && (
            <>
              {byWords(lastMove.by)}, <Time at={lastMove.at} now={now} />
            </>
          )}
          {presence !== 'reachable' && <span class="warning"> · {presenceWords(lock, isCurrent)}</span>}
          {leftUnlocked !== '' && <span class="warning"> · {leftUnlocked}</span>}
          {isLow && <span class="warning"> · Battery {batteryWords(battery)}</span>}
          {isHidden && ' · hidden from Home'}
        </p>
        {certain === 'jammed' && <p class="about">{JAM_ADVICE}</p>}
      </div>
      {presence === 'missing' ? (
        <Forget lock={lock} name={name} />
      ) : (
        (certain !== 'secured' || isMoving) && (
          <LockIt lock={lock} name={name} isMoving={isMoving} isCurrent={isCurrent} />
        )
      )}
    </article>
  );
}
