// One lock as a row, where there are many: its bolt, its name, one line of its last event, and its actions.
import type { VNode } from 'preact';
import { batteryWords, JAM_ADVICE, nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { BoltIcon } from '../parts/icons.tsx';
import { boltSign, certainBolt, isLow, leftUnlockedSign } from '../parts/lock-signs.ts';
import { type LockEntryProps, Mover, presenceWords, staleWords } from './lock-card.tsx';
import { LockControls } from './lock-controls.tsx';
import { LockHeading } from './lock-heading.tsx';

export function LockRow({ lock, isHidden, isCurrent, failure, now }: LockEntryProps): VNode {
  const { bolt, target, presence, lastMove, battery } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  const leftUnlocked = leftUnlockedSign(lock, isCurrent, now);
  // On a disconnected page, one banner shows since when.
  const stale = isCurrent ? staleWords(lock, isCurrent, now) : '';
  return (
    <article class="row" aria-label={name} data-bolt={certain} data-current={isCurrent}>
      <span class="seal" data-moving={isMoving}>
        <BoltIcon bolt={certain} />
      </span>
      <div>
        <LockHeading lock={lock} />
        <p class="about">
          <span class="bolt">{boltSign(lock, isCurrent)}</span>
          {lastMove !== null && lastMove.to === bolt && <Mover lock={lock} now={now} isShort={true} />}
          {presence !== 'reachable' && <span class="warning"> · {presenceWords(lock, isCurrent)}</span>}
          {leftUnlocked !== '' && <span class="warning"> · {leftUnlocked}</span>}
          {isLow(battery) && (
            <span class="warning"> · {t('Battery {charge}', { charge: batteryWords(battery) })}</span>
          )}
          {stale !== '' && ` · ${stale}`}
          {isHidden && ` · ${t('Hidden from Home')}`}
        </p>
        {certain === 'jammed' && <p class="about">{t(JAM_ADVICE)}</p>}
      </div>
      <LockControls {...{ lock, name, isMoving, isCurrent, failure }} />
    </article>
  );
}
