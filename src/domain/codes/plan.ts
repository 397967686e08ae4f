// The changes that bring a lock’s codes to those of a file: every rule that the file breaks, judged before any is sent, and an order in which each is valid at its turn.
import type { RefusalReason } from '../commands/refusal.ts';
import { type Message, message } from '../language/message.ts';
import type { Instant } from '../time/instant.ts';
import { type AccessCode, type AccessCodeId, accessCodeId, type CodeDraft } from './access-code.ts';
import { faultsOfChange, faultsOfCode, LONGEST_PIN, MOST_CODES } from './access-code-policy.ts';
import { type CodeChanges, changesTo } from './operation.ts';

export interface WantedCode {
  /** The place in the file, for sentences: `Line 3`. */
  readonly place: string;
  readonly draft: CodeDraft;
}

export interface PlanFacts extends OrderFacts {
  /** The codes of guests: they are left alone like read-only ones. */
  readonly guests: ReadonlySet<AccessCodeId>;
  /** How many digits every code must have; null where any number is taken, or none is known. */
  readonly pinLength: number | null;
  /** Codes that the file does not name stay. */
  readonly keepOthers: boolean;
}

/** With faults, nothing of the file may be sent: sentences that name the place, and never digits. */
export interface CodePlan<Code = AccessCode> {
  readonly steps: readonly PlannedCode<Code>[];
  readonly faults: readonly Message[];
}

export interface PlanChoices {
  /** Codes that the file does not name stay. */
  readonly keepOthers: boolean;
  /** The codes of guests are changed as all others. */
  readonly includeGuests: boolean;
}

export function planCodes(wanted: readonly WantedCode[], facts: PlanFacts): CodePlan {
  const fixed = facts.have.filter(({ id, readOnly }) => readOnly || facts.guests.has(id));
  const others = wanted.filter(({ draft }) => !fixed.some((code) => isSameName(draft.name, code.name)));
  const pairing = paired(others, facts, fixed);
  const faults = [
    ...faultsOfDoubles(wanted),
    ...faultsOfFixed(wanted, fixed, facts.guests),
    ...faultsOfValues(pairing, facts),
  ];
  if (faults.length > 0) {
    return { steps: [], faults };
  }
  const changes: readonly PlannedChange[] = [
    ...pairing.changes.map(({ wanted: { draft }, code }) => changeTo(code, draft)),
    ...pairing.adds.map(({ draft }) => ({ kind: 'add' as const, draft })),
    ...pairing.removals.map((code) => ({ kind: 'remove' as const, code })),
  ];
  const steps: readonly PlannedCode[] = [
    ...fixed.map((code) => ({ kind: code.readOnly ? ('read-only' as const) : ('guest' as const), code })),
    ...pairing.unchanged.map((code) => ({ kind: 'unchanged' as const, code })),
    ...inOrder(changes, facts),
  ];
  return { steps, faults };
}

/** The rows of the file beside the codes of the lock with their names. `kept`: codes that the file does not decide about. */
function paired(
  wanted: readonly WantedCode[],
  { have, keepOthers }: PlanFacts,
  fixed: readonly AccessCode[],
) {
  const free = have.filter((code) => !fixed.includes(code));
  const pairs = free.flatMap((code) => {
    const found = wanted.find(({ draft }) => isSameName(draft.name, code.name));
    return found === undefined ? [] : [{ wanted: found, code }];
  });
  const isSame = ({ wanted: { draft }, code }: (typeof pairs)[number]): boolean =>
    Object.keys(changeTo(code, draft).changes).length === 0;
  const unnamed = free.filter((code) => !pairs.some((pair) => pair.code === code));
  return {
    unchanged: pairs.filter(isSame).map(({ code }) => code),
    changes: pairs.filter((pair) => !isSame(pair)),
    adds: wanted.filter((one) => !pairs.some((pair) => pair.wanted === one)),
    removals: keepOthers ? [] : unnamed,
    kept: [...fixed, ...(keepOthers ? unnamed : [])],
  };
}

function faultsOfDoubles(wanted: readonly WantedCode[]): readonly Message[] {
  return wanted.flatMap(({ place, draft }, index) => {
    const first = wanted.slice(0, index).find((other) => isSameName(other.draft.name, draft.name));
    return first === undefined
      ? []
      : [message('{place}: the same lock and name as in {other}.', { place, other: first.place })];
  });
}

function faultsOfFixed(
  wanted: readonly WantedCode[],
  fixed: readonly AccessCode[],
  guests: PlanFacts['guests'],
): readonly Message[] {
  return wanted.flatMap(({ place, draft }) => {
    const code = fixed.find(({ name }) => isSameName(name, draft.name));
    if (code === undefined || Object.keys(changeTo(code, draft).changes).length === 0) {
      return [];
    }
    return [
      guests.has(code.id)
        ? message('{place}: this is a guest’s code. Change it with "{command}", or add {flag}.', {
            place,
            command: 'latchkey guests',
            flag: '--include-guests',
          })
        : message('{place}: this code is read-only. Change it in the lock’s own app, or take the row out.', {
            place,
          }),
    ];
  });
}

