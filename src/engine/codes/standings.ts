// How guests’ codes stood when their locks were last looked at, and the guests as pages and command line show them. In memory only: found codes hold PINs.
import type { AccessCodeId, CodeDraft } from '../../domain/codes/access-code.ts';
import {
  calledName,
  codeOn,
  type Guest,
  type GuestCode,
  type GuestLocks,
  type GuestStay,
  isWantedOn,
} from '../../domain/codes/guest.ts';
import { type GuestStanding, hasCode } from '../../domain/codes/guest-step.ts';
import { isRefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { decisionWords } from '../../words/guests.ts';
import { t } from '../../words/translate.ts';
import type { LockStore } from '../locks/lock-store.ts';
import type { AccessCodes } from './access-codes.ts';
import { revisionOf } from './lists.ts';

export interface GuestStandingsParts {
  readonly store: Pick<LockStore, 'all' | 'get'>;
  readonly codes: Pick<AccessCodes, 'zoneOf'>;
  readonly log: Log;
  readonly onChange: () => void;
}

export interface FoundStanding {
  readonly standing: GuestStanding;
  /** The found code; null: there was none. */
  readonly found: CodeDraft | null;
  /** Differs for another found code, and where the guest or the kind of the standing has changed. */
  readonly revision: number;
}

export class GuestStandings {
  readonly #parts: GuestStandingsParts;
  readonly #known = new Map<string, Map<LockId, FoundStanding>>();

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
    const revision = revisionOf(now, guest.revision, guest.isLeaving, standing.kind);
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
        this.note(guest, lockId, awayStanding(code));
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

  lockWords(locks: GuestLocks): string | Message {
    if (locks === 'all') {
      return message('all locks');
    }
    return locks
      .map((id): string | Message => this.#parts.store.get(id)?.description.name ?? AWAY)
      .reduce((before, name) => message('{before} and {name}', { before, name }));
  }

  view(guest: Guest): GuestView {
    const { called: _called, single: _single, draft, codes, stay = null, isProposed, ...shown } = guest;
    const [first] = shown.between === undefined ? [] : Object.values(shown.hoursOn ?? {});
    const lockIds = this.#parts.store.all().map(({ id }) => id);
    const onLocks = [...new Set([...lockIds, ...codes.map(({ lockId }) => lockId)])]
      .map((lockId) => this.#onLock(guest, lockId))
      .filter((one) => one !== null);
    const zoned = onLocks[0]?.lockId ?? lockIds[0];
    return {
      ...shown,
      name: calledName(guest),
      nameOnLock: draft.name,
      pinLength: draft.pin.length,
      // Between stays the hours of the locks count, and those of the draft are old.
      schedule: first ?? draft.schedule,
      isProposed: isProposed === true && !guest.isLeaving,
      onLocks,
      stay,
      timeZone: zoned === undefined ? 'UTC' : this.#parts.codes.zoneOf(zoned),
    };
  }

  #onLock(guest: Guest, lockId: LockId): GuestOnLock | null {
    const lock = this.#parts.store.get(lockId);
    const code = codeOn(guest, lockId);
    const isAway = lock === undefined;
    const isWanted = isWantedOn(guest, lockId, isAway || lock.description.role === 'owner');
    // A lock that has left the account still has its codes: a guest is not gone before that lock was read again.
    if (isAway ? isWanted : code === null && !isWanted) {
      return null;
    }
    const known = this.of(guest, lockId);
    const standing = isAway ? awayStanding(code) : (known?.standing ?? NOT_CHECKED);
    return {
      lockId,
      lockName: lock?.description.name ?? awayName(code),
      codeId: code?.codeId ?? null,
      isLeaving: !isWanted,
      standing,
      mayRetry: mayTryAgain(standing, code),
      revision: known?.revision ?? 0,
    };
  }
}

const AWAY = message('a lock that is away');
const NOT_CHECKED: GuestStanding = {
  kind: 'waiting',
  words: message('Checking the lock’s codes …'),
  retryAt: null,
};

function awayName(code: GuestCode | null): string {
  return code?.awayAs ?? t('A lock');
}

function awayStanding(code: GuestCode | null): GuestStanding {
  return { kind: 'away', name: awayName(code) };
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

export interface GuestView
  extends Pick<Guest, 'id' | 'locks' | 'isLeaving' | 'hoursOn' | 'between' | 'home'>,
    Pick<CodeDraft, 'schedule'> {
  /** What people call the guest, in any script. */
  readonly name: string;
  /** The name of the guest's code on the locks. */
  readonly nameOnLock: string;
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

/** A door that a guest is to open, for the message to the guest. */
export interface GuestDoor {
  readonly name: string;
  readonly isReady: boolean;
}

export function doorsOfGuest(guest: Pick<GuestView, 'onLocks'>): readonly GuestDoor[] {
  return wantedOnLocks(guest).map((on) => ({ name: on.lockName, isReady: hasCode(on) }));
}

export function wantedOnLocks({ onLocks }: Pick<GuestView, 'onLocks'>): GuestView['onLocks'] {
  return onLocks.filter(({ isLeaving }) => !isLeaving);
}
