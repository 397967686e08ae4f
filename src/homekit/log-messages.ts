// Log lines about a lock: the event, then the advice; one line each for a loss and a return.
import { type AccessMethod, speakableName } from '../domain/access.ts';
import { type BoltPosition, isBoltPosition } from '../domain/bolt.ts';
import type { RequestRefusal } from '../domain/intent-policy.ts';
import { boltOf, type LastMove, type Lock } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import { REPORTED_WITHIN_MS } from '../domain/time.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { BatteryChange } from './battery-service.ts';

/** One log line, with the lock's name in front. */
export interface LogLine {
  readonly level: keyof Log;
  readonly text: string;
}

type Described = Pick<Lock, 'description'>;

const DONE: Readonly<Record<BoltPosition, string>> = { secured: 'locked', unsecured: 'unlocked' };

/** How the bolt was moved, after "locked" or "unlocked". */
const METHODS: Readonly<Record<AccessMethod, string>> = {
  'virtual-key': ' with a virtual key',
  'one-touch': ' with the one-touch button',
  'access-code': ' with an access code',
  'auto-relock': ' by auto-relock',
  thumbturn: ' by thumbturn',
  'unlock-button': ' by button',
  'lock-button': ' by button',
  schedule: ' by schedule',
  platform: ' from a smart-home platform',
  'platform-key': ' with a home key',
  'own-command': ' by this plugin',
  unavailable: ' while it was offline',
  other: '',
};

const REFUSALS: Readonly<Record<RequestRefusal, string>> = {
  'not-linked': 'the account is not connected. Connect it on the Account page.',
  'lock-missing': "it is no longer in the account. Check in the lock's app.",
  'remote-unlock-forbidden':
    'remote unlock is off for this lock. Allow it on the Locks page or in config.json.',
  'role-may-not-command': 'this account can only view the lock. Ask its owner for access.',
  'too-late': 'Homebridge was asleep, so the command expired. Try again.',
};

const ALERTS: Readonly<Record<AlertReport['type'], readonly [LogLine['level'], string]>> = {
  'wrong-code': ['info', 'wrong code entered at the keypad'],
  'keypad-locked-out': ['warn', 'the keypad locked itself after wrong codes. Wait, or unlock another way.'],
  alarm: ['warn', 'the activity alarm went off. Check the lock.'],
};

function logName({ description: { name } }: Described): string {
  return name.trim() === '' ? 'A lock without a name' : name;
}

/** A line about one lock, safe for the log. */
export function lineAbout(lock: Described, level: LogLine['level'], words: string): LogLine {
  return { level, text: oneLine(`${logName(lock)}: ${words}`) };
}

export function say(log: Log, { level, text }: LogLine): void {
  log[level](text);
}

/** The lines for the step from one state of a lock to the next. */
export function logMessages(previous: Lock, lock: Lock): readonly LogLine[] {
  return [...presenceLines(previous, lock), ...boltLines(previous, lock)];
}

export function refusalLine(lock: Described, target: BoltPosition, reason: RequestRefusal): LogLine {
  return lineAbout(lock, 'warn', `not ${DONE[target]}: ${REFUSALS[reason]}`);
}

export function alertLine(lock: Described, alert: AlertReport['type']): LogLine {
  return lineAbout(lock, ...ALERTS[alert]);
}

export function batteryLine(lock: Pick<Lock, 'description' | 'battery'>, change: BatteryChange): LogLine {
  const { percent } = lock.battery;
  const charge = percent === null ? '' : ` (${percent}%)`;
  return change === 'low'
    ? lineAbout(lock, 'warn', `battery low${charge}. Replace the batteries soon.`)
    : lineAbout(lock, 'info', `battery OK again${charge}`);
}

function presenceLines(previous: Lock, lock: Lock): readonly LogLine[] {
  if (previous.presence === lock.presence) {
    return [];
  }
  switch (lock.presence) {
    case 'missing':
      return [lineAbout(lock, 'warn', "no longer in the account. Check in the lock's app.")];
    case 'offline':
      return [lineAbout(lock, 'warn', 'offline. Check its Wi-Fi and batteries.')];
    case 'reachable':
      return [
        lineAbout(lock, 'info', previous.presence === 'missing' ? 'back in the account' : 'online again'),
      ];
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
      return [lineAbout(lock, 'warn', 'jammed. Check the bolt.')];
    case 'unknown':
      return [unknownLine(previous, lock)];
    case 'secured':
    case 'unsecured':
      return [lineAbout(lock, 'info', `${DONE[bolt]}${moveMethodOf(lock, bolt)}`)];
  }
}

function unknownLine(previous: Lock, lock: Lock): LogLine {
  // The loss of a lock that is offline or missing has a line already.
  const level = previous.presence === 'reachable' && lock.presence === 'reachable' ? 'warn' : 'debug';
  return lineAbout(lock, level, `position unknown${lock.belief.stale ? ': no update for too long' : ''}`);
}

/** A move reported after its position is known: a debug line unless it led to the present position just now. */
function learnedLine(lock: Lock, move: LastMove): LogLine {
  const words = `${DONE[move.to]}${methodIn(move)}`;
  const lateMs = (lock.belief.latest?.at ?? move.at) - move.at;
  return move.to === boltOf(lock) && lateMs <= REPORTED_WITHIN_MS
    ? lineAbout(lock, 'info', words)
    : lineAbout(lock, 'debug', `reported late: ${words} at ${new Date(move.at).toISOString()}`);
}

/** The method of the latest move, if it explains the position. */
function moveMethodOf({ lastMove, belief: { latest } }: Lock, bolt: BoltPosition): string {
  if (lastMove?.to === bolt && (latest === null || lastMove.at >= latest.at)) {
    return methodIn(lastMove);
  }
  return latest?.source === 'command' && isBoltPosition(latest.bolt) ? METHODS['own-command'] : '';
}

function methodIn({ by }: LastMove): string {
  const who = speakableName(by.name);
  return `${METHODS[by.method]}${who === null ? '' : ` (${who})`}`;
}
