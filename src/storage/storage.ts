// Opens the account's one file, and gives access to everything that is stored in it.
import type { CreateAttemptStore, RateWindowStore } from '../domain/credentialing-ports.ts';
import type {
  CommandJournal,
  EventLedger,
  HistoryArchive,
  KnownLockStore,
  TokenVault,
} from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { SqliteCommandJournal } from './command-journal.ts';
import { SqliteCreateAttempts } from './create-attempts.ts';
import { SqliteEventLedger } from './event-ledger.ts';
import { SqliteHistoryArchive } from './history-archive.ts';
import { SqliteKnownLocks } from './known-locks.ts';
import { openDatabase } from './open-database.ts';
import { OwnerLease } from './owner-lease.ts';
import { type Processes, systemProcesses } from './process-identity.ts';
import { SqliteRateWindows } from './rate-windows.ts';
import { KeptValues } from './settings.ts';
import { SqliteTokenVault } from './token-vault.ts';

export interface StorageParts {
  /** The database file of one platform block, in a folder that is ours alone. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this owner in the lease; unique among all that ever contend (a random UUID). */
  readonly ownerId: string;
  /** Names the service that is called: a link to another one reads as none. Left out, every link is read. */
  readonly service?: string;
  readonly processes?: Processes;
}

export interface Storage {
  readonly lease: OwnerLease;
  readonly vault: TokenVault;
  /** Whether the vault holds tokens of another service than the one that is called. */
  holdsAnothersTokens(): boolean;
  readonly journal: CommandJournal;
  readonly knownLocks: KnownLockStore;
  readonly ledger: EventLedger;
  readonly archive: HistoryArchive;
  readonly settings: KeptValues;
  readonly secrets: KeptValues;
  /** For every process, whether it holds the lease or not. */
  readonly rateWindows: RateWindowStore;
  readonly createAttempts: CreateAttemptStore;
  /** Closes the file. The lease is not given back by this: release it first. */
  close(): void;
}

/**
 * Opens what survives. Anyone may read; only the holder of the lease writes, but for what is shared. Every call is synchronous, and throws
 * `retry` (`storage-failed`) when the disk does not take it. Throws as `openDatabase` does when it cannot be opened.
 */
export function openStorage({
  path,
  clock,
  log,
  ownerId,
  service,
  processes = systemProcesses,
}: StorageParts): Storage {
  const database = openDatabase(path, log, () => {
    clock.commits.held();
  });
  const { durable, quick } = database;
  const vault = new SqliteTokenVault(durable, service ?? null);
  return {
    lease: new OwnerLease({ connection: quick, clock, processes, ownerId }),
    vault,
    holdsAnothersTokens: () => vault.holdsAnothers(),
    journal: new SqliteCommandJournal(quick),
    knownLocks: new SqliteKnownLocks(quick),
    ledger: new SqliteEventLedger(quick),
    archive: new SqliteHistoryArchive(quick),
    settings: new KeptValues(durable, 'setting'),
    secrets: new KeptValues(durable, 'secret'),
    rateWindows: new SqliteRateWindows(quick),
    createAttempts: new SqliteCreateAttempts(durable),
    close: () => {
      database.close();
    },
  };
}
