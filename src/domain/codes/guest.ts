// A guest: a person with one code and one schedule, kept on a set of locks.
import type { RefusalReason } from '../commands/refusal.ts';
import { type Message, message } from '../language/message.ts';
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import {
  type AccessCode,
  type AccessCodeId,
  accessCodeId,
  type CodeDraft,
  type CodeSchedule,
  draftOf,
  hasHiddenPin,
  matchesDraft,
  sameSchedule,
} from './access-code.ts';
import { type CodeFault, faultsOfCode, MOST_CODES } from './access-code-policy.ts';
import type { CodeFailure } from './failure.ts';
import { faultOfCall, isSpellingOf } from './names.ts';
import type { CodeChanges, CodeRequest, SingleChange } from './operation.ts';

export interface Absence {
  /** What the service said of the removal by id; null: it was not asked since the code was last listed. */
  readonly said: 'removed' | 'no-such-id' | null;
  /** When the first list without the code was asked for, in monotonic milliseconds of this process; null: none yet. */
  readonly since: number | null;
}

/** `all`: every lock that the account owns, also those that are added later. */
export type GuestLocks = 'all' | readonly LockId[];

/** The state of a guest's code on one lock. It holds PINs, as the guest does. */
export interface GuestCode {
  readonly lockId: LockId;
  readonly codeId: AccessCodeId | null;
  /** The code as the lock last had it as the guest's; null before. */
  readonly written: CodeDraft | null;
  /** The codes that were sent since then and may be stored: each may open the door until a list shows the guest's code. */
  readonly attempted: readonly CodeDraft[];
  /** Former codes of the guest: another code on the lock may have their digits. */
  readonly former: readonly CodeDraft[];
  /** The code that was sent last, until a list shows the result. `draft` null: its removal. */
  readonly sending: { readonly draft: CodeDraft | null } | null;
  /** Until this instant the operation may still take effect; null: it cannot. */
  readonly unsettledUntil: Instant | null;
  readonly decision: GuestDecision | null;
  readonly setback: GuestSetback | null;
  /** Where the code is to be removed: how far its absence is proven; null: it is there, or was not looked for. */
  readonly absent: Absence | null;
  /** Codes that a person left on the lock although the guest is being removed. */
  readonly left: readonly CodeDraft[];
  /** The name of a lock that has left the account; null while the account has it. */
  readonly awayAs: string | null;
}

/** A person's decision about a difference. It holds only while the lock has the code that the person saw. */
export interface GuestDecision {
  readonly choice: 'keep' | 'overwrite';
  /** Null: the code was gone. */
  readonly seen: CodeDraft | null;
}

/** A failed operation. The same one is not sent again before `retryAt`; null: before something changes. */
export interface GuestSetback {
  readonly failure: CodeFailure;
  /** Null: the removal of the code. */
  readonly draft: CodeDraft | null;
  readonly retryAt: Instant | null;
  /** How often the operation has failed in a row. */
  readonly tries: number;
}

/** The booked stay that keeps a guest; `calendar` is the name of its calendar. */
export interface GuestStay {
  readonly id: string;
  readonly calendar: string;
}

/** The guest comes in between the stays of these calendars alone, at most to that hour (`HH:mm`; null: to the check-in). */
export interface BetweenStays {
  readonly calendars: readonly string[];
  readonly until: string | null;
}

/** The number by which Home knows a guest who was made there, on one lock. */
export interface HomeMark {
  readonly lockId: LockId;
  readonly identifier: number;
}

/** Schedules by lock. */
export type HoursOn = Readonly<Record<LockId, CodeSchedule>>;

/** Whether the same locks have the same hours. */
export function sameHours(a: HoursOn, b: HoursOn): boolean {
  const others = new Map(Object.entries<CodeSchedule>(b));
  const own = Object.entries<CodeSchedule>(a);
  return (
    own.length === others.size &&
    own.every(([id, schedule]) => {
      const other = others.get(id);
      return other !== undefined && sameSchedule(schedule, other);
    })
  );
}

