// Light up when somebody moves the bolt: one for each access code that was named, one for each way of moving it.
import type { AccessMethod } from '../domain/access.ts';
import type { LockWatcher } from './lock-facts.ts';
import type { MoveMethod } from './lock-options.ts';
import { PulseSensor, type PulseSensorParts } from './pulse-sensor.ts';

/**
 * Specification, Accessor types. A thumbturn is on the inside of a door, the one-touch button on the outside panel. A
 * virtual key is a phone. Buttons and schedules are none of these: the service does not say on which side a button
 * is, and a schedule is no relock.
 */
const WAYS: Readonly<Record<AccessMethod, MoveMethod | null>> = {
  'access-code': 'keypad',
  thumbturn: 'inside',
  'one-touch': 'outside',
  'virtual-key': 'remote',
  platform: 'remote',
  'own-command': 'remote',
  'auto-relock': 'autoRelock',
  'platform-key': 'nfc',
  'unlock-button': null,
  'lock-button': null,
  schedule: null,
  unavailable: null,
  other: null,
};

/** How people say it, after the lock's name. */
const LABELS: Readonly<Record<MoveMethod, string>> = {
  keypad: 'moved by keypad',
  inside: 'moved from inside',
  outside: 'moved from outside',
  remote: 'moved remotely',
  autoRelock: 'relocked by itself',
  nfc: 'moved by NFC',
};

/** The way that a person can choose, or null where none of them is certain. */
export function moveMethodOf(method: AccessMethod): MoveMethod | null {
  return WAYS[method];
}

export function moveSensor(parts: PulseSensorParts, way: MoveMethod): LockWatcher {
  return new PulseSensor(
    parts,
    { subtype: `moved-by:${way}`, label: LABELS[way] },
    (news) => news.type === 'moved' && moveMethodOf(news.move.by.method) === way,
  );
}

/** `codeName`: what the account calls the access code, letter by letter. */
export function unlockedByCodeSensor(parts: PulseSensorParts, codeName: string): LockWatcher {
  return new PulseSensor(
    parts,
    { subtype: `unlocked-by:${codeName}`, label: `unlocked by ${codeName}` },
    (news) =>
      news.type === 'moved' &&
      news.move.to === 'unsecured' &&
      news.move.by.method === 'access-code' &&
      news.move.by.name?.trim() === codeName,
  );
}
