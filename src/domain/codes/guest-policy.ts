// The next step for a guest’s code on one lock: compares the written, the listed and the wanted code, and takes away what is to be gone.
import type { Instant } from '../time/instant.ts';
import { absenceStep, UNPROVEN } from './absence.ts';
import {
  type AccessCode,
  type CodeDraft,
  draftOf,
  hasHiddenPin,
  matchesDraft,
  sameSchedule,
} from './access-code.ts';
import { reconciled } from './code-machine.ts';
import {
  codeOn,
  draftOn,
  draftsOn,
  type Guest,
  type GuestCode,
  isWantedOn,
  latestDraftsOn,
  mayAskFor,
  mayStand,
} from './guest.ts';
import {
  attempt,
  CHECKING,
  type GuestFacts,
  type GuestStanding,
  type GuestStep,
  type LookAlike,
  OFFLINE,
  rest,
} from './guest-step.ts';
import { changesTo } from './operation.ts';

export function nextGuestStep(guest: Guest, facts: GuestFacts): GuestStep {
  const isWanted = isWantedOn(guest, facts.lockId, facts.isOwned);
  const draft = draftOn(guest, facts.lockId);
  const codes = facts.codes.filter(({ id }) => !facts.taken.includes(id));
  const code = reconciled(codeOn(guest, facts.lockId), {
    lockId: facts.lockId,
    codes,
    wanted: isWanted ? draft : null,
    now: facts.now,
  });
  const listed = codes.find(({ id }) => id === code.codeId) ?? null;
  if (code.unsettledUntil !== null) {
    return rest(code, { kind: 'waiting', words: CHECKING, retryAt: null, isSettling: true }, listed);
  }
  if (isWanted && guest.isProposed === true) {
    return rest(code, { kind: 'proposed' }, listed);
  }
  return isWanted ? keepTrue(draft, code, listed, facts) : takeAway(draft, code, codes, facts);
}

function keepTrue(
  wanted: CodeDraft,
  code: GuestCode,
  listed: AccessCode | null,
  facts: GuestFacts,
): GuestStep {
  if (listed !== null && matchesDraft(listed, wanted)) {
    return rest(code, { kind: 'up-to-date' }, listed);
  }
  if (listed === null && isOver(wanted, facts.now)) {
    return rest(code, { kind: 'ended' }, listed);
  }
  const isNew = code.written === null && (listed === null || isStoredOtherwise(listed, code));
  const open = isNew ? null : openDifference(wanted, code, listed);
  if (open !== null) {
    return rest(code, open, listed);
  }
  if (listed === null) {
    return attempt(code, { kind: 'add', draft: wanted }, wanted, listed, facts);
  }
  const request = {
    kind: 'update',
    codeId: listed.id,
    changes: changesTo(listed, wanted),
    expected: draftOf(listed),
  } as const;
  return attempt(code, request, wanted, listed, facts);
}

/** The difference that a person has not decided against; null: the guest's values may be written. */
function openDifference(
  wanted: CodeDraft,
  { written, decision }: GuestCode,
  listed: AccessCode | null,
): GuestStanding | null {
  const isOurs = (draft: CodeDraft | null): boolean =>
    listed !== null && draft !== null && matchesDraft(listed, draft);
  if (isOurs(written) || isOurs(wanted)) {
    return null;
  }
  if (decision !== null) {
    return decision.choice === 'keep' ? { kind: 'kept' } : null;
  }
  if (listed === null) {
    return { kind: 'removed-elsewhere' };
  }
  const { name, schedule } = listed;
  const changes = changesTo(listed, wanted);
  const fields = (['name', 'pin', 'schedule'] as const).filter((field) => changes[field] !== undefined);
  return { kind: 'differs', fields, found: { name, schedule } };
}

/** The service stored a new code with other times than were sent. Other digits are a change by somebody else. */
function isStoredOtherwise({ name, pin }: AccessCode, { attempted }: GuestCode): boolean {
  return attempted.some((draft) => draft.name === name && draft.pin === pin);
}