export interface Guest {
  readonly id: string;
  /** The code that every lock should have. */
  readonly draft: CodeDraft;
  /** What people call the guest; absent: as the code is called. */
  readonly called?: string;
  readonly locks: GuestLocks;
  /** The guest was removed, and stays known until the last code is gone. */
  readonly isLeaving: boolean;
  /** Counts the changes that a person makes. */
  readonly revision: number;
  readonly codes: readonly GuestCode[];
  /** The hours of single locks where they differ from those of the draft; absent: none do. */
  readonly hoursOn?: HoursOn;
  /** The row is of a single change, and no guest. */
  readonly single?: SingleChange;
  /** Absent: a person keeps the guest. */
  readonly stay?: GuestStay;
  /** Absent: a person chooses the hours. */
  readonly between?: BetweenStays;
  /** Absent: the guest was not made in Home. */
  readonly home?: HomeMark;
  /** The guest stands in a file that is older than the locks: nothing lets them in before a person confirms it. */
  readonly isProposed?: true;
}

export function asProposal(guest: Guest): Guest {
  return { ...guest, isProposed: true };
}

/** A person has confirmed the guest: where the code is missing, it was removed after the file was written, and comes back. */
export function confirmed(guest: Guest): Guest {
  const { isProposed: _isProposed, ...others } = guest;
  return { ...others, codes: guest.codes.map(asConfirmed) };
}

function asConfirmed(code: GuestCode): GuestCode {
  return { ...code, decision: { choice: 'overwrite', seen: null }, setback: null };
}

export function calledName({ called, draft }: Pick<Guest, 'called' | 'draft'>): string {
  return called ?? draft.name;
}

/** The code that this lock should have. */
export function draftOn({ draft, hoursOn }: Pick<Guest, 'draft' | 'hoursOn'>, lockId: LockId): CodeDraft {
  const schedule = hoursOn?.[lockId];
  return schedule === undefined ? draft : { ...draft, schedule };
}

export function isWantedOn({ locks, isLeaving }: Guest, lockId: LockId, isOwned: boolean): boolean {
  return !isLeaving && (locks === 'all' ? isOwned : locks.includes(lockId));
}

export function codeOn({ codes }: Guest, lockId: LockId): GuestCode | null {
  return codes.find((code) => code.lockId === lockId) ?? null;
}

/** `code` null: there is nothing left to remember of that lock. */
export function withCodeOn(guest: Guest, lockId: LockId, code: GuestCode | null): Guest {
  const others = guest.codes.filter((known) => known.lockId !== lockId);
  return { ...guest, codes: code === null || isBlank(code) ? others : [...others, code] };
}

/** No code was ever sent to that lock, or refused by it. */
function isBlank(code: GuestCode): boolean {
  return !mayBeOnLock(code) && code.decision === null && code.setback === null;
}

/** Whether the removal of a code that no list has is to be asked for: nothing was said of it yet, its id is known, and nothing else may have it. */
export function mayAskFor({ codeId, left, absent }: GuestCode, codes: readonly AccessCode[]): boolean {
  const isSaid = absent !== null && absent.said !== null;
  return !isSaid && codeId !== null && left.length === 0 && codes.every(({ id }) => id !== codeId);
}

/** Whether a code of the guest is on that lock, or may be. */
export function mayBeOnLock(code: GuestCode): boolean {
  return code.codeId !== null || code.sending !== null || draftsOn(code).length > 0;
}

/** All codes that were written to the lock, or may have been. */
export function draftsOn(code: GuestCode): readonly CodeDraft[] {
  return [...latestDraftsOn(code), ...code.former];
}

/** The same without the former codes. */
export function latestDraftsOn({ written, attempted }: GuestCode): readonly CodeDraft[] {
  return written === null ? attempted : [written, ...attempted];
}

/**
 * A listed code as the service confirmed it: a list that hides the digits says nothing about them, and one that spells the name in
 * its own way shows the same name. What a change may have made since without a word of the service is not known.
 */
