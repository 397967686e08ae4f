// How the codes of guests stood when their locks were looked at last. In memory only: what was found holds PINs.
import { speakableName } from '../../domain/access.ts';
import { type CodeDraft, matchesDraft } from '../../domain/access-code.ts';
import { codeOn, type Guest, type GuestCode } from '../../domain/guest.ts';
import { type GuestStanding, sharedWords } from '../../domain/guest-step.ts';
import type { LockId } from '../../domain/lock.ts';
import { isRefusalReason, refusalHandling } from '../../domain/refusal.ts';
import { type Log, oneLine } from '../../support/log.ts';
import type { LockStore } from '../state/lock-store.ts';

export interface GuestStandingsParts {
  readonly store: Pick<LockStore, 'get'>;
  readonly log: Log;
  readonly onChange: () => void;
}

export interface FoundStanding {
  readonly standing: GuestStanding;
  /** The code as it was found; null: there was none. */
  readonly found: CodeDraft | null;
  /** Another number whenever something else was found. */
  readonly revision: number;
}

export class GuestStandings {
  readonly #parts: GuestStandingsParts;
  /** By the guest's id. */
  readonly #known = new Map<string, Map<LockId, FoundStanding>>();
  #lastRevision = 0;

  constructor(parts: GuestStandingsParts) {
    this.#parts = parts;
  }

  of({ id }: Guest, lockId: LockId): FoundStanding | undefined {
    return this.#known.get(id)?.get(lockId);
  }

  /** `found`: left out where nothing was looked for. */
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

  /** The account has that lock no more. */
  noteAway(guests: readonly Guest[], lockId: LockId): void {
    for (const guest of guests) {
      const code = codeOn(guest, lockId);
      if (code !== null) {
        this.note(guest, lockId, { kind: 'away', name: code.awayAs ?? 'A lock' });
      }
    }
  }

  /** The guest has changed: what was found is to be compared anew, on every lock or on that one. */
  drop({ id }: Guest, lockId?: LockId): void {
    if (lockId === undefined) {
      this.#known.delete(id);
    } else {
      this.#known.get(id)?.delete(lockId);
    }
  }

  /** The account has the lock again. */
  dropLock(lockId: LockId): void {
    for (const ofGuest of this.#known.values()) {
      ofGuest.delete(lockId);
    }
  }

  /** A person no longer waits for a lock that the account has no more. */
  sayGivenUp(guest: Guest, lock: string): void {
    this.#warn(lock, `the code of ${named(guest)} is not waited for any more, and may still open this lock.`);
  }

  /** What waits for a person is said: they may not look at the page for weeks. */
  #say(guest: Guest, lockId: LockId, standing: GuestStanding): void {
    const line = standingLine(standing, named(guest));
    if (line !== null) {
      this.#warn(this.#parts.store.get(lockId)?.description.name ?? 'A lock', line);
    }
  }

  #warn(lock: string, line: string): void {
    this.#parts.log.warn(oneLine(`${lock}: ${line}`));
  }
}

function named({ draft }: Guest): string {
  const name = speakableName(draft.name);
  return name === null ? 'a guest' : `the guest "${name}"`;
}

const DECIDE = 'Decide on the Codes page, or with: latchkey guests settle';

function standingLine(standing: GuestStanding, guest: string): string | null {
  switch (standing.kind) {
    case 'differs':
      return `the code of ${guest} was changed elsewhere. ${DECIDE}`;
    case 'removed-elsewhere':
      return `the code of ${guest} was removed elsewhere. ${DECIDE}`;
    case 'look-alike': {
      const known = speakableName(standing.name);
      const code = known === null ? 'a code' : `a code called "${known}"`;
      const still = `${code} ${sharedWords(standing)} is still there`;
      return standing.isLeft
        ? `${still}, as you decided, after ${guest} was removed.`
        : `${guest} was removed, but ${still}. ${DECIDE}`;
    }
    case 'up-to-date':
    case 'on-its-way':
    case 'waiting':
    case 'refused':
    case 'kept':
    case 'ended':
    case 'away':
      return null;
  }
}

/** A rule that the request breaks is looked at anew with every list: only what the service or the lock said can change by asking. */
export function mayTryAgain(standing: GuestStanding, code: GuestCode | null): boolean {
  if (standing.kind !== 'refused') {
    return standing.kind === 'waiting' && standing.retryAt !== null;
  }
  const { reason, words } = standing.failure;
  const wasSaidByThem = code?.setback?.failure.words === words;
  return wasSaidByThem && !(isRefusalReason(reason) && refusalHandling(reason) === 'wrong-request');
}

function sameFind(a: CodeDraft | null, b: CodeDraft | null): boolean {
  return a === null || b === null ? a === b : matchesDraft(a, b);
}
