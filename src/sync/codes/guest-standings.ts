// How the codes of guests stood when their locks were looked at last. In memory only: what was found holds PINs.
import { speakableName } from '../../domain/access.ts';
import { type AccessCode, type CodeDraft, matchesDraft } from '../../domain/access-code.ts';
import type { Guest } from '../../domain/guest.ts';
import type { GuestStanding } from '../../domain/guest-policy.ts';
import type { LockId } from '../../domain/lock.ts';
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
  readonly #known = new Map<LockId, Map<string, FoundStanding>>();
  #lastRevision = 0;

  constructor(parts: GuestStandingsParts) {
    this.#parts = parts;
  }

  of({ id }: Guest, lockId: LockId): FoundStanding | undefined {
    return this.#known.get(lockId)?.get(id);
  }

  note(guest: Guest, lockId: LockId, standing: GuestStanding, found: AccessCode | null): void {
    const before = this.of(guest, lockId);
    const isSameFind = before !== undefined && sameFind(before.found, found);
    const revision = isSameFind ? before.revision : ++this.#lastRevision;
    this.#set(guest, lockId, { standing, found, revision });
    if (JSON.stringify(before?.standing) !== JSON.stringify(standing)) {
      this.#say(guest, lockId, standing);
      this.#parts.onChange();
    }
  }

  wait(guest: Guest, lockId: LockId, words: string): void {
    const before = this.of(guest, lockId) ?? { found: null, revision: ++this.#lastRevision };
    this.#set(guest, lockId, { ...before, standing: { kind: 'waiting', words, retryAt: null } });
    this.#parts.onChange();
  }

  /** The guest has changed: what was found is to be compared anew. `lockId`: on that lock alone. */
  drop({ id }: Guest, lockId: LockId | null = null): void {
    for (const [lock, ofLock] of this.#known) {
      if (lockId === null || lock === lockId) {
        ofLock.delete(id);
      }
    }
  }

  forget(lockId: LockId): void {
    this.#known.delete(lockId);
  }

  #set({ id }: Guest, lockId: LockId, found: FoundStanding): void {
    const ofLock = this.#known.get(lockId) ?? new Map<string, FoundStanding>();
    this.#known.set(lockId, ofLock.set(id, found));
  }

  /** A difference waits for a person, who may not look at the page for weeks. */
  #say({ draft }: Guest, lockId: LockId, { kind }: GuestStanding): void {
    if (kind === 'differs' || kind === 'removed-elsewhere') {
      const lock = this.#parts.store.get(lockId)?.description.name ?? 'A lock';
      const name = speakableName(draft.name);
      const code = name === null ? 'the code of a guest' : `the code of the guest "${name}"`;
      const what = kind === 'differs' ? 'changed' : 'removed';
      this.#parts.log.warn(
        oneLine(`${lock}: ${code} was ${what} elsewhere. Decide on the Codes page, or with: latchkey guests`),
      );
    }
  }
}

function sameFind(a: CodeDraft | null, b: CodeDraft | null): boolean {
  return a === null || b === null ? a === b : matchesDraft(a, b);
}
