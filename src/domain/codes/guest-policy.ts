// The next step for a guest's code on one lock: compares the written, the listed and the wanted code.

import type { Instant } from '../time/instant.ts';
import { type AccessCode, type CodeDraft, draftOf, matchesDraft } from './access-code.ts';
import { reconciled } from './code-machine.ts';
import { codeOn, draftOn, type Guest, type GuestCode, isWantedOn } from './guest.ts';
import {
  attempt,
  CHECKING,
  type GuestFacts,
  type GuestStanding,
  type GuestStep,
  rest,
} from './guest-step.ts';
import { changesTo } from './operation.ts';
import { takeAway } from './removal-policy.ts';

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
