// Formats locks, moves and histories for a terminal; foreign text cannot carry an escape sequence.
import type { AccessMethod, Accessor } from '../domain/access.ts';
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, BoltState, Instant } from '../domain/bolt.ts';
import type { RequestRefusal } from '../domain/intent-policy.ts';
import type { Battery } from '../domain/lock.ts';
import type { AlertReport } from '../domain/service-event.ts';
import type { LockView } from '../panel/lock-view.ts';
import { oneLine } from '../support/log.ts';

const BOLT_WORDS: Readonly<Record<BoltState, string>> = {
  secured: 'locked',
  unsecured: 'unlocked',
  jammed: 'jammed',
  unknown: 'unknown',
};

export const VERBS: Readonly<Record<BoltPosition, string>> = { secured: 'lock', unsecured: 'unlock' };

export const REQUEST_REFUSALS: Readonly<Record<RequestRefusal, string>> = {
  'not-linked': 'the account is not linked',
  'remote-unlock-forbidden': 'its options forbid unlocking from afar (remoteUnlock)',
  'role-may-not-command': 'this account may only read it',
  'lock-missing': 'the account no longer lists it',
  'too-late': 'Homebridge was asleep, so this command expired; try again',
};

export const LINK_WORDS: Readonly<Record<RuntimeLinkState, string>> = {
  linked: 'linked',
  unlinked: 'not linked',
  revoked: 'no longer accepted by the service',
  expired: 'expired',
  'signed-out': 'signed out everywhere',
  'other-process': 'owned by another process',
};

const PRESENCE_WORDS: Readonly<Record<LockView['presence'], string>> = {
  reachable: 'reachable',
  offline: 'offline',
  missing: 'no longer in the account',
};

const METHOD_WORDS: Readonly<Record<AccessMethod, string | null>> = {
  'virtual-key': "the lock's app",
  'one-touch': 'the button outside',
  'access-code': 'a code',
  'auto-relock': 'itself',
  thumbturn: 'hand',
  'unlock-button': 'the button inside',
  'lock-button': 'the button inside',
  schedule: 'a schedule',
  platform: 'a smart home',
  'platform-key': 'a smart home key',
  'own-command': 'this plugin',
  unavailable: null,
  other: null,
};

export const ALERT_WORDS: Readonly<Record<AlertReport['type'], string>> = {
  'wrong-code': 'a wrong code was entered',
  'keypad-locked-out': 'the keypad locked itself after wrong codes',
  alarm: 'the alarm sounded',
};

export function nameOf({ id, description }: LockView): string {
  return oneLine(description.name === '' ? id : description.name);
}

/** " by Dog walker (a code)"; empty when unknown. */
export function byWords({ method, name }: Accessor): string {
  const how = METHOD_WORDS[method];
  const who = name === null ? null : oneLine(name);
  if (who === null) {
    return how === null ? '' : ` by ${how}`;
  }
  return how === null ? ` by ${who}` : ` by ${who} (${how})`;
}

/** The bolt's state, with a running command or the reason why the state is unknown. */
export function stateWords({ bolt, target, presence }: LockView): string {
  const moving = target !== null && target !== bolt ? `, ${VERBS[target]}ing` : '';
  const note = presence === 'reachable' ? '' : `, ${PRESENCE_WORDS[presence]}`;
  return `${BOLT_WORDS[bolt]}${moving}${note}`;
}

export function batteryWords({ grade, percent }: Battery): string {
  const graded = grade === 'normal' || grade === 'unknown' ? '' : ` ${grade}`;
  return percent === null && graded === ''
    ? ''
    : `battery${graded}${percent === null ? '' : ` ${percent} %`}`;
}

/** "12 s", "5 min", "3 h", "2 d". */
export function agoWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) {
    return `${seconds} s ago`;
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) {
    return `${minutes} min ago`;
  }
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} d ago`;
}

export function lockLines(locks: readonly LockView[], now: Instant): readonly string[] {
  return columns(
    locks.map((lock) => [
      nameOf(lock),
      stateWords(lock),
      lock.confirmedAt === null ? 'never confirmed' : `confirmed ${agoWords(now - lock.confirmedAt)}`,
      batteryWords(lock.battery),
      lock.lastMove === null ? '' : `${BOLT_WORDS[lock.lastMove.to]}${byWords(lock.lastMove.by)}`,
    ]),
  );
}

/** Visible differences between two views of one lock, one line each; empty when there are none. */
export function changeLines(before: LockView, after: LockView): readonly string[] {
  const lines = [
    after.bolt === before.bolt ? '' : `${BOLT_WORDS[after.bolt]}${newMoveWords(before, after)}`,
    targetChange(before, after),
    after.presence === before.presence ? '' : PRESENCE_WORDS[after.presence],
    after.battery.grade === before.battery.grade ? '' : batteryWords(after.battery),
  ];
  return lines.filter((line) => line !== '').map((line) => `${nameOf(after)}: ${line}`);
}

/** The cause of the last move, if the move is new. */
function newMoveWords(before: LockView, { bolt, lastMove }: LockView): string {
  return lastMove !== null && lastMove.to === bolt && lastMove.at !== before.lastMove?.at
    ? byWords(lastMove.by)
    : '';
}

function targetChange({ target: before }: LockView, { target: after, bolt }: LockView): string {
  if (after === before) {
    return '';
  }
  if (after === null) {
    return before === null || before === bolt ? '' : `the command to ${VERBS[before]} did not do it`;
  }
  return after === bolt ? '' : `${VERBS[after]}ing`;
}

/** An instant in a zone this many minutes ahead of UTC: "2026-04-14 08:15:30 -04:00". */
export function localTime(at: Instant, offsetMinutes: number): string {
  const local = new Date(at + offsetMinutes * 60_000).toISOString();
  const size = Math.abs(offsetMinutes);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offset}`;
}

/** Offset of this machine's zone from UTC at an instant, in minutes. */
export function machineOffset(at: Instant): number {
  return -new Date(at).getTimezoneOffset();
}

/** Aligns texts in columns, without spaces at the end of a line. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
