// What happened to a lock, in lines for the log: one line per thing that happened, loss once, return once.
import { type AccessMethod, speakableName } from '../domain/access.ts';
import { type BoltPosition, isBoltPosition } from '../domain/bolt.ts';
import type { RequestRefusal } from '../domain/intent-policy.ts';
import { boltOf, type LastMove, type Lock } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import { REPORTED_WITHIN_MS } from '../domain/time.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { BatteryChange } from './battery-service.ts';

/** One line of the log, with the lock's name in front. */
export interface LogLine {
  readonly level: keyof Log;
  readonly text: string;
}

const DONE: Readonly<Record<BoltPosition, string>> = { secured: 'locked', unsecured: 'unlocked' };

/** How a bolt was moved, after "locked" or "unlocked". */
const WAYS: Readonly<Record<AccessMethod, string>> = {
  'virtual-key': ', with a virtual key',
  'one-touch': ', by one touch',
  'access-code': ', with an access code',
  'auto-relock': ', by auto-relock',
  thumbturn: ', by thumbturn',
  'unlock-button': ', by button',
  'lock-button': ', by button',
  schedule: ', on schedule',
  platform: ', from a smart-home platform',
  'platform-key': ', with a home key',
  'own-command': ', by this plugin',
  unavailable: ', while it was offline',
  other: '',
};

const REFUSAL_WORDS: Readonly<Record<RequestRefusal, string>> = {
  'not-linked': 'the account is not linked here',
  'lock-missing': 'the account no longer lists it',
  'remote-unlock-forbidden': 'its options forbid unlocking from afar',
  'role-may-not-command': 'this account may not move its bolt',
  'too-late': 'this machine stood still, and the wish may be more than ten seconds old',
};

/** What happened at the door without changing the lock. */
const ALERTS: Readonly<Record<AlertReport['type'], LogWords>> = {
  'wrong-code': { level: 'info', words: 'a wrong code was entered at the keypad' },
  'keypad-locked-out': { level: 'warn', words: 'the keypad has locked itself after wrong codes' },
  alarm: { level: 'warn', words: 'the activity alarm sounds' },
};

interface LogWords {
  readonly level: LogLine['level'];
  readonly words: string;
}

/** What the log calls a lock. */
function logName(lock: Pick<Lock, 'description'>): string {
  return lock.description.name.trim() === '' ? 'A lock without a name' : lock.description.name;
}

/** A line about one lock, made safe for the log. */
export function lineAbout(lock: Pick<Lock, 'description'>, level: LogLine['level'], words: string): LogLine {
  return { level, text: oneLine(`${logName(lock)}: ${words}`) };
}

/** What is worth a line in the step from one state of a lock to the next. */
export function logMessages(previous: Lock, lock: Lock): readonly LogLine[] {
  return [...presenceLines(previous, lock), ...boltLines(previous, lock)];
}

export function refusalLine(
  lock: Pick<Lock, 'description'>,
  rest: BoltPosition,
  reason: RequestRefusal,
): LogLine {
  return lineAbout(lock, 'warn', `not ${DONE[rest]}: ${REFUSAL_WORDS[reason]}`);
}

export function alertLine(lock: Pick<Lock, 'description'>, alert: AlertReport['type']): LogLine {
  const { level, words } = ALERTS[alert];
  return lineAbout(lock, level, words);
}

export function batteryLine(lock: Pick<Lock, 'description' | 'battery'>, news: BatteryChange): LogLine {
  const { percent } = lock.battery;
  const level = percent === null ? '' : ` (${percent} %)`;
  return news === 'low'
    ? lineAbout(lock, 'warn', `battery low${level}`)
    : lineAbout(lock, 'info', `battery good again${level}`);
}

function presenceLines(previous: Lock, lock: Lock): readonly LogLine[] {
  if (previous.presence === lock.presence) {
    return [];
  }
  switch (lock.presence) {
    case 'missing':
      return [lineAbout(lock, 'warn', 'the account no longer lists it')];
    case 'offline':
      return [lineAbout(lock, 'warn', 'offline, the service cannot reach it')];
    case 'reachable':
      return [lineAbout(lock, 'info', previous.presence === 'missing' ? 'listed again' : 'online again')];
  }
}

function boltLines(previous: Lock, lock: Lock): readonly LogLine[] {
  const bolt = boltOf(lock);
  if (bolt === boltOf(previous)) {
    const { lastMove } = lock;
    return lastMove === null || lastMove === previous.lastMove ? [] : [learnedLine(lock, lastMove)];
  }
  switch (bolt) {
    case 'jammed':
      return [lineAbout(lock, 'warn', 'the bolt is jammed')];
    case 'unknown':
      return [unknownLine(previous, lock)];
    case 'secured':
    case 'unsecured':
      return [movedLine(lock, bolt)];
  }
}

function unknownLine(previous: Lock, lock: Lock): LogLine {
  // Of a lock that is offline or gone the loss was told already.
  const level = previous.presence === 'reachable' && lock.presence === 'reachable' ? 'warn' : 'debug';
  const why = lock.belief.stale ? 'nothing was heard of it for too long, ' : '';
  return lineAbout(lock, level, `${why}its position is unknown`);
}

function movedLine(lock: Lock, bolt: BoltPosition): LogLine {
  return lineAbout(lock, 'info', `${DONE[bolt]}${moveMethodOf(lock, bolt)}`);
}

/** A move of which we learn when the position is known: news when it has just brought it about, else only for the curious. */
function learnedLine(lock: Lock, move: LastMove): LogLine {
  const words = `${DONE[move.to]}${wayIn(move)}`;
  const lateMs = (lock.belief.latest?.at ?? move.at) - move.at;
  return move.to === boltOf(lock) && lateMs <= REPORTED_WITHIN_MS
    ? lineAbout(lock, 'info', words)
    : lineAbout(lock, 'debug', `told late: at ${new Date(move.at).toISOString()} it was ${words}`);
}

/** The way of the latest move, if it is known and explains where the bolt is. */
function moveMethodOf({ lastMove, belief: { latest } }: Lock, bolt: BoltPosition): string {
  if (lastMove?.to === bolt && (latest === null || lastMove.at >= latest.at)) {
    return wayIn(lastMove);
  }
  return latest?.source === 'command' && isBoltPosition(latest.bolt) ? WAYS['own-command'] : '';
}

function wayIn({ by }: LastMove): string {
  const who = speakableName(by.name);
  return `${WAYS[by.method]}${who === null ? '' : ` (${who})`}`;
}
