// All that a world holds: its locks, its users, and the behaviours that are wired to one another here.
import { Bolts } from '../behaviours/bolt.ts';
import { Commands } from '../behaviours/commands.ts';
import { Relock } from '../behaviours/relock.ts';
import { Kernel } from '../kernel.ts';
import type { Lock } from '../lock.ts';
import type { Accessor, Role } from '../records.ts';
import type { UserRecord, WorldSetup } from '../setup.ts';
import { UnknownIdError } from '../unknown-id-error.ts';

/** Shared by the parts of the world: service, physical actions, circumstances, registry. */
export class LockFleet {
  readonly kernel: Kernel;
  readonly bolts: Bolts;
  readonly relock: Relock;
  readonly commands: Commands;
  readonly locks = new Map<string, Lock>();
  readonly users = new Map<string, UserRecord>();
  /** The locks of each user, so that a list costs only its own length. */
  readonly #locksOfUser = new Map<string, Map<Lock, Role>>();

  constructor(setup: Pick<WorldSetup, 'seed' | 'startAt' | 'busyMode'>) {
    this.kernel = new Kernel(setup.seed, setup.startAt);
    this.bolts = new Bolts(this.kernel, {
      started: (lock) => this.relock.disarmAutoRelock(lock),
      rested: (lock, rest) => {
        this.commands.boltRested(lock, rest);
        this.relock.armAutoRelock(lock);
      },
    });
    this.relock = new Relock(this.kernel, this.bolts);
    this.commands = new Commands(this.kernel, this.bolts, setup.busyMode ?? '409');
  }

  /** Throws UnknownIdError. */
  lock(deviceId: string): Lock {
    const lock = this.locks.get(deviceId);
    if (lock === undefined) {
      throw new UnknownIdError('device', deviceId);
    }
    return lock;
  }

  /** Throws UnknownIdError. */
  user(userId: string): UserRecord {
    const user = this.users.get(userId);
    if (user === undefined) {
      throw new UnknownIdError('user', userId);
    }
    return user;
  }

  /** The accessor in the history for a user's virtual key or command. */
  virtualKey(userId: string): Accessor {
    return { id: userId, friendlyName: this.user(userId).friendlyName, accessType: 'VirtualKey' };
  }

  /** The locks of a user, in the order in which the user got them. */
  locksOf(userId: string): ReadonlyMap<Lock, Role> {
    return this.#locksOfUser.get(userId) ?? new Map();
  }

  grant(lock: Lock, userId: string, role: Role): void {
    lock.roles.set(userId, role);
    const locks = this.#locksOfUser.get(userId) ?? new Map<Lock, Role>();
    this.#locksOfUser.set(userId, locks.set(lock, role));
  }

  withdraw(lock: Lock, userId: string): void {
    lock.roles.delete(userId);
    this.#locksOfUser.get(userId)?.delete(lock);
  }
}
