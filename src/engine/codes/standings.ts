// How guests’ codes stood when their locks were last looked at, and the guests as pages and command line show them. In memory only: found codes hold PINs.
import {
  type AccessCodeId,
  type CodeDraft,
  type CodeSchedule,
  matchesDraft,
} from '../../domain/codes/access-code.ts';
import {
  type BetweenStays,
  calledName,
  codeOn,
  type Guest,
  type GuestCode,
  type GuestLocks,
  type GuestStay,
  type HomeMark,
  type HoursOn,
  isWantedOn,
} from '../../domain/codes/guest.ts';
import type { GuestStanding } from '../../domain/codes/guest-step.ts';
import { isRefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { decisionWords } from '../../words/guests.ts';
import { t } from '../../words/translate.ts';
import type { LockStore } from '../locks/lock-store.ts';
import type { AccessCodes } from './access-codes.ts';

export interface GuestStandingsParts {
  readonly store: Pick<LockStore, 'get'>;
  readonly log: Log;
  readonly onChange: () => void;
}

export interface FoundStanding {
  readonly standing: GuestStanding;
  /** The found code; null: there was none. */
  readonly found: CodeDraft | null;
  /** A number that changes whenever the found code does. */
  readonly revision: number;
}

export class GuestStandings {
  readonly #parts: GuestStandingsParts;
  readonly #known = new Map<string, Map<LockId, FoundStanding>>();
  #lastRevision = 0;

  constructor(parts: GuestStandingsParts) {
    this.#parts = parts;
  }

  of({ id }: Guest, lockId: LockId): FoundStanding | undefined {
    return this.#known.get(id)?.get(lockId);
  }

  /** `found`: left out where no code was looked for. */
  note(guest: Guest, lockId: LockId, standing: GuestStanding, found?: CodeDraft | null): void {
    const before = this.of(guest, lockId);
    const now = found === undefined ? (before?.found ?? null) : found;
    const isSameFind = before !== undefined && sameFind(before.found, now);
    const revision = isSameFind ? before.revision : ++this.#lastRevision;
    const ofGuest = this.#known.get(guest.id) ?? new Map<LockId, FoundStanding>();
    this.#known.set(guest.id, ofGuest.set(lockId, { standing, found: now, revision }));
    if (JSON.stringify(before?.standing) !== JSON.stringify(standing)) {
      this.#say(guest, lockId, standing);
      this.#parts.onChange();
    }
  }

  noteAway(guests: readonly Guest[], lockId: LockId): void {
    for (const guest of guests) {
      const code = codeOn(guest, lockId);
      if (code !== null) {
        this.note(guest, lockId, { kind: 'away', name: code.awayAs ?? t('A lock') });
      }
    }
  }

  /** The guest has changed: found codes are to be compared anew, on every lock or on that one. */
  drop({ id }: Guest, lockId?: LockId): void {
    if (lockId === undefined) {
      this.#known.delete(id);
    } else {
      this.#known.get(id)?.delete(lockId);
    }
  }

  dropLock(lockId: LockId): void {
    for (const ofGuest of this.#known.values()) {
      ofGuest.delete(lockId);
    }
  }

  sayGivenUp(guest: Guest, lock: string): void {
    this.#warn(
      lock,
      t('the code of {guest} is not waited for any more, and may still open this lock.', {
        guest: named(guest),
      }),
    );
  }

  /** An open question is logged, because the person may not look at the page for weeks. */
  #say(guest: Guest, lockId: LockId, standing: GuestStanding): void {
    const code = standing.kind === 'look-alike' ? speakableName(standing.name) : null;
    const line = decisionWords(standing, { guest: named(guest), code });
    if (line !== null) {
      this.#warn(this.#parts.store.get(lockId)?.description.name ?? t('A lock'), t(line));
    }
  }

  #warn(lock: string, line: string): void {
    this.#parts.log.warn(`${oneLine(lock)}: ${oneLine(line)}`);
  }
}

function named(guest: Guest): Message {
  const name = speakableName(calledName(guest));
  return name === null ? message('a guest') : message('the guest "{name}"', { name });
}

/** A rule that the request breaks is looked at anew with every list: only what the service or the lock said can change by asking. */
function mayTryAgain(standing: GuestStanding, code: GuestCode | null): boolean {
  if (standing.kind !== 'refused') {
    return standing.kind === 'waiting' && standing.retryAt !== null;
  }
  const { reason, words } = standing.failure;
  const wasSaidByThem = JSON.stringify(code?.setback?.failure.words) === JSON.stringify(words);
  return wasSaidByThem && !(isRefusalReason(reason) && refusalHandling(reason) === 'wrong-request');
}

function sameFind(a: CodeDraft | null, b: CodeDraft | null): boolean {
  return a === null || b === null ? a === b : matchesDraft(a, b);
}

