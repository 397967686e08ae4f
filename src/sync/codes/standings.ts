// The standing of guests' codes when their locks were last looked at. In memory only: found codes hold PINs.

import { type CodeDraft, matchesDraft } from '../../domain/codes/access-code.ts';
import { calledName, codeOn, type Guest, type GuestCode } from '../../domain/codes/guest.ts';
import type { GuestStanding } from '../../domain/codes/guest-step.ts';
import { isRefusalReason, refusalHandling } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { decisionWords } from '../../words/guests.ts';
import { t } from '../../words/translate.ts';
import type { LockStore } from '../locks/lock-store.ts';

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
export function mayTryAgain(standing: GuestStanding, code: GuestCode | null): boolean {
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
