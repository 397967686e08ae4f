// Which process owns the account: one row that its holder keeps renewing and that others take when it falls silent.
//
// Nobody compares wall clocks. A contender takes a lease that it has *itself* watched unchanged for LEASE_MS of its own
// monotonic time; a holder trusts its lease for HOLD_MS after the beginning of its last renewal. A contender sees a
// renewal only after that beginning and HOLD_MS is shorter: so no two ever hold it, whatever jumps, stops or sleeps.
import type { Clock } from '../support/clock.ts';
import { integer, text, textOrNull } from './columns.ts';
import type { Connection, Row } from './connection.ts';
import type { Processes, ProcessIdentity } from './process-identity.ts';

/** A holder that was watched silent for this long, in milliseconds, loses its right. Two seconds less than the 31 s of
 * faults, row 17, so that contenders who look once a second keep the promise. */
const LEASE_MS = 29_000;

/** A holder stops trusting its own lease this long after its last renewal, in milliseconds: before others may take it. */
const HOLD_MS = 25_000;

/** How often a holder should renew, in milliseconds: each time is a write to the disk. */
export const RENEW_EVERY_MS = 12_000;

/** How soon a renewal that failed should be tried again, in milliseconds: often, before the holder stops trusting itself. */
export const RENEW_AGAIN_MS = 2_000;

/** How often a contender should try again, in milliseconds. */
export const CONTEND_EVERY_MS = 1_000;

/** Who holds the lease, as the row tells. */
export interface LeaseHolder {
  readonly ownerId: string;
  readonly process: ProcessIdentity;
  /** Where the holder listens for the other processes. */
  readonly socketPath: string;
  /** Wall time of the last renewal, for people to read; nothing is decided by it. */
  readonly renewedAt: number;
}

/** `previous`: who held it before and did not give it back; its socket may still lie around. */
export type Acquisition =
  | { readonly kind: 'owned'; readonly previous: LeaseHolder | null }
  | { readonly kind: 'held'; readonly by: LeaseHolder };

export interface LeaseParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Unique among all that ever contend. */
  readonly ownerId: string;
}

export class OwnerLease {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #ownerId: string;
  /** When the last renewal that succeeded had begun, by the monotonic clock; null when we do not hold the lease. */
  #renewedFrom: number | null = null;
  /** The last sign of life of another holder, and since when none has followed. */
  #lastSign: { readonly renewals: number; readonly since: number } | null = null;

  constructor({ connection, clock, processes, ownerId }: LeaseParts) {
    this.#connection = connection;
    this.#clock = clock;
    this.#processes = processes;
    this.#ownerId = ownerId;
  }

  /**
   * Takes the lease if it is free, if its holder is certainly gone, or if this contender has watched it silent for
   * LEASE_MS: call it every CONTEND_EVERY_MS. Of several that try at once exactly one succeeds.
   */
  acquire(socketPath: string): Acquisition {
    // Looked at first without a transaction, so that contenders do not hinder the holder.
    const held = this.#heldByOther(this.#row());
    if (held !== null) {
      return { kind: 'held', by: held };
    }
    const begunAt = this.#clock.monotonic();
    const acquisition = this.#connection.transaction((): Acquisition => {
      const row = this.#row();
      const by = this.#heldByOther(row);
      if (by !== null) {
        return { kind: 'held', by };
      }
      this.#take(socketPath, row);
      const previous = holderOf(row);
      return { kind: 'owned', previous: previous?.ownerId === this.#ownerId ? null : previous };
    });
    this.#renewedFrom = acquisition.kind === 'owned' ? begunAt : null;
    return acquisition;
  }

  /**
   * Gives a sign of life: call it every RENEW_EVERY_MS, and RENEW_AGAIN_MS after it threw. False: somebody else has taken the lease, step back at once.
   * A failing disk throws `retry`; whoever holds the lease still does then, as long as `isHeld` says so.
   */
  renew(): boolean {
    const begunAt = this.#clock.monotonic();
    const { changed } = this.#connection.run(
      'UPDATE owner_lease SET renewals = renewals + 1, renewed_at = ? WHERE owner_id = ?',
      Math.round(this.#clock.now()),
      this.#ownerId,
    );
    this.#renewedFrom = changed === 1 ? begunAt : null;
    return changed === 1;
  }

  /**
   * Whether this process may act as the owner right now. Ask before anything that two must not do. It turns false by
   * itself when renewals fail or the process was stopped, and true again by a renewal that succeeds.
   */
  isHeld(): boolean {
    return this.#renewedFrom !== null && this.#clock.monotonic() - this.#renewedFrom < HOLD_MS;
  }

  /** Gives the lease back. Does nothing when it is somebody else's. */
  release(): void {
    this.#renewedFrom = null;
    // The row stays, since its counter must never start again: a contender may still remember an early number.
    this.#connection.run('UPDATE owner_lease SET owner_id = NULL WHERE owner_id = ?', this.#ownerId);
  }

  /** Who holds the lease as far as the row tells, dead or alive; null when it is free. */
  current(): LeaseHolder | null {
    return holderOf(this.#row());
  }

  #row(): Row | null {
    return this.#connection.first('SELECT * FROM owner_lease');
  }

  /** The holder that must be respected, or null when the lease may be taken. */
  #heldByOther(row: Row | null): LeaseHolder | null {
    const holder = holderOf(row);
    if (row === null || holder === null || holder.ownerId === this.#ownerId) {
      return null;
    }
    const silentMs = this.#silenceOf(integer(row, 'renewals'));
    return silentMs >= LEASE_MS || this.#processes.isGone(holder.process) ? null : holder;
  }

  #silenceOf(renewals: number): number {
    const now = this.#clock.monotonic();
    if (this.#lastSign?.renewals !== renewals) {
      this.#lastSign = { renewals, since: now };
    }
    return now - this.#lastSign.since;
  }

  #take(socketPath: string, before: Row | null): void {
    const { pid, started, boot, pidSpace } = this.#processes.self();
    this.#connection.run(
      `INSERT OR REPLACE INTO owner_lease
         (id, owner_id, pid, started, boot, pid_space, socket_path, renewals, renewed_at)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#ownerId,
      pid,
      started,
      boot,
      pidSpace,
      socketPath,
      before === null ? 1 : integer(before, 'renewals') + 1,
      Math.round(this.#clock.now()),
    );
  }
}

function holderOf(row: Row | null): LeaseHolder | null {
  const ownerId = row === null ? null : textOrNull(row, 'owner_id');
  if (row === null || ownerId === null) {
    return null;
  }
  return {
    ownerId,
    process: {
      pid: integer(row, 'pid'),
      started: textOrNull(row, 'started'),
      boot: textOrNull(row, 'boot'),
      pidSpace: textOrNull(row, 'pid_space'),
    },
    socketPath: text(row, 'socket_path'),
    renewedAt: integer(row, 'renewed_at'),
  };
}
