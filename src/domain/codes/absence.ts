// When a removed code counts as gone: by the service's word first. A list that lacks it may be empty or late by a fault.

/** Lists may be empty or late for moments. Two of them this far apart are a reason to ask for the removal by its id, in milliseconds (our choice). */
export const LISTS_APART_MS = 10_000;

/** A list of codes may be wrong for a minute (faults#152). Where nothing else can be asked, lists this far apart are believed, in milliseconds. */
const LONG_LISTS_APART_MS = 70_000;

export interface Absence {
  /** What the service said of the removal by id; null: it was not asked since the code was last listed. */
  readonly said: 'removed' | 'no-such-id' | null;
  /** When the first list without the code was asked for, in monotonic milliseconds of this process; null: none yet. */
  readonly since: number | null;
}

export const UNPROVEN: Absence = { said: null, since: null };

/** `ask`: the removal is to be sent by the code's id, although no list has it. */
export type AbsenceStep = 'proven' | 'ask' | 'look-again';

/**
 * A list lacks the code. `mayAsk`: its id is known, and no other code has it. `hadOtherDigits`: the service's word is about one
 * code, and another one with former digits may be hidden from this list.
 */
export function absenceStep(
  absence: Absence,
  listedAt: number,
  { mayAsk, hadOtherDigits = false }: { readonly mayAsk: boolean; readonly hadOtherDigits?: boolean },
): AbsenceStep {
  if (absence.said === 'removed' && !hadOtherDigits) {
    return 'proven';
  }
  if (listedAt < proofDueAt({ ...absence, since: absence.since ?? listedAt }, mayAsk)) {
    return 'look-again';
  }
  return mayAsk && absence.said === null ? 'ask' : 'proven';
}

/** When the next list can tell more, in monotonic milliseconds. */
export function proofDueAt({ said, since }: Absence, mayAsk: boolean): number {
  return (since ?? 0) + (mayAsk && said === null ? LISTS_APART_MS : LONG_LISTS_APART_MS);
}
