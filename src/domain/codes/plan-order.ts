// The changes that bring a lock's codes to those of a file, and their order: each is valid at its turn, and no code is removed earlier than necessary.

import type { RefusalReason } from '../commands/refusal.ts';
import type { Instant } from '../time/instant.ts';
import { type AccessCode, accessCodeId, type CodeDraft } from './access-code.ts';
import { faultsOfCode, LONGEST_PIN } from './access-code-policy.ts';
import { type CodeChanges, changesTo } from './operation.ts';

/** `Code`: what is known of a code that the lock has. */
export type PlannedChange<Code = AccessCode> =
  | { readonly kind: 'add'; readonly draft: CodeDraft }
  | {
      readonly kind: 'change';
      readonly code: Code;
      readonly changes: CodeChanges;
      /** The code gets other digits for a moment, because two codes swap theirs; a later step ends it. */
      readonly isAside?: true;
    }
  | { readonly kind: 'remove'; readonly code: Code };

export type PlannedCode<Code = AccessCode> =
  | PlannedChange<Code>
  /** Codes that stay as they are: as the file says, or because it does not decide about them. */
  | { readonly kind: 'unchanged' | 'read-only' | 'guest'; readonly code: Code };

/** Whether a step changes something at the lock. */
export function isChange<Step extends Pick<PlannedCode, 'kind'>>(
  step: Step,
): step is Extract<Step, Pick<PlannedChange, 'kind'>> {
  return step.kind === 'add' || step.kind === 'change' || step.kind === 'remove';
}

export function changeTo(code: AccessCode, draft: CodeDraft) {
  return { kind: 'change' as const, code, changes: changesTo(code, draft) };
}

export function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export interface OrderFacts {
  readonly have: readonly AccessCode[];
  /** Whether the lock takes codes of different lengths. */
  readonly anyLength: boolean;
  readonly now: Instant;
  /** A number from 0 up to 1 that cannot be guessed: temporary digits of a code come from it. */
  readonly random: () => number;
}

type Removal = Extract<PlannedChange, { readonly kind: 'remove' }>;
type Writing = Exclude<PlannedChange, Removal>;

interface Turn {
  readonly step: PlannedChange;
  /** The changes that this step completes. */
  readonly settles: readonly PlannedChange[];
}

const NEW = accessCodeId('new');

/** The faults that other codes cause: the values themselves were judged before. */
const CLASHES: ReadonlySet<RefusalReason> = new Set([
  'code-name-exists',
  'code-exists',
  'code-subset-in-use',
  'code-superset-in-use',
  'code-not-added',
]);

/** All of `changes` together must be valid at the end. */
export function inOrder(changes: readonly PlannedChange[], facts: OrderFacts): readonly PlannedChange[] {
  const steps: PlannedChange[] = [];
  let waiting = changes;
  let codes = facts.have;
  while (waiting.length > 0) {
    const writings = waiting.filter((one) => one.kind !== 'remove');
    const removals = waiting.filter((one) => one.kind === 'remove');
    const turn =
      readyWriting(writings, codes, facts) ??
      replacement(writings, removals, codes, facts) ??
      removalInTheWay(writings, removals, facts) ??
      stepAside(waiting, codes, facts);
    if (turn === null) {
      // The lock's own rules decide about the remaining changes.
      return [...steps, ...waiting];
    }
    steps.push(turn.step);
    codes = after(codes, turn.step);
    waiting = waiting.filter((one) => !turn.settles.includes(one));
  }
  return steps;
}

function readyWriting(
  writings: readonly Writing[],
  codes: readonly AccessCode[],
  facts: OrderFacts,
): Turn | null {
  const ready = writings.find((one) => isFree(one, codes, facts));
  return ready === undefined ? null : { step: ready, settles: [ready] };
}

/** A removed code turns into an added one, in one step: the lock never has fewer codes than before or after. */
function replacement(
  writings: readonly Writing[],
  removals: readonly Removal[],
  codes: readonly AccessCode[],
  facts: OrderFacts,
): Turn | null {
  for (const addition of writings.filter((one) => one.kind === 'add')) {
    for (const removal of removals) {
      const step = changeTo(standing(removal.code, codes), addition.draft);
      if (isFree(step, codes, facts)) {
        return { step, settles: [addition, removal] };
      }
    }
  }
  return null;
}

/** Removals come last, except for a code that blocks others while more codes are removed than added. */
function removalInTheWay(
  writings: readonly Writing[],
  removals: readonly Removal[],
  facts: OrderFacts,
): Turn | null {
  const mayGo = removals.length > writings.filter((one) => one.kind === 'add').length;
  const found = removals.find(
    ({ code }) => writings.length === 0 || (mayGo && writings.some((one) => !isFree(one, [code], facts))),
  );
  return found === undefined ? null : { step: found, settles: [found] };
}

/** One of several codes that wait for each other's digits gets temporary digits. */
function stepAside(
  waiting: readonly PlannedChange[],
  codes: readonly AccessCode[],
  facts: OrderFacts,
): Turn | null {
  const writings = waiting.filter((one) => one.kind !== 'remove');
  for (const one of waiting.filter((other) => other.kind !== 'add')) {
    const code = standing(one.code, codes);
    if (writings.some((other) => other !== one && !isFree(other, [code], facts))) {
      const pin = unusedPin(code, [...codes, ...writings.map((other) => draftOf(other, codes))], facts);
      return { step: { kind: 'change', code, changes: { pin }, isAside: true }, settles: [] };
    }
  }
  return null;
}

/** The code as the steps so far have left it. */
function standing(code: AccessCode, codes: readonly AccessCode[]): AccessCode {
  return codes.find(({ id }) => id === code.id) ?? code;
}

/** At most 200 codes of four digits or more are taken, so that the search ends soon. */
function unusedPin({ pin }: AccessCode, taken: readonly CodeDraft[], facts: OrderFacts): string {
  const length = facts.anyLength ? LONGEST_PIN : pin.length;
  const all = 10 ** length;
  const known = taken.map((other) => other.pin).filter((other) => other !== '');
  for (let at = Math.floor(facts.random() * all); ; at = (at + 1) % all) {
    const candidate = String(at).padStart(length, '0');
    if (!known.some((other) => candidate.startsWith(other) || other.startsWith(candidate))) {
      return candidate;
    }
  }
}

/** Whether the lock would accept the code beside these codes. */
function isFree(writing: Writing, codes: readonly AccessCode[], { now }: OrderFacts): boolean {
  const replaces = writing.kind === 'add' ? null : writing.code.id;
  const facts = { codes, variableLength: true, replaces, now };
  return !faultsOfCode(draftOf(writing, codes), facts).some(({ reason }) => CLASHES.has(reason));
}

function draftOf(writing: Writing, codes: readonly AccessCode[]): CodeDraft {
  return writing.kind === 'add' ? writing.draft : { ...standing(writing.code, codes), ...writing.changes };
}

function after(codes: readonly AccessCode[], step: PlannedChange): readonly AccessCode[] {
  switch (step.kind) {
    case 'add':
      return [...codes, { ...step.draft, id: NEW, readOnly: false }];
    case 'change':
      return codes.map((code) => (code.id === step.code.id ? { ...code, ...step.changes } : code));
    case 'remove':
      return codes.filter(({ id }) => id !== step.code.id);
  }
}