function isOver({ schedule }: CodeDraft, now: Instant): boolean {
  return schedule.kind === 'temporary' && schedule.until <= now;
}

/** A code of the lock that is the guest's, or may be. */
interface Remainder {
  readonly listed: AccessCode;
  /** The lock has the code just as it was written. */
  readonly isAsWritten: boolean;
  readonly has: LookAlike['has'];
}

/** `codes`: the listed codes without those of other guests. */
export function takeAway(
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
  return attempt(code, request, null, listed, facts);
}

/** No list has the code: its removal is sent by id all the same, and it is gone once its absence is proven. */
export function absent(before: GuestCode, facts: GuestFacts): GuestStep {
  const { listedAt, presence, codes } = facts;
  if (!mayStand(before)) {
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
  const known = before.absent ?? UNPROVEN;
  const code = { ...before, absent: { ...known, since: known.since ?? listedAt } };
  const { codeId } = code;
  const hadOtherDigits = new Set(draftsOn(code).map(({ pin }) => pin)).size > 1;
  const step =
    isContradicted(before) && codeId !== null
      ? 'ask'
      : absenceStep(code.absent, listedAt, { mayAsk: mayAskFor(code, codes), hadOtherDigits });
  if (step === 'ask' && codeId !== null) {
    return attempt(code, { kind: 'remove', codeId }, null, null, facts);
  }
  return step === 'proven' ? GONE : rest(code, { kind: 'on-its-way' }, null);
}

/** The list lacks the code, and the service said that the lock did not remove it: only its answer to another removal proves that. */
function isContradicted({ setback }: GuestCode): boolean {
  return setback?.draft === null && setback.failure.reason === 'outcome-unknown';
}

const GONE: GuestStep = { code: null, standing: { kind: 'up-to-date' }, request: null, found: null };

/** Codes that are certainly the guest's come first, then those that open the door. */
function remainders(draft: CodeDraft, code: GuestCode, codes: readonly AccessCode[]): readonly Remainder[] {
  const drafts = draftsOn(code);
  const latest = latestDraftsOn(code);
  const found = codes.flatMap((listed): Remainder | [] => {
    const isOwn = listed.id === code.codeId;
    const isAsWritten =
      drafts.some((one) => matchesDraft(listed, one)) ||
      (isOwn && [...drafts, draft].some((one) => isAs(listed, one)));
    const has = shared(listed, isOwn, drafts, latest);
    return isAsWritten || has !== null ? { listed, isAsWritten, has: has ?? 'id' } : [];
  });
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** As `matchesDraft`, also where the service hides the digits of its list. */
function isAs(listed: AccessCode, draft: CodeDraft): boolean {
  return (
    listed.name === draft.name &&
    (hasHiddenPin(listed) || listed.pin === draft.pin) &&
    sameSchedule(listed.schedule, draft.schedule)
  );
}

function mayOpen({ listed, has }: Remainder): boolean {
  return has === 'digits' || hasHiddenPin(listed);
}

/** `latest`: without former codes, whose names tell nothing any more. */
function shared(
  listed: AccessCode,
  isOwn: boolean,
  drafts: readonly CodeDraft[],
  latest: readonly CodeDraft[],
): LookAlike['has'] | null {
  if (drafts.some(({ pin }) => pin === listed.pin)) {
    return 'digits';
  }
  if (isOwn) {
    return 'id';
  }
  return latest.some(({ name }) => name.toLowerCase() === listed.name.toLowerCase()) ? 'name' : null;
}

function rank({ isAsWritten, has }: Remainder): number {
  return isAsWritten ? 0 : ['digits', 'id', 'name'].indexOf(has) + 1;
}

/** A person has seen it, and wants it removed. */
function isToGo({ listed }: Remainder, { decision }: GuestCode): boolean {
  const seen = decision?.choice === 'overwrite' ? decision.seen : null;
  return seen !== null && matchesDraft(listed, seen);
}