export function withConfirmedValues(listed: AccessCode, code: GuestCode | null): AccessCode {
  if (code === null || code.written === null || listed.id !== code.codeId) {
    return listed;
  }
  const { written, attempted } = code;
  const isCertain = (member: 'name' | 'pin'): boolean =>
    attempted.every((draft) => draft[member] === written[member]);
  return {
    ...listed,
    name: isSpellingOf(listed.name, written.name) && isCertain('name') ? written.name : listed.name,
    pin: hasHiddenPin(listed) && isCertain('pin') ? written.pin : listed.pin,
  };
}

/** The guest is to be removed from every lock; a lock that got no code needs no removal. */
export function leaving(guest: Guest): Guest {
  return { ...guest, isLeaving: true, codes: guest.codes.filter(mayBeOnLock).map(unwanted) };
}

/** The guest gets another set of locks: locks outside of the new set lose the code. */
export function movedTo(guest: Guest, locks: GuestLocks): Guest {
  const stays = (id: LockId): boolean => locks === 'all' || locks.includes(id);
  const codes = guest.codes.map((code) => (stays(code.lockId) ? code : unwanted(code)));
  return { ...guest, locks, codes };
}

/**
 * The new lock has the place of the old one. `isAway`: the old one has left the account, and nothing can be removed from it.
 * `others`: all guests. If one of them has the same number in Home on the new lock, this guest loses the number.
 */
export function onNewLock(
  guest: Guest,
  old: LockId,
  by: LockId,
  { isAway, others }: { readonly isAway: boolean; readonly others: readonly Guest[] },
): Guest {
  const place = (id: LockId): LockId => (id === old ? by : id);
  const locks = guest.locks === 'all' ? guest.locks : [...new Set(guest.locks.map(place))];
  const moved = guest.locks === 'all' ? guest : movedTo(guest, locks);
  const codes = isAway ? moved.codes.filter(({ lockId }) => lockId !== old) : moved.codes;
  const { hoursOn, home, ...rest } = moved;
  const hours = Object.entries(hoursOn ?? {}).map(
    ([id, schedule]) => [id === old ? by : id, schedule] as const,
  );
  const isTaken = others.some(
    (other) => other.home?.lockId === by && other.home.identifier === home?.identifier,
  );
  const isInHome = home !== undefined && !(home.lockId === old && isTaken);
  return {
    ...rest,
    codes,
    ...(hoursOn === undefined ? {} : { hoursOn: Object.fromEntries(hours) }),
    ...(isInHome ? { home: { ...home, lockId: place(home.lockId) } } : {}),
  };
}

/** A decision about a wanted code does not apply to its removal. */
function unwanted(code: GuestCode): GuestCode {
  return { ...code, decision: null, absent: null, left: [] };
}

/** Whether a code on a lock is that of one of the `others`. Digits tell more than ids, which the service may give anew. */
export function isOfOthers(
  listed: AccessCode,
  guest: Guest,
  others: readonly Guest[],
  { lockId, isOwned }: { readonly lockId: LockId; readonly isOwned: boolean },
): boolean {
  const own = codeOn(guest, lockId);
  const drafts = [...(own === null ? [] : draftsOn(own)), draftOn(guest, lockId)];
  if (listed.id === own?.codeId && drafts.some((draft) => matchesDraft(listed, draft))) {
    return false;
  }
  const hasOwnDigits = drafts.some(({ pin }) => pin === listed.pin);
  const isAsOwn = drafts.some((draft) => matchesDraft(listed, draft));
  return others.some((other) => {
    const code = codeOn(other, lockId);
    const theirs = [
      // What another guest had once may be this one's by now.
      ...(code === null ? [] : isAsOwn ? latestDraftsOn(code) : draftsOn(code)),
      ...(isWantedOn(other, lockId, isOwned) ? [draftOn(other, lockId)] : []),
    ];
    return (
      theirs.some((draft) => matchesDraft(listed, draft)) || (listed.id === code?.codeId && !hasOwnDigits)
    );
  });
}

