// One door, live, as a card, or as a row where there are many: its bolt and the certainty of that, its last mover, its battery, and its actions.
import type { VNode } from 'preact';
import type { LockView } from '../../../src/panel/views/lock.ts';
import {
  BOLT_WORDS,
  batteryWords,
  byWords,
  JAM_ADVICE,
  nameOf,
  PRESENCE_WORDS,
} from '../../../src/words/locks.ts';
import { capital } from '../../../src/words/sentence.ts';
import { spokenBy } from '../../../src/words/stay-names.ts';
import { agoWords } from '../../../src/words/times.ts';
import { comma, t } from '../../../src/words/translate.ts';
import { BatteryIcon, BoltIcon, WirelessIcon } from '../parts/icons.tsx';
import { boltSign, certainBolt, isLow, leftUnlockedSign, openSign } from '../parts/lock-signs.ts';
import { Time } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { useLockZones } from '../parts/zone-note.tsx';
import { useWay } from '../state/page-context.ts';
import { addressOf } from '../state/views.ts';
import { LockControls } from './lock-controls.tsx';

/** From this age on, a report shows its age, in milliseconds: twice the slowest pace at which locks are usually read. */
const STALE_AFTER_MS = 120_000;

/** Whether the service reaches the lock; empty where a disconnected page cannot tell. */
function presenceWords({ presence }: Pick<LockView, 'presence'>, isCurrent: boolean): string {
  if (isCurrent || presence === 'missing') {
    return capital(t(PRESENCE_WORDS[presence]));
  }
  return presence === 'reachable' ? '' : t('Was offline');
}

export interface LockEntryProps {
  readonly lock: LockView;
  readonly isHidden: boolean;
  /** The page is connected; otherwise the card shows the last known state. */
  readonly isCurrent: boolean;
  /** What became of the last command, where it failed; else empty. */
  readonly failure: string;
  readonly now: number;
}

/** `isWhole`: on the page of the lock, which has its name as heading. */
export function LockCard(props: LockEntryProps & { readonly isWhole?: boolean }): VNode {
  const { lock, isHidden, isCurrent, failure, now, isWhole = false } = props;
  const { bolt, target } = lock;
  const name = nameOf(lock);
  const certain = certainBolt(lock, isCurrent);
  const isMoving = isCurrent && target !== null && target !== bolt;
  const notes = [staleWords(lock, isCurrent, now), isHidden ? t('Hidden from Home') : ''].filter(Boolean);
  return (
    <article
      class={isWhole ? 'door whole' : 'door'}
      aria-label={name}
      data-bolt={certain}
      data-current={isCurrent}
    >
      <header>
        <span class="seal big" data-moving={isMoving}>
          <BoltIcon bolt={certain} />
        </span>
        <div>
          {!isWhole && <LockHeading lock={lock} />}
          <p>
            <span class="bolt">{boltSign(lock, isCurrent)}</span>
            {!isMoving && lock.lastMove?.to === certain && <Mover lock={lock} now={now} />}
          </p>
        </div>
      </header>
      {certain === 'jammed' && (
        <p>
          {t('The bolt got stuck on its way.')} {t(JAM_ADVICE)}
        </p>
      )}
      <OpenFor lock={lock} isCurrent={isCurrent} now={now} />
      {lock.lastMove !== null && lock.lastMove.to !== certain && <LastMove lock={lock} now={now} />}
      {notes.length > 0 && <p class="about">{notes.join(' · ')}</p>}
      <Signs lock={lock} isCurrent={isCurrent} />
      <LockControls {...{ lock, name, isMoving, isCurrent, failure }} />
    </article>
  );
}

/** For how long the door has been unlocked. */
function OpenFor({ lock, isCurrent, now }: Pick<LockEntryProps, 'lock' | 'isCurrent' | 'now'>): VNode | null {
  const leftUnlocked = leftUnlockedSign(lock, isCurrent, now);
  const words = leftUnlocked === '' ? openSign(lock, isCurrent, now) : leftUnlocked;
  return words === '' ? null : <p class={leftUnlocked === '' ? 'about' : 'warning'}>{words}</p>;
}

/** Of a bolt that is, or may be, elsewhere by now. */
function LastMove({ lock, now }: Pick<LockEntryProps, 'lock' | 'now'>): VNode | null {
  const { lastMove } = lock;
  return lastMove === null ? null : (
    <p class="about">
      {tRich('Last move: {move}', {
        move: (
          <>
            {t(BOLT_WORDS[lastMove.to])}
            <Mover lock={lock} now={now} />
          </>
        ),
      })}
    </p>
  );
}

/** Who moved the bolt last, and when. */
function Mover(props: Pick<LockEntryProps, 'lock' | 'now'> & { readonly isShort?: boolean }): VNode | null {
  const { lock, now, isShort = false } = props;
  const { lastMove } = lock;
  const zone = useLockZones(now).of(lock.id);
  return lastMove === null ? null : (
    <>
      {byWords(spokenBy(lastMove.by))}
      {comma()}
      <Time at={lastMove.at} now={now} isShort={isShort} zone={zone} />
    </>
  );
}

/** How old the last report is, unless it is recent. */
function staleWords({ confirmedAt, presence }: LockView, isCurrent: boolean, now: number): string {
  if (confirmedAt === null) {
    return t('No update since startup');
  }
  const isFresh = isCurrent && presence === 'reachable' && now - confirmedAt <= STALE_AFTER_MS;
  return isFresh ? '' : t('Updated {ago}', { ago: agoWords(now - confirmedAt) });
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
          <span class="unseen">{t('Battery')} </span>
          {charge}
        </li>
      )}
    </ul>
  );
}

function LockHeading({ lock }: { readonly lock: LockView }): VNode {
  const go = useWay();
  const place = { view: 'overview', lock: lock.id } as const;
  return (
    <h3>
      <a
        class="whole-card"
        href={`#${addressOf(place)}`}
        onClick={(event) => {
          event.preventDefault();
          go(place);
        }}
      >
        <bdi>{nameOf(lock)}</bdi>
      </a>
    </h3>
  );
}

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
