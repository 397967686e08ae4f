// The access codes of each lock as last listed, in memory only: PINs are secrets. Events say when to list again.
import type { AccessCode } from '../../domain/access-code.ts';
import type { AccessCodeGateway } from '../../domain/code-ports.ts';
import type { Lock, LockId } from '../../domain/lock.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';

export interface CodeListsParts {
  readonly codes: { readonly gateway: AccessCodeGateway; readonly zoneOf: (id: LockId) => string };
  readonly clock: Clock;
  readonly log: Log;
  readonly isAnnounced: () => boolean;
  readonly onChange: (id: LockId) => void;
}

export interface ListedCodes {
  readonly codes: readonly AccessCode[];
  /** In monotonic milliseconds. */
  readonly askedAt: number;
}

interface Entry extends ListedCodes {
  readonly outdated: boolean;
}

/** While webhooks arrive, a list without an event stays true for so long, in milliseconds (our choice). */
const TRUSTED_MS = 15 * 60_000;

/** Without webhooks a list is shown for so long, in milliseconds: one visit of a page asks several times (our choice). */
const SHOWN_MS = 5_000;

/** Events of one change come together: one listing follows them after this time, in milliseconds (our choice). */
const SETTLES_IN_MS = 750;

export class CodeLists {
  readonly #parts: CodeListsParts;
  readonly #entries = new Map<LockId, Entry>();
  readonly #underWay = new Map<LockId, Promise<ListedCodes>>();
  readonly #timers = new Map<LockId, CancelTimer>();
  /** How often a list was doubted: the answer to an older question is outdated when it comes. */
  readonly #doubts = new Map<LockId, number>();

  constructor(parts: CodeListsParts) {
    this.#parts = parts;
  }

  /** The list as far as it is known to be true, without asking; null when it has to be read. */
  current(id: LockId): ListedCodes | null {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.outdated) {
      return null;
    }
    const goodForMs = this.#parts.isAnnounced() ? TRUSTED_MS : SHOWN_MS;
    return this.#parts.clock.monotonic() - entry.askedAt < goodForMs ? entry : null;
  }

  /** The list; asks the service only when it may have changed. Rejects with retry, wait, relink or final. */
  async list(id: LockId): Promise<ListedCodes> {
    return this.current(id) ?? this.#underWay.get(id) ?? this.read(id);
  }

  /** Asks the service now. Rejects as `list` does. */
  async read(id: LockId): Promise<ListedCodes> {
    const reading = this.#read(id);
    this.#underWay.set(id, reading);
    try {
      return await reading;
    } finally {
      if (this.#underWay.get(id) === reading) {
        this.#underWay.delete(id);
      }
    }
  }

  async #read(id: LockId): Promise<ListedCodes> {
    const { gateway, zoneOf } = this.#parts.codes;
    const askedAt = this.#parts.clock.monotonic();
    const doubts = this.#doubts.get(id) ?? 0;
    const codes = await gateway.codes(id, zoneOf(id));
    const before = this.#entries.get(id);
    // A slow answer must not replace one that was asked for later.
    if (before !== undefined && before.askedAt > askedAt) {
      return { codes, askedAt };
    }
    this.#entries.set(id, { codes, askedAt, outdated: (this.#doubts.get(id) ?? 0) > doubts });
    if (before !== undefined && JSON.stringify(before.codes) !== JSON.stringify(codes)) {
      this.#parts.onChange(id);
    }
    return { codes, askedAt };
  }

  /** The codes may have changed. A list that was asked for before is read again soon. */
  outdate(id: LockId): void {
    this.#doubt(id);
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return;
    }
    this.#entries.set(id, { ...entry, outdated: true });
    if (!this.#timers.has(id)) {
      const cancel = this.#parts.clock.after(SETTLES_IN_MS, () => {
        this.#timers.delete(id);
        void this.#readAgain(id);
      });
      this.#timers.set(id, cancel);
    }
  }

  /** Events may have been missed: every list is read again when it is asked for. */
  doubtAll(): void {
    for (const [id, entry] of this.#entries) {
      this.#doubt(id);
      this.#entries.set(id, { ...entry, outdated: true });
    }
  }

  /** Whoever asks from now on is not given the answer to a question from before. */
  #doubt(id: LockId): void {
    this.#doubts.set(id, (this.#doubts.get(id) ?? 0) + 1);
    this.#underWay.delete(id);
  }

  forget(id: LockId): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    this.#entries.delete(id);
  }

  dispose(): void {
    for (const id of this.#entries.keys()) {
      this.forget(id);
    }
  }

  async #readAgain(id: LockId): Promise<void> {
    if (this.#entries.get(id)?.outdated !== true) {
      return;
    }
    try {
      await this.read(id);
    } catch (error) {
      // It stays outdated, so the next question reads it.
      this.#parts.log.debug(`The access codes of a lock could not be read: ${messageOf(error)}`);
    }
  }
}

/** Codes of different lengths show it where the service does not say. */
export function takesAnyLength(lock: Lock | undefined, codes: readonly AccessCode[]): boolean {
  return lock?.device?.variableLengthCodes ?? new Set(codes.map(({ pin }) => pin.length)).size > 1;
}
