// Opens the account's database and gives access to every store in it.
import type { CodeStore, GuestStore } from '../domain/code-ports.ts';
import type { CreateAttemptStore, RateWindowStore } from '../domain/credentialing-ports.ts';
import type {
  CommandJournal,
  HistoryArchive,
  HistoryPages,
  KnownLockStore,
  TokenVault,
} from '../domain/ports.ts';
import type { EventLedger } from '../domain/webhook-ports.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { KeptCodeStore } from './code-store.ts';
import { SqliteCommandJournal } from './command-journal.ts';
import { SqliteCreateAttempts } from './create-attempts.ts';
import { SqliteEventLedger } from './event-ledger.ts';
import { KeptGuestStore } from './guest-store.ts';
import { SqliteHistoryArchive } from './history-archive.ts';
import { SqliteHistoryPages } from './history-pages.ts';
import { DEFAULT_HISTORY_KEPT, type HistoryKept } from './history-retention.ts';
import { SqliteKnownLocks } from './known-locks.ts';
import { openDatabase } from './open-database.ts';
import { OwnerLease } from './owner-lease.ts';
import { type Processes, systemProcesses } from './process-identity.ts';
import { SqliteRateWindows } from './rate-windows.ts';
import { KeptValues } from './settings.ts';
import { SqliteTokenVault } from './token-vault.ts';

export interface StorageParts {
  /** The database file of one platform block, in a private folder. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this owner in the lease; unique among all contenders (a random UUID). */
  readonly ownerId: string;
  /** The configured service: a link to another one reads as none. Without it, every link is read. */
  readonly service?: string;
  readonly processes?: Processes;
  readonly history?: HistoryKept;
}

export interface Storage {
  readonly lease: OwnerLease;
  readonly vault: TokenVault;
  /** Whether the vault holds tokens of a service other than the configured one. */
  holdsAnothersTokens(): boolean;
  readonly journal: CommandJournal;
  readonly knownLocks: KnownLockStore;
  readonly ledger: EventLedger;
  readonly archive: HistoryArchive;
  readonly historyPages: HistoryPages;
  readonly codes: CodeStore;
  readonly guests: GuestStore;
  readonly settings: KeptValues;
  readonly secrets: KeptValues;
  /** For every process, with or without the lease. */
  readonly rateWindows: RateWindowStore;
  readonly createAttempts: CreateAttemptStore;
  /** Closes the file without releasing the lease: release it first. */
  close(): void;
}

/**
 * Opens the persistent state. Every process may read; only the holder of the lease writes, except to shared stores.
 * Every call is synchronous and throws `retry` (`storage-failed`) on a disk error. Opening throws like `openDatabase`.
 */
export function openStorage({
  path,
  clock,
  log,
  ownerId,
  service,
  processes = systemProcesses,
  history = DEFAULT_HISTORY_KEPT,
}: StorageParts): Storage {
  const database = openDatabase(path, log, () => {
    clock.commits.held();
  });
  const { durable, quick } = database;
  const settings = new KeptValues(durable, 'setting');
  const secrets = new KeptValues(durable, 'secret');
  const vault = new SqliteTokenVault(durable, service ?? null);
  return {
    lease: new OwnerLease({ connection: quick, clock, processes, ownerId }),
    vault,
    holdsAnothersTokens: () => vault.holdsAnothers(),
    journal: new SqliteCommandJournal(quick),
    knownLocks: new SqliteKnownLocks(quick),
    ledger: new SqliteEventLedger(quick),
    archive: new SqliteHistoryArchive(quick, history),
    historyPages: new SqliteHistoryPages(quick),
    codes: new KeptCodeStore(secrets, settings),
    guests: new KeptGuestStore(secrets),
    settings,
    secrets,
    rateWindows: new SqliteRateWindows(quick),
    createAttempts: new SqliteCreateAttempts(durable),
    close: () => {
      database.close();
    },
  };
}
