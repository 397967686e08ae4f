// The events of a lock in short words, for tests of what a lock machine makes of them.
import type { BoltPosition, BoltState } from '../../src/domain/locks/bolt.ts';
import type { LockEvent, Reported } from '../../src/domain/locks/event.ts';
import { type Lock, lockId, unknownLock } from '../../src/domain/locks/lock.ts';
import { advanceLock } from '../../src/domain/locks/machine.ts';
import { named } from './named-lock.ts';

/** A lock of which nothing is known yet. */
export const FRESH_LOCK = unknownLock(lockId('front'), named('Front door'));

export const BY_HAND = { method: 'thumbturn', id: null, name: null } as const;

export const after = (...events: readonly LockEvent[]): Lock => events.reduce(advanceLock, FRESH_LOCK);

/** What a listing says of a lock that the service reaches. */
export const poll = (bolt: BoltState, at: number, more: Partial<Reported> = {}): Reported => ({
  type: 'reported',
  source: 'poll',
  at,
  bolt,
  connected: true,
  ...more,
});

/** What an event of the service says. */
export const heard = (bolt: BoltState, at: number, more: Partial<Reported> = {}): Reported => ({
  type: 'reported',
  source: 'event',
  at,
  bolt,
  ...more,
});

export const requested = (target: BoltPosition): LockEvent => ({ type: 'requested', target });
export const sent = (target: BoltPosition, at: number): LockEvent => ({ type: 'command-sent', target, at });
export const ended = (at: number, jammed = false, next: BoltPosition | null = null): LockEvent => ({
  type: 'command-ended',
  at,
  jammed,
  next,
});
export const completed = (target: BoltPosition, provenSince: number, at: number): LockEvent => ({
  type: 'command-completed',
  target,
  provenSince,
  at,
  next: null,
});

/** No listing has the lock any more. */
export const missed = (at: number): LockEvent => ({ type: 'missed', at });
/** What was confirmed before that instant is no longer fresh. */
export const aged = (staleBefore: number): LockEvent => ({ type: 'aged', staleBefore });
