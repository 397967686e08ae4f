// A command to move a bolt, from the wish to its end.
import type { BoltPosition, Instant } from './bolt.ts';
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
  | { readonly state: 'successful'; readonly commandId: CommandId }
  | { readonly state: 'failed'; readonly commandId: CommandId; readonly reason: RefusalReason };

/**
 * How a command ended for us. `uncertain`: it may have happened and nobody will ever tell; `unsent`: it certainly
 * never reached the service; `overdue`: still pending when nobody could wait any longer.
 */
export type CommandOutcome =
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'uncertain' }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'overdue' };