export interface GuestOnLock {
  readonly lockId: LockId;
  /** The name of the lock, also of one that has left the account. */
  readonly lockName: string;
  readonly codeId: AccessCodeId | null;
  /** The code is to be gone from that lock. */
  readonly isLeaving: boolean;
  readonly standing: GuestStanding;
  readonly mayRetry: boolean;
  /** Identifies the shown standing: a decision names it. */
  readonly revision: number;
}

export interface GuestView extends Pick<Guest, 'id' | 'locks' | 'isLeaving'>, Pick<CodeDraft, 'schedule'> {
  /** What people call the guest, in any script. */
  readonly name: string;
  /** The name of the guest's code on the locks. */
  readonly nameOnLock: string;
  /** The hours of single locks where they differ; absent: none do. */
  readonly hoursOn?: HoursOn;
  /** The guest comes in between the stays of these calendars; absent: a person chooses the hours. */
  readonly between?: BetweenStays;
  /** Home knows the guest by this; absent: it does not. */
  readonly home?: HomeMark;
  readonly pinLength: number;
  /** Changes with each change that a person makes: a change names the revision that the person saw. */
  readonly revision: number;
  readonly onLocks: readonly GuestOnLock[];
  /** The guest lets nobody in before a person confirms it: the file is older than the locks. */
  readonly isProposed: boolean;
  /** The booked stay that keeps this guest; null: a person does. Removing the guest skips the stay. */
  readonly stay: GuestStay | null;
  /** The zone in which the schedule is shown: that of the first of these locks. */
  readonly timeZone: string;
}

export interface GuestViewsParts {
  readonly store: Pick<LockStore, 'all' | 'get'>;
  readonly codes: Pick<AccessCodes, 'zoneOf'>;
  readonly standings: GuestStandings;
}

const AWAY = message('a lock that is away');
const NOT_CHECKED = message('Checking the lock’s codes …');

export class GuestViews {
  readonly #parts: GuestViewsParts;

  constructor(parts: GuestViewsParts) {
    this.#parts = parts;
  }

  lockWords(locks: GuestLocks): string | Message {
    if (locks === 'all') {
      return message('all locks');
    }
    return locks
      .map((id): string | Message => this.#parts.store.get(id)?.description.name ?? AWAY)
      .reduce((before, name) => message('{before} and {name}', { before, name }));
  }

  of(guest: Guest): GuestView {
    const { id, draft, locks, isLeaving, revision, stay = null } = guest;
    const isProposed = guest.isProposed === true && !isLeaving;
    const onLocks = [
      ...this.#parts.store.all().map((lock) => this.#onLock(guest, lock)),
      ...guest.codes.map((code) => this.#onAway(guest, code)),
    ].filter((one) => one !== null);
    const { pin } = draft;
    const first = onLocks[0]?.lockId ?? this.#parts.store.all()[0]?.id;
    const timeZone = first === undefined ? 'UTC' : this.#parts.codes.zoneOf(first);
    return {
      id,
      name: calledName(guest),
      nameOnLock: draft.name,
      pinLength: pin.length,
      schedule: scheduleOf(guest),
      locks,
      isLeaving,
      isProposed,
      revision,
      onLocks,
      stay,
      timeZone,
      ...(guest.hoursOn === undefined ? {} : { hoursOn: guest.hoursOn }),
      ...(guest.between === undefined ? {} : { between: guest.between }),
      ...(guest.home === undefined ? {} : { home: guest.home }),
    };
  }

  #onLock(guest: Guest, { id: lockId, description }: Lock): GuestOnLock | null {
    const code = codeOn(guest, lockId);
    const isWanted = isWantedOn(guest, lockId, description.role === 'owner');
    if (code === null && !isWanted) {
      return null;
    }
    const known = this.#parts.standings.of(guest, lockId);
    const standing = known?.standing ?? { kind: 'waiting', words: NOT_CHECKED, retryAt: null };
    const codeId = code?.codeId ?? null;
    return {
      lockId,
      lockName: description.name,
      codeId,
      isLeaving: !isWanted,
      standing,
      mayRetry: mayTryAgain(standing, code),
      revision: known?.revision ?? 0,
    };
  }

  /** A lock that has left the account still has its codes: the guest is not gone before that lock was read again. */
  #onAway(guest: Guest, { lockId, awayAs, codeId }: GuestCode): GuestOnLock | null {
    if (this.#parts.store.get(lockId) !== undefined || isWantedOn(guest, lockId, true)) {
      return null;
    }
    const revision = this.#parts.standings.of(guest, lockId)?.revision ?? 0;
    const lockName = awayAs ?? t('A lock');
    return {
      lockId,
      lockName,
      codeId,
      isLeaving: true,
      standing: { kind: 'away', name: lockName },
      mayRetry: false,
      revision,
    };
  }
}

/** Between stays the hours of the locks count, and those of the draft are old. */
function scheduleOf({ between, hoursOn = {}, draft }: Guest): CodeSchedule {
  const [first] = between === undefined ? [] : Object.values<CodeSchedule>(hoursOn);
  return first ?? draft.schedule;
}
