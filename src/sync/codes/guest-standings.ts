// How the codes of guests stood when their locks were looked at last. In memory only: what was found holds PINs.
import { speakableName } from '../../domain/access.ts';
import { type CodeDraft, matchesDraft } from '../../domain/access-code.ts';
import type { Guest, GuestCode } from '../../domain/guest.ts';
import type { GuestStanding } from '../../domain/guest-policy.ts';
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

  /** The guest has changed: what was found is to be compared anew, on every lock or on that one. */
  drop({ id }: Guest, lockId?: LockId): void {
    if (lockId === undefined) {
      this.#known.delete(id);
    } else {
      this.#known.get(id)?.delete(lockId);
    }
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
