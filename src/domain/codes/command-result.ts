// What the service's word and its list of codes say together of a command that was sent, and the codes that it may leave on one side only.
import { type RefusalHandling, type RefusalReason, refusalHandling } from '../commands/refusal.ts';
import {
  type AccessCode,
  type AccessCodeId,
  hasHiddenPin,
  matchesDraft,
  sameSchedule,
} from './access-code.ts';
import { type CodeFailure, judgedFailure } from './failure.ts';
import { isSpellingOf } from './names.ts';
import type { CodeChanges, CodeRequest, StrayCode } from './operation.ts';

export interface SentCommand {
  readonly request: CodeRequest;
  /** How often it was sent, this time included. */
  readonly sendings: number;
  /** The codes to be removed that were listed then: their absence proves the removal. */
  readonly listed: readonly AccessCodeId[];
  /** The id that the service named for the code while the command was pending. */
  readonly codeId: AccessCodeId | null;
}

export type CodeEnd =
  /** `isConfirmed`: the service confirmed it; otherwise a list alone did. */
  | { readonly kind: 'done'; readonly codeId: AccessCodeId | null; readonly isConfirmed: boolean }
  /** `codeId`: of a code that the service calls added, where its list shows another one under that id. */
  | { readonly kind: 'failed'; readonly failure: CodeFailure; readonly codeId?: AccessCodeId | null };

export type CommandEnd =
  | CodeEnd
  /** It may have happened, and the list decides from now on. Also what is left of a run that was aborted. */
  | { readonly kind: 'unknown' }
  /** Nothing was done at the lock. `failure` null: it was aborted. `waitMs`: how long the service asks to wait. */
  | { readonly kind: 'unsent'; readonly failure: CodeFailure | null; readonly waitMs: number | null };

/** By these the service says that there is no such code to remove. */
const SAYS_GONE: ReadonlySet<RefusalReason> = new Set(['code-id-invalid', 'user-not-on-lock']);

const UNKNOWN: CodeEnd = { kind: 'failed', failure: judgedFailure('outcome-unknown') };

/** After these failures the lock may have stored a code that the service does not list. */
export const MAY_BE_STORED: ReadonlySet<RefusalHandling> = new Set(['passing', 'offline', 'contradiction']);

/** Whether the list shows the requested change; null when it does not. `listed`: the codes to be removed that were listed before. */
export function achieved(
  { request, listed }: Pick<SentCommand, 'request' | 'listed'>,
  codes: readonly AccessCode[],
): Extract<CodeEnd, { readonly kind: 'done' }> | null {
  switch (request.kind) {
    case 'add': {
      const found = codes.find((code) => matchesDraft(code, request.draft));
      return found === undefined ? null : { kind: 'done', codeId: found.id, isConfirmed: false };
    }
    case 'update': {
      const found = codes.find(({ id }) => id === request.codeId);
      return found !== undefined && matchesDraft(found, { ...found, ...request.changes })
        ? { kind: 'done', codeId: found.id, isConfirmed: false }
        : null;
    }
    // The absence of a code that was not listed before proves nothing: only the lock may have it.
    case 'remove':
    case 'remove-all': {
      const isGone = listed.length > 0 && codes.every(({ id }) => !listed.includes(id));
      const codeId = listed.length === 1 ? (listed[0] ?? null) : null;
      return isGone ? { kind: 'done', codeId, isConfirmed: false } : null;
    }
  }
}

/** Whether the list shows the opposite of what the service says was done: hidden digits, or a name spelled in its own way, do not. */
export function listDisagrees(
  { request, listed }: Pick<SentCommand, 'request' | 'listed'>,
  codes: readonly AccessCode[],
  codeId: AccessCodeId | null,
): boolean {
  switch (request.kind) {
    case 'add': {
      const { name, pin, schedule } = request.draft;
      const found =
        codes.find(({ id }) => id === codeId) ?? codes.find((code) => code.name === name || code.pin === pin);
      return found === undefined || !mayHave(found, { pin, schedule });
    }
    case 'update': {
      const found = codes.find(({ id }) => id === request.codeId);
      return found === undefined || !mayHave(found, request.changes);
    }
    case 'remove':
    case 'remove-all':
      return codes.some(({ id }) => listed.includes(id));
  }
}

function mayHave(found: AccessCode, { name, pin, schedule }: CodeChanges): boolean {
  return (
    (name === undefined || isSpellingOf(found.name, name)) &&
    (pin === undefined || hasHiddenPin(found) || pin === found.pin) &&
    (schedule === undefined ||
      found.schedule.kind === 'unrecognised' ||
      sameSchedule(schedule, found.schedule))
  );
}

/** What a refused command comes to. */
export interface Refused {
  /** Null: it failed. */
  readonly end: CodeEnd | null;
  /** The codes that it may have left on one side only. */
  readonly strays: readonly Pick<StrayCode, 'codeId' | 'only'>[];
}

/** `shown`: what the list alone says; null: it does not show the change. */
export function afterRefusal(command: SentCommand, reason: RefusalReason, shown: CodeEnd | null): Refused {
  const { request, listed, codeId } = command;
  const mayBeStored = MAY_BE_STORED.has(refusalHandling(reason));
  if (request.kind === 'add') {
    const isStray = shown === null && mayBeStored && reason !== 'code-not-added' && codeId !== null;
    return { end: shown, strays: isStray ? [{ codeId, only: 'lock' }] : [] };
  }
  if (shown !== null && mayBeStored) {
    // The list is the service's, and the service says that the lock has not done it: a code that is not listed may still open.
    return { end: UNKNOWN, strays: listed.map((id) => ({ codeId: id, only: 'lock' })) };
  }
  if (request.kind === 'remove') {
    return { end: afterRefusedRemoval(command, request.codeId, reason, shown), strays: [] };
  }
  const isOnList = shown === null && request.kind === 'update' && reason === 'user-not-on-lock';
  return { end: shown, strays: isOnList ? [{ codeId: request.codeId, only: 'list' }] : [] };
}

/** A listed code may still open the door, and a list without it proves no removal that was refused (faults#152). */
function afterRefusedRemoval(
  { listed, sendings }: SentCommand,
  codeId: AccessCodeId,
  reason: RefusalReason,
  shown: CodeEnd | null,
): CodeEnd | null {
  if (shown !== null && SAYS_GONE.has(reason)) {
    return shown;
  }
  if (shown === null && listed.length > 0) {
    return reason === 'code-id-invalid' ? UNKNOWN : null;
  }
  if (sendings <= 1) {
    return null;
  }
  // The command before may have removed it, and has where only the lock had it.
  return shown === null && reason === 'code-id-invalid'
    ? { kind: 'done', codeId, isConfirmed: false }
    : UNKNOWN;
}
