// A command to move a bolt: its draft, what the service says of it, and how it ended.
import type { BoltPosition, BoltState, Instant } from './bolt.ts';
import type { LockId } from './lock.ts';
import type { RefusalReason } from './refusal.ts';

declare const brand: unique symbol;

/** The service's opaque id of a command. */
export type CommandId = string & { readonly [brand]: 'CommandId' };

/** Names a text as a command's id: at the edges, where texts come in. */
export function commandId(text: string): CommandId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand exists only for the compiler
  return text as CommandId;
}

/** What is written to the journal before anything is sent. */
export interface CommandDraft {
  readonly lockId: LockId;
  readonly target: BoltPosition;
  readonly issuedAt: Instant;
}

/** What the service says of a command when it is sent or read back. */
export type CommandReading =
  | { readonly state: 'pending'; readonly commandId: CommandId }
  /** `bolt`: where the service says that the bolt is now, if it says so. */
  | { readonly state: 'successful'; readonly commandId: CommandId; readonly bolt?: BoltState }
  | { readonly state: 'failed'; readonly commandId: CommandId; readonly reason: RefusalReason };

/**
 * How a command ended for us. `uncertain`: it may have moved the bolt, and only the lock can tell, also where the
 * service gives a `reason`; `unsent`: it certainly was not processed; `overdue`: still pending when it was given up.
 */
export type CommandOutcome =
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'uncertain'; readonly reason?: RefusalReason }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'overdue' };

/**
 * `preparing`: nothing has left, it waits for the journal, a token and a connection. `sent`: no answer yet.
 * `accepted`: the service follows it. `overdue`: the target follows the truth, the service still calls the lock busy.
 * `uncertain`: it may have been carried out; only the lock can tell.
 */
export type CommandPhase = 'preparing' | 'sent' | 'accepted' | 'overdue' | 'uncertain';
