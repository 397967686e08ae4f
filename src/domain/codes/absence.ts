// When a removed code counts as gone: by the service's word first. A list that lacks it may be empty or late by a fault; what may be left of it is removed, or named.
import {
  type AccessCode,
  type CodeDraft,
  draftOf,
  hasHiddenPin,
  matchesDraft,
  mayMatchDraft,
} from './access-code.ts';
import { type Absence, draftsOn, type GuestCode, latestDraftsOn, mayAskFor, mayBeOnLock } from './guest.ts';
import {
  attempt,
  type GuestFacts,
  type GuestStep,
  type LookAlike,
  OFFLINE,
  rest,
  UP_TO_DATE,
} from './guest-step.ts';

/** Lists may be empty or late for moments. Two of them this far apart are a reason to ask for the removal by its id, in milliseconds (our choice). */
export const LISTS_APART_MS = 10_000;

/** A list of codes may be wrong for a minute (faults#152). Where nothing else can be asked, lists this far apart are believed, in milliseconds. */
const LONG_LISTS_APART_MS = 70_000;

/** When another list can tell more of a code that is to be gone, in monotonic milliseconds; infinity: never. */
export function proofDueAt(code: GuestCode, codes: readonly AccessCode[]): number {
  const since = code.absent?.since ?? Number.POSITIVE_INFINITY;
  return since + (mayAskFor(code, codes) ? LISTS_APART_MS : LONG_LISTS_APART_MS);
}

/** A code of the lock that is the guest's, or may be. */
interface Remainder {
  readonly listed: AccessCode;
  /** The lock has the code just as it was written. */
  readonly isAsWritten: boolean;
  readonly has: LookAlike['has'];
}

/** `codes`: the listed codes without those of other guests. */
export function reconcileUnwanted(
  draft: CodeDraft,
  before: GuestCode,
  codes: readonly AccessCode[],
  facts: GuestFacts,
): GuestStep {
  const found = remainders(draft, before, codes);
  const isLeft = ({ listed }: Remainder): boolean => before.left.some((one) => matchesDraft(listed, one));
  const open = found.find((one) => !isLeft(one));
  // A code that may open the door like the guest's is named for as long as it is listed.
  const shown = open ?? found.find(mayOpen);
  if (shown === undefined) {
    return absent(before, facts);
  }
  const code: GuestCode = { ...before, absent: null };
  const { listed, has } = shown;
  if (open === undefined || !(open.isAsWritten || isToGo(open, before))) {
    return rest(code, { kind: 'look-alike', name: listed.name, has, isLeft: open === undefined }, listed);
  }
  const request = { kind: 'remove', codeId: listed.id, expected: draftOf(listed) } as const;
  return attempt(code, request, listed, facts);
}

/** No list has the code: its removal is sent by id all the same, and it is gone once its absence is proven. */
export function absent(before: GuestCode, facts: GuestFacts): GuestStep {
  const { listedAt, presence, codes } = facts;
  if (!mayBeOnLock(before)) {
    return GONE;
  }
  if (presence === 'missing') {
    // An answer about a lock that the account does not list proves nothing.
    return rest(
      { ...before, absent: null },
      { kind: 'waiting', words: OFFLINE.missing, retryAt: null },
      null,
    );
  }
  const known: Absence = before.absent ?? { said: null, since: null };
  const absence = { ...known, since: known.since ?? listedAt };
  const code = { ...before, absent: absence };
  const { codeId } = code;
  const isDenied = isContradicted(before);
  if (isRemovedAsListed(known) && !hadOtherDigits(code) && !isDenied) {
    return GONE;
  }
  const isDue = listedAt >= proofDueAt(code, codes);
  if (codeId !== null && (isDenied || (isDue && mayAskFor(code, codes)))) {
    return attempt(code, { kind: 'remove', codeId }, null, facts);
  }
  return isDue ? GONE : rest(code, { kind: 'on-its-way' }, null);
}

/** Where lists lacked the code before its removal, another one may have had its id by then: a later list tells. */
function isRemovedAsListed({ said, since }: Absence): boolean {
  return said === 'removed' && since === null;
}

/** The service's word is about one code, and another one with former digits may be hidden from its list. */
function hadOtherDigits(code: GuestCode): boolean {
  return new Set(draftsOn(code).map(({ pin }) => pin)).size > 1;
}

/** The list lacks the code, and the service said that the lock did not remove it: only its answer to another removal proves that. */
function isContradicted({ codeId, setback }: GuestCode): boolean {
  return codeId !== null && setback?.draft === null && setback.failure.reason === 'outcome-unknown';
}

/** Codes that are certainly the guest's come first, then those that open the door. */
function remainders(draft: CodeDraft, code: GuestCode, codes: readonly AccessCode[]): readonly Remainder[] {
  const drafts = draftsOn(code);
  const isWritten = (listed: AccessCode): boolean =>
    drafts.some((one) => matchesDraft(listed, one)) ||
    (listed.id === code.codeId && [...drafts, draft].some((one) => mayMatchDraft(listed, one)));
  const found = codes.flatMap((listed): Remainder | [] => {
    const has = shared(listed, code);
    return has === null ? [] : { listed, isAsWritten: isWritten(listed), has };
  });
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function shared(listed: AccessCode, code: GuestCode): LookAlike['has'] | null {
  if (draftsOn(code).some(({ pin }) => pin === listed.pin)) {
    return 'digits';
  }
  if (listed.id === code.codeId) {
    return 'id';
  }
  // The names of former codes tell nothing any more.
  const isNamed = latestDraftsOn(code).some(({ name }) => name.toLowerCase() === listed.name.toLowerCase());
  return isNamed ? 'name' : null;
}

function mayOpen({ listed, has }: Remainder): boolean {
  return has === 'digits' || hasHiddenPin(listed);
}

function rank({ isAsWritten, has }: Remainder): number {
  return isAsWritten ? 0 : ['digits', 'id', 'name'].indexOf(has) + 1;
}

/** A person has seen it, and wants it removed. */
function isToGo({ listed }: Remainder, { decision }: GuestCode): boolean {
  const seen = decision?.choice === 'overwrite' ? decision.seen : null;
  return seen !== null && matchesDraft(listed, seen);
}

const GONE: GuestStep = { code: null, standing: UP_TO_DATE, request: null, found: null };
