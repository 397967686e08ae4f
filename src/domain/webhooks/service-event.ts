// Events that the service sends by itself, as a closed union: everything that a webhook can report.

import type { CommandReading } from '../commands/command.ts';
import { type Accessor, speakableName } from '../locks/access.ts';
import type { BoltPosition } from '../locks/bolt.ts';
import type { Battery, LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';

/** The bolt moved. `unknown`: to where the service does not know; null: the event has no position, so the lock has to be read. */
export interface BoltReport {
  readonly type: 'bolt';
  readonly bolt: BoltPosition | 'unknown' | null;
  readonly accessor: Accessor | null;
}

/** An event at the keypad or the lock. The code that was entered is never kept. */
export const ALERTS = ['wrong-code', 'keypad-locked-out', 'alarm'] as const;

export interface AlertReport {
  readonly type: (typeof ALERTS)[number];
}

export function isAlert(type: ServiceReport['type']): type is AlertReport['type'] {
  return ALERTS.some((alert) => alert === type);
}

/** An access code changed. Of the code itself nothing is kept; `codeId` and `codeName` are null when not said. */
export interface CodeReport {
  readonly type: 'code-added' | 'code-updated' | 'code-deleted';
  readonly codeId: string | null;
  readonly codeName: string | null;
}

export type ServiceReport =
  | BoltReport
  /** The service reaches the lock, or no longer does; null when the word for it was not understood. */
  | { readonly type: 'connectivity'; readonly connected: boolean | null }
  | { readonly type: 'battery'; readonly battery: Battery }
  | AlertReport
  | CodeReport
  /** A command, ours or another's, has come to its end. */
  | {
      readonly type: 'command-ended';
      readonly reading: Exclude<CommandReading, { readonly state: 'pending' }>;
    }
  /** A person signed out everywhere, which ends the link if it is theirs: the service's opaque id; null when not said. */
  | { readonly type: 'signed-out'; readonly userId: string | null }
  /** An event in an unknown word, or without the data that gives it a meaning. `trigger`: the word, or empty. Foreign text. */
  | { readonly type: 'unrecognised'; readonly trigger: string };

/** One event. The same `eventId` is the same event, however often it comes. */
export type ServiceEvent = ServiceReport & {
  readonly eventId: string;
  /** When it happened; null without a plausible time: then it causes a reading, never a state, because it could be a repeat. */
  readonly at: Instant | null;
  /** Null when the event is not about a lock. */
  readonly lockId: LockId | null;
};

/** The event without a name that may be a secret, so that it cannot leak. */
export function withoutSecretNames(event: ServiceEvent): ServiceEvent {
  if (event.type === 'bolt' && event.accessor !== null) {
    return { ...event, accessor: { ...event.accessor, name: speakableName(event.accessor.name) } };
  }
  return 'codeName' in event ? { ...event, codeName: speakableName(event.codeName) } : event;
}
