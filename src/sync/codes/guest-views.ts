// Guests as the pages and the command line show them: how the code stands on each lock, and never its digits.
import type { AccessCodeId, CodeDraft, CodeSchedule } from '../../domain/codes/access-code.ts';
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
import { type Message, message } from '../../domain/language/message.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import { t } from '../../words/translate.ts';
import type { LockStore } from '../locks/lock-store.ts';
import type { AccessCodes } from './access-codes.ts';
import { type GuestStandings, mayTryAgain } from './standings.ts';

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
