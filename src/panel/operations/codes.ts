// The panel's operations on access codes: list, show one, check, add, change, remove, and how it goes.
import { z } from 'zod';
import { accessCodeId, WEEKDAYS } from '../../domain/codes/access-code.ts';
import type { AccountRuntime } from '../../engine/account-runtime.ts';
import { nothing, oneLock, pageRows } from './operation.ts';

export type { CodeAnswer, LockCodes } from '../../engine/codes/access-codes.ts';

export interface CodeOperationParts {
  readonly runtime: Pick<AccountRuntime, 'codes'>;
  /** Throws `not-owner` unless this process owns the account. */
  readonly assertOwned: () => void;
  /** Throws `bad-configuration`, which names the missing credentials. */
  readonly assertCallable: () => void;
}

/** Longer texts are refused by the rules of a code, which name the limit; this bounds the work (our choice). */
const text = () => z.string().max(256);
const instant = () => z.number().min(0).max(8_640_000_000_000_000);

const schedule = () =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('always') }),
    z.object({ kind: z.literal('temporary'), from: instant(), until: instant() }),
    z.object({
      kind: z.literal('recurring'),
      windows: z.array(z.object({ days: z.array(z.enum(WEEKDAYS)), from: text(), until: text() })).max(20),
    }),
  ]);

/** Dots alone lead out of the codes of a lock. */
const code = () =>
  z
    .string()
    .regex(/^(?!\.{1,2}$)/u)
    .min(1)
    .max(256)
    .transform(accessCodeId);
export const codeDraft = () => z.object({ name: text(), pin: text(), schedule: schedule() });
export const codeChanges = () =>
  z.object({
    name: text().exactOptional(),
    pin: text().exactOptional(),
    schedule: schedule().exactOptional(),
  });
const oneCode = () => oneLock().extend({ code: code() });
/** The revision of the code that the person saw; left out, the change touches only the named members. */
const revision = () => z.number().int().exactOptional();
const planned = () =>
  oneLock().extend({
    wanted: z.array(z.object({ place: text(), draft: codeDraft() })).max(1_000),
    keepOthers: z.boolean(),
    includeGuests: z.boolean(),
  });
const seenCode = () => z.object({ id: code(), name: text(), revision: z.number().int() });
const plannedChange = () =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), draft: codeDraft() }),
    z.object({ kind: z.literal('change'), code: seenCode(), changes: codeChanges() }),
    z.object({ kind: z.literal('remove'), code: seenCode() }),
  ]);
const checked = () => oneLock().extend({ code: code().nullable().default(null), values: codeChanges() });

/** A row that needs the service. */
const calling = pageRows(({ assertOwned, assertCallable, runtime: { codes } }: CodeOperationParts) => {
  assertOwned();
  assertCallable();
  return codes;
});
const known = pageRows(({ runtime: { codes } }: CodeOperationParts) => codes);

/** Inputs hold PINs; answers do not, but for `codes.reveal`. */
export const CODE_OPERATIONS = {
  'codes.list': calling('reads', oneLock, async (codes, { lock }) => codes.list(lock)),
  /** The digits of one code, for a person who asked to see them. */
  'codes.reveal': calling('reads', oneCode, async (codes, { lock, code: id }) => ({
    pin: await codes.reveal(lock, id),
  })),
  /** The rules that these values would break; `code`: the one that they change. */
  'codes.check': calling('reads', checked, async (codes, { lock, code: id, values }) => ({
    faults: await codes.check(lock, values, id),
  })),
  /** What brings the codes of a lock to those of a file. Nothing is sent. */
  'codes.plan': calling('reads', planned, async (codes, { lock, wanted, ...choices }) =>
    codes.plan(lock, wanted, choices),
  ),
  /** Begins with what a plan says: each change once the one before it is done. `revision`: of the code in the plan. */
  'codes.carry-out': calling(
    'changes',
    () => oneLock().extend({ steps: z.array(plannedChange()).max(1_000) }),
    async (codes, { lock, steps }) => codes.carryOut(lock, steps),
  ),
  'codes.add': calling(
    'changes',
    () => oneLock().extend({ draft: codeDraft() }),
    async (codes, { lock, draft: wanted }) => codes.add(lock, wanted),
  ),
  'codes.update': calling(
    'changes',
    () => oneCode().extend({ changes: codeChanges(), revision: revision() }),
    async (codes, { lock, code: id, changes: wanted, revision: seen }) =>
      codes.update(lock, id, wanted, seen),
  ),
  'codes.remove': calling(
    'changes',
    () => oneCode().extend({ revision: revision() }),
    async (codes, { lock, code: id, revision: seen }) => codes.remove(lock, id, seen),
  ),
  'codes.clear': calling('changes', oneLock, async (codes, { lock }) => codes.removeAll(lock)),
  /** The rules of every lock for codes, as far as they are known. */
  'codes.rules': known('reads', nothing, (codes) => codes.rules()),
  /** Operations under way and the latest that ended, the oldest first. Events of type `code-operation` follow them. */
  'codes.operations': known('reads', nothing, (codes) => codes.operations()),
};
