// A command to move a bolt: its draft, its readings from the service, and its outcome.

import type { BoltPosition, BoltState } from '../locks/bolt.ts';
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import type { RefusalReason } from './refusal.ts';

declare const brand: unique symbol;

export type CommandId = string & { readonly [brand]: 'CommandId' };

/** Names a text as a command's id: at the edges, where texts come in. */
export function commandId(text: string): CommandId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists only for the compiler
  return text as CommandId;
}

/** The row written to the journal before anything is sent. */
export interface CommandDraft {
  readonly lockId: LockId;
  readonly target: BoltPosition;
  readonly issuedAt: Instant;
}

/** The service's report on a command, when it is sent or read back. */
export type CommandReading =
  | { readonly state: 'pending'; readonly commandId: CommandId }
  /** `bolt`: the position that the service reports, if any. */
  | { readonly state: 'successful'; readonly commandId: CommandId; readonly bolt?: BoltState }
  | { readonly state: 'failed'; readonly commandId: CommandId; readonly reason: RefusalReason };

/**
 * The outcome of a command. `uncertain`: it may have moved the bolt, and only a reading of the lock settles it, even where
 * the service said that it is over, with a `reason`; `unsent`: it certainly was not processed; `overdue`: still pending when it was given up.
 */
export type CommandOutcome =
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'uncertain'; readonly reason?: RefusalReason }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'overdue' };

/**
 * `preparing`: nothing is sent yet, it waits for the journal, a token and a connection. `sent`: no answer yet. `accepted`:
 * the service follows it. `overdue`: the target follows the truth, the service still calls the lock busy. `uncertain`: it
 * may have been carried out; only a reading of the lock settles it.
 */
export type CommandPhase = 'preparing' | 'sent' | 'accepted' | 'overdue' | 'uncertain';
