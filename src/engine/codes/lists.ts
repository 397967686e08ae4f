// The access codes of each lock as last listed, in memory only: PINs are secrets. Events say when to list again, and revisions whether a code is still the one that a person saw.
import { type AccessCode, type AccessCodeId, matchesDraft } from '../../domain/codes/access-code.ts';
import type { AccessCodeGateway } from '../../domain/codes/ports.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import type { EventBus } from '../locks/event-bus.ts';
import type { WebhookMonitor } from '../webhooks/monitor.ts';

export interface CodeListsParts {
  readonly codes: { readonly gateway: AccessCodeGateway; readonly zoneOf: (id: LockId) => string };
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Pick<EventBus, 'publish' | 'on'>;
  readonly webhooks: Pick<WebhookMonitor, 'health'>;
}

/** A list of codes, and when it was asked for, in monotonic milliseconds. */
export interface CodeListing {
  readonly codes: readonly AccessCode[];
  readonly askedAt: number;
}

interface Entry extends CodeListing {
  readonly turn: number;
  /** The codes as text, by which lists are compared. */
  readonly text: string;
}

/** While webhooks arrive, a list without an event counts as true for this long, in milliseconds (our choice). */
const TRUSTED_MS = 15 * 60_000;

/** Without webhooks a list is reused for this long, in milliseconds: one visit of a page reads it several times (our choice). */
const SHOWN_MS = 5_000;

/** Several events follow one change: one listing comes this long after the first, in milliseconds (our choice). */
const SETTLES_IN_MS = 750;

export class CodeLists {
  readonly #parts: CodeListsParts;
  readonly #entries = new Map<LockId, Entry>();
  readonly #underWay = new Map<LockId, Promise<CodeListing>>();
  readonly #timers = new Map<LockId, CancelTimer>();
  /** Requests and doubts are numbered: an answer holds if it was requested after the last doubt of its lock. */
  #lastTurn = 0;
  readonly #doubtedIn = new Map<LockId, number>();

  constructor(parts: CodeListsParts) {
    this.#parts = parts;
    this.#listen(parts.bus);
  }

  /** The list if it is known to be true without a call; null when it has to be read. */
  current(id: LockId): CodeListing | null {
    const entry = this.#entries.get(id);
    if (entry === undefined || this.#isDoubted(id, entry)) {
      return null;
    }
    const goodForMs = this.#parts.webhooks.health === 'healthy' ? TRUSTED_MS : SHOWN_MS;
    return this.#parts.clock.monotonic() - entry.askedAt < goodForMs ? entry : null;
  }

  /** The latest list, however old; null: none yet. */
  last(id: LockId): CodeListing | null {
    return this.#entries.get(id) ?? null;
  }

  /** The list; calls the service only when it may have changed. Rejects with retry, wait, relink or final. */
  async list(id: LockId): Promise<CodeListing> {
    return this.current(id) ?? this.#underWay.get(id) ?? this.read(id);
  }

  /** Calls the service now. Rejects as `list` does. */
  async read(id: LockId): Promise<CodeListing> {
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

  async #read(id: LockId): Promise<CodeListing> {
    const { gateway, zoneOf } = this.#parts.codes;
    const askedAt = this.#parts.clock.monotonic();
    const turn = ++this.#lastTurn;
    const codes = await gateway.codes(id, zoneOf(id));
    const before = this.#entries.get(id);
    // A slow answer must not replace one that was requested later.
    if (before !== undefined && before.turn > turn) {
      return { codes, askedAt };
    }
    const text = JSON.stringify(codes);
    this.#entries.set(id, { codes, askedAt, turn, text });
    if (before !== undefined && before.text !== text) {
      this.#parts.bus.publish({ type: 'codes-changed', id });
    }
    return { codes, askedAt };
  }

  /** The codes may have changed. A list that was asked for before is read again soon. */
  outdate(id: LockId): void {
    this.doubt(id);
    if (this.#entries.has(id) && !this.#timers.has(id)) {
      const cancel = this.#parts.clock.after(SETTLES_IN_MS, () => {
        this.#timers.delete(id);
        void this.#readAgain(id);
      });
      this.#timers.set(id, cancel);
    }
  }

  /** Events may have been missed: every list is read again when it is asked for. */
  #doubtAll(): void {
    for (const id of this.#entries.keys()) {
      this.doubt(id);
    }
  }

  /** Later callers do not share the answer to an earlier request. */
  doubt(id: LockId): void {
    this.#doubtedIn.set(id, ++this.#lastTurn);
    this.#underWay.delete(id);
  }

  #isDoubted(id: LockId, { turn }: Entry): boolean {
    return (this.#doubtedIn.get(id) ?? 0) > turn;
  }

  #forget(id: LockId): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
    this.#entries.delete(id);
  }

  dispose(): void {
    for (const id of this.#entries.keys()) {
      this.#forget(id);
    }
  }

  #listen(bus: CodeListsParts['bus']): void {
    bus.on('event-received', ({ event }) => {
      if (event.type === 'code-added' || event.type === 'code-updated' || event.type === 'code-deleted') {
        this.outdate(event.lockId);
      }
    });
    for (const type of ['gap', 'suspended', 'unverified-received', 'webhooks-changed'] as const) {
      bus.on(type, () => this.#doubtAll());
    }
    bus.on('lock-removed', ({ id }) => this.#forget(id));
  }

  async #readAgain(id: LockId): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined || !this.#isDoubted(id, entry)) {
      return;
    }
    try {
      await this.read(id);
    } catch (error) {
      // The list stays doubted, so the next caller reads it.
      this.#parts.log.debug(`The access codes of a lock could not be read: ${messageOf(error)}`);
    }
  }
}

interface Numbered {
  readonly code: AccessCode;
  readonly revision: number;
}

type Revisions = ReadonlyMap<AccessCodeId, Numbered>;

export class CodeRevisions {
  readonly #known = new Map<LockId, Revisions>();
  #last: number;

  /** Counted from the time of the start: a number of an earlier process means nothing here. */
  constructor(clock: Pick<Clock, 'now'>) {
    this.#last = Math.round(clock.now());
  }

  of(lockId: LockId, codes: readonly AccessCode[]): Revisions {
    const before = this.#known.get(lockId);
    const now = codes.map((code): Numbered => {
      const known = before?.get(code.id);
      return known !== undefined && matchesDraft(known.code, code) ? known : { code, revision: ++this.#last };
    });
    const byId = new Map(now.map((one) => [one.code.id, one]));
    this.#known.set(lockId, byId);
    return byId;
  }
}
