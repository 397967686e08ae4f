// A requested change of a lock's access codes, from the request to its end.

import type { CommandId } from '../commands/command.ts';
import type { Message } from '../language/message.ts';
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import { type AccessCodeId, type CodeDraft, sameSchedule } from './access-code.ts';
import type { CodeFailure } from './failure.ts';

/** The members of a code that change; absent ones stay. */
export type CodeChanges = { readonly [Member in keyof CodeDraft]?: CodeDraft[Member] };

/** The members that turn one code into another. */
export function changesTo(from: CodeDraft, { name, pin, schedule }: CodeDraft): CodeChanges {
  return {
    ...(from.name === name ? {} : { name }),
    ...(from.pin === pin ? {} : { pin }),
    ...(sameSchedule(from.schedule, schedule) ? {} : { schedule }),
  };
}

/** `expected`: the code that the person saw. When the lock has another one by now, nothing is sent. */
export type CodeRequest =
  | { readonly kind: 'add'; readonly draft: CodeDraft }
  | {
      readonly kind: 'update';
      readonly codeId: AccessCodeId;
      readonly changes: CodeChanges;
      readonly expected?: CodeDraft;
    }
  | { readonly kind: 'remove'; readonly codeId: AccessCodeId; readonly expected?: CodeDraft }
  /** `codeIds`: the codes that the person saw. Codes that appear later are never removed with them. */
  | { readonly kind: 'remove-all'; readonly codeIds: readonly AccessCodeId[] };

/** The one code that a request names by its id, or null. */
export function codeIdIn(request: CodeRequest): AccessCodeId | null {
  return 'codeId' in request ? request.codeId : null;
}

/** Whether a list proves the end by what it lacks. */
export function isRemoval({ request: { kind } }: Pick<CodeOperation, 'request'>): boolean {
  return kind === 'remove' || kind === 'remove-all';
}

/** A command that was sent, with an outcome that is not known yet. */
export interface CodeSending {
  readonly at: Instant;
  readonly commandId: CommandId | null;
  /** The id that the service named for the code while the command was pending. */
  readonly codeId: AccessCodeId | null;
  /** The codes to be removed that were listed then: their absence proves the removal. */
  readonly listed: readonly AccessCodeId[];
}

/** An unfinished operation, as it survives a crash. It holds the PIN, so it is stored as a secret and erased at its end. */
export interface CodeOperation {
  readonly id: string;
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly requestedAt: Instant;
  /** How often the operation sent a command. */
  readonly sendings: number;
  readonly sending: CodeSending | null;
}

/**
 * `queued`: behind another operation of the same lock. `waiting`: the service or the lock is not ready. `sent`: the lock is
 * working. `checking`: the outcome is not known, and the list of codes settles it.
 */
export type CodePhase = 'queued' | 'waiting' | 'sent' | 'checking' | 'done' | 'failed';

/** Where an operation stands. It never holds a PIN. */
export interface CodeProgress {
  readonly id: string;
  readonly lockId: LockId;
  readonly kind: CodeRequest['kind'];
  /** Null while the service has not named a new code, and for all codes. */
  readonly codeId: AccessCodeId | null;
  /** The name of the code; null where it is not known. */
  readonly name: string | null;
  readonly requestedAt: Instant;
  readonly phase: CodePhase;
  /** The reason for waiting, in words; null in every other phase. */
  readonly waitingFor: Message | null;
  /** Null unless it failed. */
  readonly failure: CodeFailure | null;
}

export function hasEnded({ phase }: Pick<CodeProgress, 'phase'>): boolean {
  return phase === 'done' || phase === 'failed';
}

/** A code that only the lock or only the cloud has. It can be removed by its id. */
export interface StrayCode {
  readonly codeId: AccessCodeId;
  readonly name: string | null;
  /** `lock`: the lock may have it, and the list does not. `list`: the list has it, and the lock does not. */
  readonly only: 'lock' | 'list';
}