/** Judges each new value beside the codes that the lock would have at the end. Unchanged values were accepted before. */
function faultsOfValues(pairing: ReturnType<typeof paired>, facts: PlanFacts): readonly Message[] {
  const { unchanged, changes, adds, kept } = pairing;
  const rows = [...changes, ...adds.map((wanted) => ({ wanted, code: null }))].map(
    ({ wanted, code }, index) => {
      const id = code?.id ?? accessCodeId(`row ${String(index)}`);
      const asked: AccessCode = { ...wanted.draft, id, readOnly: false };
      return { wanted, code, asked };
    },
  );
  const end = [...kept, ...unchanged, ...rows.map(({ asked }) => asked)];
  const beside = { codes: end, variableLength: true, now: facts.now };
  const length = facts.anyLength ? null : (facts.pinLength ?? lengthOf(rows.map(({ asked }) => asked)));
  const faults = rows.flatMap(({ wanted: { place, draft }, code, asked }) => {
    const found =
      code === null
        ? faultsOfCode(draft, { ...beside, replaces: asked.id })
        : faultsOfChange(code, changesTo(code, draft), beside);
    return [...found.map(({ words }) => words), ...lengthWords(draft, length)].map((sentence) =>
      message('{place}: {sentence}', { place, sentence }),
    );
  });
  const crowd = message('The lock would have {count} codes, and takes {most}.', {
    count: end.length,
    most: MOST_CODES,
  });
  return end.length <= MOST_CODES ? faults : [...faults, crowd];
}

/** The length cannot change while the lock has codes: each of them would have to be gone before the first new one. */
function lengthWords({ pin }: CodeDraft, length: number | null): readonly Message[] {
  return length === null || pin.length === length || !PIN.test(pin)
    ? []
    : [message('All codes on this lock must have the same number of digits. Use {length}.', { length })];
}

function lengthOf(codes: readonly CodeDraft[]): number | null {
  return codes.find(({ pin }) => PIN.test(pin))?.pin.length ?? null;
}

const PIN = /^\d{4,8}$/;

/** A code as the plan saw it, of that revision: a change of another one is refused. */
export interface SeenCode extends Pick<AccessCode, 'id' | 'name'> {
  readonly revision: number;
}

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

export type SeenChange = PlannedChange<SeenCode>;

export type PlannedStep = PlannedCode<SeenCode>;

/** Whether a step changes something at the lock. */
export function isChange<Step extends Pick<PlannedCode, 'kind'>>(
  step: Step,
): step is Extract<Step, Pick<PlannedChange, 'kind'>> {
  return step.kind === 'add' || step.kind === 'change' || step.kind === 'remove';
}

function changeTo(code: AccessCode, draft: CodeDraft) {
  return { kind: 'change' as const, code, changes: changesTo(code, draft) };
}

function isSameName(a: string, b: string): boolean {
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

type Change = Extract<PlannedChange, { readonly kind: 'change' }>;
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
function inOrder(changes: readonly PlannedChange[], facts: OrderFacts): readonly PlannedChange[] {
  const steps: PlannedChange[] = [];
  let waiting = changes;
  let codes = facts.have;
  while (waiting.length > 0) {
    const turn = nextTurn(waiting, codes, facts);
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

/** What is possible now, else what makes it so: a code in the way goes early where more go than come, or gets other digits for a while. */
function nextTurn(
  waiting: readonly PlannedChange[],
  codes: readonly AccessCode[],
  facts: OrderFacts,
): Turn | null {
  const writings = waiting.filter((one) => one.kind !== 'remove');
  const removals = waiting.filter((one) => one.kind === 'remove');
  const adds = writings.filter((one) => one.kind === 'add');
  const turns = [
    ...writings.map((step) => ({ step, settles: [step] })),
    // A removed code turns into an added one, in one step: the lock never has fewer codes than before or after.
    ...adds.flatMap((add) =>
      removals.map((one) => ({
        step: changeTo(latest(one.code, codes), add.draft),
        settles: [add, one],
      })),
    ),
  ];
  const turn = turns.find(({ step }) => isFree(step, codes, facts));
  if (turn !== undefined) {
    return turn;
  }
  const isInTheWay = (one: Removal | Change): boolean =>
    writings.some((other) => other !== one && !isFree(other, [latest(one.code, codes)], facts));
  const blocker = [...removals, ...writings.filter((one) => one.kind === 'change')].find(isInTheWay);
  const removal = writings.length === 0 ? removals[0] : blocker;
  if (removal?.kind === 'remove' && removals.length > adds.length) {
    return { step: removal, settles: [removal] };
  }
  if (blocker === undefined) {
    return null;
  }
  const code = latest(blocker.code, codes);
  const pin = unusedPin(code, [...codes, ...writings.map((other) => draftOf(other, codes))], facts);
  return { step: { kind: 'change', code, changes: { pin }, isAside: true }, settles: [] };
}

/** The code as the steps so far have left it. */
function latest(code: AccessCode, codes: readonly AccessCode[]): AccessCode {
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
  return writing.kind === 'add' ? writing.draft : { ...latest(writing.code, codes), ...writing.changes };
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
