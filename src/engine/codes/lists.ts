// The access codes of each lock as last listed, in memory only: PINs are secrets. Events say when to list again, and revisions whether a code is still the one that a person saw.
import { type AccessCode, type CodeDraft, draftKey } from '../../domain/codes/access-code.ts';
import type { AccessCodeGateway } from '../../domain/codes/ports.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { markOf } from '../../support/secure-digits.ts';
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

/** What is known of the codes of one lock. Requests and doubts are numbered: an answer holds if it was requested after the last doubt. */
interface Known {
  latest: (CodeListing & { readonly turn: number }) | null;
  underWay: Promise<CodeListing> | null;
  doubtedIn: number;
  cancel: CancelTimer | null;
}

/** While webhooks arrive, a list without an event counts as true for this long, in milliseconds (our choice). */
const TRUSTED_MS = 15 * 60_000;

/** Without webhooks a list is reused for this long, in milliseconds: one visit of a page reads it several times (our choice). */
const SHOWN_MS = 5_000;

/** Several events follow one change: one listing comes this long after the first, in milliseconds (our choice). */
const SETTLES_IN_MS = 750;

export class CodeLists {
  readonly #parts: CodeListsParts;
  readonly #known = new Map<LockId, Known>();
  #lastTurn = 0;

  constructor(parts: CodeListsParts) {
    this.#parts = parts;
    this.#listen(parts.bus);
  }

  #of(id: LockId): Known {
    const known = this.#known.get(id) ?? { latest: null, underWay: null, doubtedIn: 0, cancel: null };
    this.#known.set(id, known);
    return known;
  }

  /** The list if it is known to be true without a call; null when it has to be read. */
  current(id: LockId): CodeListing | null {
    const { latest, doubtedIn } = this.#of(id);
    const { clock, webhooks } = this.#parts;
    const goodForMs = webhooks.health === 'healthy' ? TRUSTED_MS : SHOWN_MS;
    const isGood =
      latest !== null && latest.turn > doubtedIn && clock.monotonic() - latest.askedAt < goodForMs;
    return isGood ? latest : null;
  }

  /** The latest list, however old; null: none yet. */
  last(id: LockId): CodeListing | null {
    return this.#of(id).latest;
  }

  /** The list; calls the service only when it may have changed. Rejects with retry, wait, relink or final. */
  async list(id: LockId): Promise<CodeListing> {
    return this.current(id) ?? this.#of(id).underWay ?? this.read(id);
  }

  /** Calls the service now. Rejects as `list` does. */
  async read(id: LockId): Promise<CodeListing> {
    const known = this.#of(id);
    const reading = this.#read(id, known);
    known.underWay = reading;
    try {
      return await reading;
    } finally {
      known.underWay = known.underWay === reading ? null : known.underWay;
    }
  }

  async #read(id: LockId, known: Known): Promise<CodeListing> {
    const { gateway, zoneOf } = this.#parts.codes;
    const askedAt = this.#parts.clock.monotonic();
    const turn = ++this.#lastTurn;
    const codes = await gateway.codes(id, zoneOf(id));
    const before = known.latest;
    // A slow answer must not replace one that was requested later.
    if (before === null || before.turn < turn) {
      known.latest = { codes, askedAt, turn };
      if (before !== null && JSON.stringify(before.codes) !== JSON.stringify(codes)) {
        this.#parts.bus.publish({ type: 'codes-changed', id });
      }
    }
    return { codes, askedAt };
  }

  /** The codes may have changed. A list that was asked for before is read again soon. */
  outdate(id: LockId): void {
    this.doubt(id);
    const known = this.#of(id);
    if (known.latest !== null) {
      known.cancel ??= this.#parts.clock.after(SETTLES_IN_MS, () => {
        known.cancel = null;
        void this.#readAgain(id, known);
      });
    }
  }

  /** Later callers do not share the answer to an earlier request. */
  doubt(id: LockId): void {
    const known = this.#of(id);
    known.doubtedIn = ++this.#lastTurn;
    known.underWay = null;
  }

  #forget(id: LockId): void {
    const known = this.#of(id);
    known.cancel?.();
    known.cancel = null;
    known.latest = null;
  }

  dispose(): void {
    for (const id of this.#known.keys()) {
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
      // Events may have been missed: every list is read again when it is asked for.
      bus.on(type, () => {
        for (const id of this.#known.keys()) {
          this.doubt(id);
        }
      });
    }
    bus.on('lock-removed', ({ id }) => this.#forget(id));
  }

  async #readAgain(id: LockId, { latest, doubtedIn }: Known): Promise<void> {
    if (latest !== null && latest.turn < doubtedIn) {
      try {
        await this.read(id);
      } catch (error) {
        // The list stays doubted, so the next caller reads it.
        this.#parts.log.debug(`The access codes of a lock could not be read: ${messageOf(error)}`);
      }
    }
  }
}

/** A number that another code, or whatever else is named beside it, would not have: whoever names it has seen just that. */
export function revisionOf(
  code: CodeDraft | null,
  ...beside: readonly (string | number | boolean)[]
): number {
  return markOf(JSON.stringify([code === null ? null : draftKey(code), ...beside]));
}
