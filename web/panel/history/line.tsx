// One line of the timeline: the sign of its kind, its time, its lock, and its event.
import type { VNode } from 'preact';
import type { HistoryWhat } from '../../../src/domain/history/history.ts';
import type { BoltState } from '../../../src/domain/locks/bolt.ts';
import { offsetMinutesAt, offsetZone } from '../../../src/domain/time/schedule-time.ts';
import type { HistoryLineView } from '../../../src/panel/views/history.ts';
import { entryWords } from '../../../src/words/history.ts';
import { BOLT_WORDS, byWords } from '../../../src/words/locks.ts';
import { capital } from '../../../src/words/sentence.ts';
import { spokenBy } from '../../../src/words/stay-names.ts';
import { t } from '../../../src/words/translate.ts';
import { BatteryIcon, BoltIcon, KeyIcon, WirelessIcon } from '../parts/icons.tsx';
import type { LockZones } from '../parts/lock-zones.ts';
import { zoneMark } from '../parts/reader-times.ts';
import { placeOf } from './lines.ts';
import { clockThere, gapThere } from './times.ts';

export function TimelineLine(props: {
  readonly line: HistoryLineView;
  readonly zones: LockZones;
  /** The page is about this lock: its name would be said in every line. */
  readonly isOfOneLock?: boolean;
}): VNode {
  const { line, zones, isOfOneLock = false } = props;
  const { what, lockName, offsetMinutes } = line;
  const at = placeOf(line);
  const bolt = boltOf(what);
  const mark = offsetMark(line, zones);
  return (
    <li class={what === 'gap' ? 'gap' : isTrouble(what) ? 'warning' : ''} data-bolt={bolt ?? undefined}>
      <span class="seal" aria-hidden="true">
        {signOf(what)}
      </span>
      <time dateTime={new Date(at).toISOString()}>{clockThere(at, offsetMinutes)}</time>
      <span>
        {!isOfOneLock && (
          <>
            <strong>
              <bdi>{lockName}</bdi>
            </strong>{' '}
          </>
        )}
        {line.what === 'gap' ? (
          gapThere(line.from, line.to, offsetMinutes)
        ) : bolt === null ? (
          capital(entryWords(line))
        ) : (
          <>
            <span class="bolt">{capital(t(BOLT_WORDS[bolt]))}</span>
            {byWords(spokenBy(line.by))}
          </>
        )}
        {mark}
      </span>
    </li>
  );
}

/** ` (Europe/Paris)` where the lock's clocks showed another time than those that the page names. */
function offsetMark(line: HistoryLineView, zones: LockZones): string {
  const at = placeOf(line);
  const zone = zones.of(line.lock);
  const own = offsetMinutesAt(zone, at) === line.offsetMinutes ? zone : offsetZone(line.offsetMinutes);
  return zoneMark(at, own, zones.page);
}

type What = HistoryLineView['what'];

/** The bolt after this entry, if the entry tells. */
function boltOf(what: What): Exclude<BoltState, 'unknown'> | null {
  return what === 'secured' || what === 'unsecured' || what === 'jammed' ? what : null;
}

/** Entries that deserve a second look. */
const TROUBLES: ReadonlySet<What> = new Set<HistoryWhat>([
  'alarm',
  'wrong-code',
  'keypad-locked-out',
  'keypad-disconnected',
  'offline',
  'battery-low',
  'battery-critical',
  'firmware-update-failed',
]);

function isTrouble(what: What): boolean {
  return TROUBLES.has(what);
}

function signOf(what: What): VNode | string {
  const bolt = boltOf(what);
  if (bolt !== null) {
    return <BoltIcon bolt={bolt} />;
  }
  if (what === 'gap') {
    return '?';
  }
  if (what === 'online' || what === 'offline') {
    return <WirelessIcon isOn={what === 'online'} />;
  }
  if (/^batter(?:y|ies)-/u.test(what)) {
    return <BatteryIcon level={what === 'battery-low' || what === 'battery-critical' ? 10 : 100} />;
  }
  if (/^(?:code|all-codes|user|admin)-/u.test(what)) {
    return <KeyIcon />;
  }
  return isTrouble(what) ? '!' : '·';
}
