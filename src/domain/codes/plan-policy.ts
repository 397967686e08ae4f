// The changes that bring a lock's codes to those of a file, and every rule that the file breaks: judged before any is sent.
import { type Message, message } from '../language/message.ts';
import type { LockId } from '../locks/lock.ts';
import { type AccessCode, type AccessCodeId, accessCodeId, type CodeDraft } from './access-code.ts';
import { faultsOfCode, MOST_CODES } from './access-code-policy.ts';
import { codeOn, type Guest } from './guest.ts';
import {
  changeTo,
  inOrder,
  isSameName,
  type OrderFacts,
  type PlannedChange,
  type PlannedCode,
} from './plan-order.ts';

export interface WantedCode {
  /** The place in the file, for sentences: `Line 3`. */
  readonly place: string;
  readonly draft: CodeDraft;
}

export interface PlanFacts extends OrderFacts {
  /** The owners of these codes, by name. Such codes are left alone like read-only ones. */
  readonly guests: ReadonlyMap<AccessCodeId, string>;
  /** How many digits every code must have; null where any number is taken, or none is known. */
  readonly pinLength: number | null;
  /** Codes that the file does not name stay. */
  readonly keepOthers: boolean;
}

/** With faults, nothing of the file may be sent: sentences that name the place, and never digits. */
export type CodePlan =
  | { readonly ok: true; readonly steps: readonly PlannedCode[] }
  | { readonly ok: false; readonly faults: readonly Message[] };

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
    return { ok: false, faults };
  }
  const changes: readonly PlannedChange[] = [
    ...pairing.changes.map(({ wanted: { draft }, code }) => changeTo(code, draft)),
    ...pairing.adds.map(({ draft }) => ({ kind: 'add' as const, draft })),
    ...pairing.removals.map((code) => ({ kind: 'remove' as const, code })),
  ];
  return {
    ok: true,
    steps: [
      ...fixed.map((code) => ({ kind: code.readOnly ? ('read-only' as const) : ('guest' as const), code })),
      ...pairing.unchanged.map((code) => ({ kind: 'unchanged' as const, code })),
      ...inOrder(changes, facts),
    ],
  };
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
    ({ wanted, code }, index) => ({
      wanted,
      code,
      id: accessCodeId(`row ${String(index)}`),
    }),
  );
  const asked = rows.map(({ wanted, id }): AccessCode => ({ ...wanted.draft, id, readOnly: false }));
  const end = [...kept, ...unchanged, ...asked];
  const length = facts.anyLength ? null : (facts.pinLength ?? lengthOf(asked));
  const faults = rows.flatMap(({ wanted: { place, draft }, code, id }) => {
    const judged = code === null ? null : changeTo(code, draft).changes;
    const found = faultsOfCode(draft, { codes: end, variableLength: true, replaces: id, now: facts.now });
    const words = found
      .filter(({ field }) => judged === null || field === 'lock' || judged[field] !== undefined)
      .map((fault) => fault.words);
    return [...words, ...lengthWords(draft, length)].map((sentence) =>
      message('{place}: {sentence}', { place, sentence }),
    );
  });
  return end.length <= MOST_CODES
    ? faults
    : [
        ...faults,
        message('The lock would have {count} codes, and takes {most}.', {
          count: end.length,
          most: MOST_CODES,
        }),
      ];
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

/** A code as the plan saw it: a change names that revision. */
export interface SeenCode extends Pick<AccessCode, 'id' | 'name'> {
  readonly revision: number;
}

export type SeenChange = PlannedChange<SeenCode>;

export type PlannedStep = PlannedCode<SeenCode>;

export interface PlanChoices {
  /** Codes that the file does not name stay. */
  readonly keepOthers: boolean;
  /** The codes of guests are changed as all others. */
  readonly includeGuests: boolean;
}

/** With `faults`, nothing of the file may be sent: sentences that name the place, and never digits. */
export interface LockPlan {
  readonly steps: readonly PlannedStep[];
  readonly faults: readonly Message[];
}

export function planOn(
  lockId: LockId,
  wanted: readonly WantedCode[],
  {
    guests,
    choices: { keepOthers, includeGuests },
    revisionOf,
    ...facts
  }: Omit<PlanFacts, 'guests' | 'keepOthers'> & {
    readonly guests: readonly Guest[];
    readonly choices: PlanChoices;
    readonly revisionOf: (id: AccessCodeId) => number;
  },
): LockPlan {
  const owned = guests.flatMap((guest) => {
    const id = codeOn(guest, lockId)?.codeId ?? null;
    return id === null ? [] : [[id, guest.draft.name] as const];
  });
  const plan = planCodes(wanted, { ...facts, keepOthers, guests: new Map(includeGuests ? [] : owned) });
  const seen = (step: PlannedCode): PlannedStep => {
    if (step.kind === 'add') {
      return step;
    }
    const { id, name } = step.code;
    return { ...step, code: { id, name, revision: revisionOf(id) } };
  };
  return plan.ok ? { steps: plan.steps.map(seen), faults: [] } : { steps: [], faults: plan.faults };
}
