// A requested change of a lock's access codes, and how it stands until its end.
import type { Message } from '../language/message.ts';
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import { type AccessCode, type AccessCodeId, type CodeDraft, sameSchedule } from './access-code.ts';
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

export type RequestOf<Kind extends CodeRequest['kind']> = Extract<CodeRequest, { readonly kind: Kind }>;

/** The one code that a request names by its id, or null. */
export function codeIdIn(request: CodeRequest): AccessCodeId | null {
  return 'codeId' in request ? request.codeId : null;
}

/** The name that a request gives to a code, or null. */
export function nameIn(request: CodeRequest): string | null {
  return request.kind === 'add'
    ? request.draft.name
    : request.kind === 'update'
      ? (request.changes.name ?? null)
      : null;
}

/** The listed codes that a request removes: their absence will prove it. */
export function removedBy(request: CodeRequest, codes: readonly AccessCode[]): readonly AccessCode[] {
  return codes.filter(({ id, readOnly }) =>
    request.kind === 'remove' ? id === request.codeId : request.kind === 'remove-all' && !readOnly,
  );
}

/** Whether a list proves the end by what it lacks. */
export function isRemoval({ kind }: CodeRequest): boolean {
  return kind === 'remove' || kind === 'remove-all';
}

/** A single change of one lock's codes: its row stays until the change has ended. */
export interface SingleChange {
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly requestedAt: Instant;
  /** How many of its commands may have taken effect. */
  readonly sendings: number;
  /** The plan that it belongs to: where one of its changes fails, those after it are not begun. Absent: it stands alone. */
  readonly plan?: string;
}

/**
 * `queued`: behind another operation of the same lock. `waiting`: the service or the lock is not ready. `sent`: the lock is
 * working. `checking`: the outcome is not known, and the list of codes settles it.
 */
export type CodePhase = 'queued' | 'waiting' | 'sent' | 'checking' | 'done' | 'failed';

/** How a change stands. It never holds a PIN. */
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
