// Decides which process owns the account: one row that its holder renews and that others take when renewals stop.
//
// Wall clocks are never compared. A contender takes a lease after it has *itself* seen it unchanged for LEASE_MS of its
// own monotonic time; a holder trusts its lease for HOLD_MS from the start of its last renewal.
// A contender sees a renewal only after that start, and HOLD_MS is shorter: so two processes never hold it at once, even
// if clocks jump, processes stop or machines sleep. While the disk takes no writes, a holder looks at the row instead (decision 0006).
import type { Clock } from '../../support/clock.ts';
import { integer, text, textOrNull } from '../database/columns.ts';
import type { Connection, Row } from '../database/connection.ts';
import { isBusy } from '../database/disk-trouble.ts';
import type { Processes, ProcessIdentity } from './process-identity.ts';

/**
 * A holder without renewals for this long, in milliseconds, loses the lease. Two seconds less than the 31 s of faults,
 * row 17, because contenders check once a second.
 */
const LEASE_MS = 29_000;

/** A holder stops trusting its own lease this long after its last renewal, in milliseconds: before others may take it. */
const HOLD_MS = 25_000;

/** Interval of renewals, in milliseconds: each is a write to the disk. */
export const RENEW_EVERY_MS = 12_000;

/** Interval of retries after a failed renewal, in milliseconds: frequent, before the holder stops trusting its lease. */
export const RENEW_AGAIN_MS = 2_000;

/** Interval of a contender's attempts, in milliseconds. */
export const CONTEND_EVERY_MS = 1_000;

export interface LeaseHolder {
  readonly ownerId: string;
  readonly process: ProcessIdentity;
  /** Address at which the holder serves the other processes. */
  readonly socketPath: string;
}

/** `previous`: the last holder, if it did not release the lease; its socket may still exist. */
export type Acquisition =
  | { readonly kind: 'owned'; readonly previous: LeaseHolder | null }
  | { readonly kind: 'held'; readonly by: LeaseHolder };

export interface LeaseParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Unique among all contenders. */
  readonly ownerId: string;
}

export class OwnerLease {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #processes: Processes;
  readonly #ownerId: string;
  /** Start of the last successful renewal on the monotonic clock; null without the lease. */
  #renewedFrom: number | null = null;
  /** The disk refused the last renewal; no other process has taken the lease. */
  #unwritable = false;
  /** The last renewal of another holder, and the time since which none has followed. */
  #lastSign: { readonly renewals: number; readonly since: number } | null = null;

  constructor({ connection, clock, processes, ownerId }: LeaseParts) {
    this.#connection = connection;
    this.#clock = clock;
    this.#processes = processes;
    this.#ownerId = ownerId;
  }

  /**
   * Takes the lease if it is free, if its holder is certainly gone, or if this contender has seen no renewal for
   * LEASE_MS. Call it every CONTEND_EVERY_MS. Of several concurrent attempts exactly one succeeds.
   */
  acquire(socketPath: string): Acquisition {
    // Checked first without a transaction, so that contenders do not block the holder.
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
    this.#unwritable = false;
    return acquisition;
  }

  /**
   * Renews the lease: call it every RENEW_EVERY_MS, and RENEW_AGAIN_MS after it threw. False: another process has taken
   * the lease, so step back at once.
   * A failing disk throws `retry`; the lease then still holds as long as `isHeld` is true.
   */
  renew(): boolean {
    const begunAt = this.#clock.monotonic();
    const changed = this.#tryToRenew();
    this.#unwritable = false;
    this.#renewedFrom = changed === 1 ? begunAt : null;
    return changed === 1;
  }

  #tryToRenew(): number {
    try {
      return this.#connection.run(
        'UPDATE owner_lease SET renewals = renewals + 1 WHERE owner_id = ?',
        this.#ownerId,
      ).changed;
    } catch (error) {
      // A process that keeps the database busy can write to it, and may be about to take the lease.
      this.#unwritable = this.#renewedFrom !== null && !isBusy(error);
      throw error;
    }
  }

  /**
   * Whether this process may act as the owner right now. Ask before every exclusive action. It turns false by itself
   * when the process was suspended, and true again after a successful renewal. Where the disk takes no renewals, the row
   * says each time that no other process has taken the lease.
   */
  isHeld(): boolean {
    const isRecent = this.#renewedFrom !== null && this.#clock.monotonic() - this.#renewedFrom < HOLD_MS;
    return isRecent || (this.#unwritable && this.#isStillOurs());
  }

  #isStillOurs(): boolean {
    try {
      return this.current()?.ownerId === this.#ownerId;
    } catch {
      // A disk that cannot be read proves nothing either.
      return false;
    }
  }

  /** Releases the lease. Does nothing when another process holds it. */
  release(): void {
    this.#renewedFrom = null;
    this.#unwritable = false;
    // The row stays, since its counter must never restart: a contender may still remember an early number.
    this.#connection.run('UPDATE owner_lease SET owner_id = NULL WHERE owner_id = ?', this.#ownerId);
  }

  /** The holder according to the row, alive or not; null when the lease is free. */
  current(): LeaseHolder | null {
    return holderOf(this.#row());
  }

  #row(): Row | null {
    return this.#connection.first('SELECT * FROM owner_lease');
  }

  /** The holder of a valid lease, or null when the lease may be taken. */
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
         (id, owner_id, pid, started, boot, pid_space, socket_path, renewals)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
      this.#ownerId,
      pid,
      started,
      boot,
      pidSpace,
      socketPath,
      before === null ? 1 : integer(before, 'renewals') + 1,
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
  };
}
