// The next step of an operation on access codes, from the codes that the lock has to those that it should have.

import type { Instant } from '../time/instant.ts';
import { LISTS_APART_MS } from './absence.ts';
import {
  type AccessCode,
  type AccessCodeId,
  type CodeDraft,
  hasHiddenPin,
  matchesDraft,
  sameSchedule,
} from './access-code.ts';
import { type CodeFault, faultsOfCode } from './access-code-policy.ts';
import { type CodeFailure, type JudgedReason, judgedFailure } from './failure.ts';
import type { CodeChanges, CodeOperation, CodeRequest } from './operation.ts';
import type { CodeCommand } from './ports.ts';

/**
 * A command without a known outcome may take effect for this long after it was sent, in milliseconds: a service may hold it for
 * a minute (wire contract 12), and a lock works on it for a minute (wire contract 3). Only then is its absence proven.
 */
export const SETTLED_AFTER_MS = 125_000;

/** A command is sent this often at most (our choice), each time because the last one certainly did nothing. */
const MOST_SENDINGS = 5;

export interface CodeStepFacts {
  readonly codes: readonly AccessCode[];
  readonly variableLength: boolean;
  readonly now: Instant;
}

export type CodeEnd =
  /** `isConfirmed`: the service confirmed it; otherwise a list alone did. */
  | { readonly kind: 'done'; readonly codeId: AccessCodeId | null; readonly isConfirmed: boolean }
  /** `codeId`: of a code that the service calls added, where its list shows another one under that id. */
  | { readonly kind: 'failed'; readonly failure: CodeFailure; readonly codeId?: AccessCodeId | null };

/** `look-again`: a command may still take effect, so nothing is sent, and the list is read again soon. */
export type CodeStep =
  | CodeEnd
  | { readonly kind: 'look-again' }
  | { readonly kind: 'send'; readonly command: CodeCommand; readonly listed: readonly AccessCodeId[] };

export function nextCodeStep(operation: CodeOperation, facts: CodeStepFacts): CodeStep {
  const { sending } = operation;
  const done = achieved(operation, facts.codes);
  // That the list lacks a code proves nothing: its removal is sent again, until the service says that it is gone.
  const isAskedAgain = done !== null && operation.request.kind === 'remove';
  if (done !== null && !isAskedAgain) {
    return done;
  }
  if (sending !== null && facts.now < sending.at + (isAskedAgain ? LISTS_APART_MS : SETTLED_AFTER_MS)) {
    return { kind: 'look-again' };
  }
  if (operation.sendings >= MOST_SENDINGS) {
    return failed('outcome-unknown');
  }
  return commandFor(operation.request, facts);
}

/** Whether the list shows the requested change; null when it does not. */
export function achieved(
  { request, sending }: Pick<CodeOperation, 'request' | 'sending'>,
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
      const listed = sending?.listed ?? [];
      const isGone = listed.length > 0 && codes.every(({ id }) => !listed.includes(id));
      const codeId = listed.length === 1 ? (listed[0] ?? null) : null;
      return isGone ? { kind: 'done', codeId, isConfirmed: false } : null;
    }
  }
}

/** Whether the list shows the opposite of what the service says was done: hidden digits, or a name spelled in its own way, do not. */
export function listDisagrees(
  { request, sending }: Pick<CodeOperation, 'request' | 'sending'>,
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
      return codes.some(({ id }) => sending?.listed.includes(id) === true);
  }
}

function mayHave(found: AccessCode, { name, pin, schedule }: CodeChanges): boolean {
  return (
    (name === undefined || name === found.name) &&
    (pin === undefined || hasHiddenPin(found) || pin === found.pin) &&
    (schedule === undefined ||
      found.schedule.kind === 'unrecognised' ||
      sameSchedule(schedule, found.schedule))
  );
}

function failed(reason: JudgedReason): CodeEnd {
  return { kind: 'failed', failure: judgedFailure(reason) };
}

function commandFor(request: CodeRequest, facts: CodeStepFacts): CodeStep {
  const { codes } = facts;
  switch (request.kind) {
    case 'add': {
      const [fault] = faultsOfCode(request.draft, { ...facts, replaces: null });
      return fault === undefined
        ? { kind: 'send', command: { kind: 'add', draft: request.draft }, listed: [] }
        : { kind: 'failed', failure: fault };
    }
    case 'update':
      return updateCommand(request, facts);
    case 'remove': {
      const found = codes.find(({ id }) => id === request.codeId);
      if (found !== undefined && !isAsExpected(found, request.expected)) {
        return failed('changed-meanwhile');
      }
      if (found?.readOnly === true) {
        return failed('read-only');
      }
      // A list without the code may be wrong: the removal is sent all the same (faults#152).
      const listed = found === undefined ? [] : [found.id];
      return { kind: 'send', command: { kind: 'remove', codeId: request.codeId }, listed };
    }
    case 'remove-all': {
      const listed = codes.filter(({ readOnly }) => !readOnly).map(({ id }) => id);
      return listed.every((id) => request.codeIds.includes(id))
        ? { kind: 'send', command: { kind: 'remove-all' }, listed }
        : failed('changed-meanwhile');
    }
  }
}

function updateCommand(
  { codeId, changes, expected }: Extract<CodeRequest, { readonly kind: 'update' }>,
  facts: CodeStepFacts,
): CodeStep {
  const found = facts.codes.find(({ id }) => id === codeId);
  if (found === undefined) {
    return failed('code-id-invalid');
  }
  if (!isAsExpected(found, expected)) {
    return failed('changed-meanwhile');
  }
  if (found.readOnly) {
    return failed('read-only');
  }
  const [fault] = faultsOfChange(found, changes, facts);
  return fault === undefined
    ? { kind: 'send', command: { kind: 'update', codeId, changes }, listed: [] }
    : { kind: 'failed', failure: fault };
}

function isAsExpected(found: AccessCode, expected: CodeDraft | undefined): boolean {
  return expected === undefined || matchesDraft(found, expected);
}

/** The rules that a change breaks. An unchanged member was accepted before, and is not judged again. */
export function faultsOfChange(
  code: AccessCode,
  changes: CodeChanges,
  facts: CodeStepFacts,
): readonly CodeFault[] {
  const faults = faultsOfCode({ ...code, ...changes }, { ...facts, replaces: code.id });
  return faults.filter(({ field }) => field === 'lock' || changes[field] !== undefined);
}