/** The rules that a guest breaks alone or beside the others, for the members that are judged. */
export function faultsOfGuest(
  { id, draft, called, locks, between }: Pick<Guest, 'id' | 'draft' | 'called' | 'locks' | 'between'>,
  judged: CodeChanges,
  { others: all, now }: { readonly others: readonly Guest[]; readonly now: Instant },
): readonly CodeFault[] {
  const beside = all.filter((other) => !other.isLeaving && other.id !== id && overlap(other.locks, locks));
  const facts = { codes: beside.map(asCode), variableLength: true, replaces: null, now };
  const name = faultOfCall(called ?? draft.name, beside.map(calledName));
  // The other guests are on different locks, so their number says nothing about any one lock (faults#118).
  const others = faultsOfCode(draft, facts).filter(({ field }) => field === 'pin' || field === 'schedule');
  const reported = [...(name === null ? [] : [name]), ...others]
    .filter(({ field }) => field !== 'lock' && judged[field] !== undefined)
    .map(({ field, reason, words }) => ({ field, reason, words: WORDS[reason] ?? words }));
  // Between stays, a guest has no lock while no hours are known.
  if (locks.length === 0) {
    return between === undefined ? [...reported, NO_LOCK] : reported;
  }
  return mostOnOneLock(locks, beside) >= MOST_CODES ? [...reported, LOCK_FULL] : reported;
}

/** The number of other guests on the fullest of these locks. A lock that none of them names has only the guests of all locks. */
function mostOnOneLock(locks: GuestLocks, others: readonly Guest[]): number {
  const onAll = others.filter((other) => other.locks === 'all').length;
  const named =
    locks === 'all' ? others.flatMap((other) => (other.locks === 'all' ? [] : other.locks)) : locks;
  const counts = [...new Set(named)].map(
    (id) => others.filter((other) => other.locks !== 'all' && other.locks.includes(id)).length,
  );
  return onAll + Math.max(0, ...counts);
}

const LOCK_FULL: CodeFault = {
  field: 'lock',
  reason: 'code-not-added',
  words: message('One of the locks already has {most} guests. Remove one first.', { most: MOST_CODES }),
};

const NO_LOCK: CodeFault = {
  field: 'lock',
  reason: 'values-invalid',
  words: message('Choose at least one lock.'),
};

const WORDS: Readonly<Partial<Record<RefusalReason, Message>>> = {
  'code-exists': message('Another guest has this code. Choose a different one.'),
  'code-subset-in-use': message(
    'The shorter code of another guest begins the same way. Choose a different one.',
  ),
  'code-superset-in-use': message(
    'The longer code of another guest begins with these digits. Choose a different one.',
  ),
};

function asCode({ id, draft }: Guest): AccessCode {
  return { id: accessCodeId(id), readOnly: false, ...draft };
}

function overlap(some: GuestLocks, others: GuestLocks): boolean {
  return some === 'all' || others === 'all' || some.some((id) => others.includes(id));
}

/** The row of a single change, on the one lock that it names. */
export type SingleRow = Guest & { readonly single: SingleChange };

/** `name`: of the code; null where it is not known. */
export function rowOfSingle(id: string, single: SingleChange, name: string | null): SingleRow {
  const unnamed: CodeDraft = { name: name ?? '', pin: '', schedule: { kind: 'unrecognised' } };
  const draft = wantedBy(single.request, null) ?? unnamed;
  return { id, draft, locks: [single.lockId], isLeaving: false, revision: 0, codes: [], single };
}

export function isSingle(row: Guest): row is SingleRow {
  return row.single !== undefined;
}

/** What the code is to be; null: gone. */
export function wantedBy(request: CodeRequest, found: CodeDraft | null): CodeDraft | null {
  return request.kind === 'add'
    ? request.draft
    : request.kind === 'update' && found !== null
      ? { ...draftOf(found), ...request.changes }
      : null;
}

/** What is left of a change after one of its commands is done; null: nothing. */
export function leftAfter(single: SingleChange, sent: CodeRequest): SingleChange | null {
  const { request, sendings } = single;
  if (request.kind !== 'remove-all' || sent.kind !== 'remove') {
    return null;
  }
  const codeIds = request.codeIds.filter((id) => id !== sent.codeId);
  return { ...single, request: { ...request, codeIds }, sendings: sendings - 1 };
}
