// Opens the account's database and gives access to every store in it.
import type { CodeStore, FileAgeStore } from '../domain/codes/ports.ts';
import type {
  CommandJournal,
  HistoryArchive,
  HistoryEraser,
  HistoryMover,
  HistoryPages,
  KnownLockStore,
  TokenVault,
} from '../domain/ports.ts';
import type { EventLedger } from '../domain/webhooks/ports.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { AccountOwner } from './account/account-owner.ts';
import { KeptValues } from './account/settings.ts';
import { SqliteTokenVault } from './account/token-vault.ts';
import { KeptCodeStore, KeptFileAge } from './codes/code-store.ts';
import { SqliteCommandJournal } from './command-journal.ts';
import { mending, setDamagedAside } from './database/damaged-rows.ts';
import { type Database, openDatabase } from './database/open-database.ts';
import { SqliteEventLedger } from './event-ledger.ts';
import { SqliteHistoryArchive } from './history/archive.ts';
import { SqliteHistoryPages } from './history/pages.ts';
import { DEFAULT_HISTORY_KEPT, type HistoryKept } from './history/retention.ts';
import { SqliteKnownLocks } from './known-locks.ts';

export interface Storage {
  readonly owner: AccountOwner;
  readonly vault: TokenVault;
  /** Whether the vault holds tokens of a service other than the configured one. */
  holdsAnothersTokens(): boolean;
  readonly journal: CommandJournal;
  readonly knownLocks: KnownLockStore;
  readonly ledger: EventLedger;
  readonly archive: HistoryArchive & HistoryEraser & HistoryMover;
  readonly historyPages: HistoryPages;
  readonly codes: CodeStore;
  readonly age: FileAgeStore;
  readonly settings: KeptValues;
  readonly secrets: KeptValues;
  /** Makes a store of a feature over tables of its own: every commit of `durable` is on the disk before it returns. */
  openFeature<T extends object>(make: (tables: Pick<Database, 'durable' | 'quick'>) => T): T;
  /** Closes the files, and frees the account as the end of the process would: release it first. */
  close(): void;
}

/**
 * Opens the persistent state. Every process may read; only the owner writes, except to shared stores.
 * Every call is synchronous and throws `retry` (`storage-failed`) on a disk error. Opening throws like `openDatabase`.
 */
export function openStorage({
  path,
  clock,
  log,
  service,
  history = DEFAULT_HISTORY_KEPT,
}: {
  /** The database file of one platform block, in a private folder. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The configured service: a link to another one reads as none. Without it, every link is read. */
  readonly service?: string;
  readonly history?: HistoryKept;
}): Storage {
  const database = openDatabase(path, log, () => clock.commits.held());
  const { durable, quick } = database;
  setDamagedAside(durable, log);
  const mended = <T extends object>(store: T): T =>
    mending(store, () => setDamagedAside(durable, log, 'all'));
  const settings = mended(new KeptValues(durable, 'setting'));
  const secrets = mended(new KeptValues(durable, 'secret'));
  const vault = mended(new SqliteTokenVault(durable, service ?? null));
  const owner = new AccountOwner(path, quick, log);
  return {
    owner,
    vault,
    holdsAnothersTokens: () => vault.holdsAnothers(),
    journal: mended(new SqliteCommandJournal(quick)),
    knownLocks: mended(new SqliteKnownLocks(quick, settings)),
    ledger: mended(new SqliteEventLedger(quick)),
    archive: mended(new SqliteHistoryArchive(quick, history, settings)),
    historyPages: mended(new SqliteHistoryPages(quick)),
    codes: mended(new KeptCodeStore(secrets, settings)),
    age: mended(new KeptFileAge(settings, () => vault.read().tokens?.receivedAt ?? null)),
    settings,
    secrets,
    openFeature: (make) => mended(make({ durable, quick })),
    close: () => {
      database.close();
      owner.free();
    },
  };
}
