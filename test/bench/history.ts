// The archive of a million entries: how long each question holds up the process, and how large the file is.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEntry } from '../../src/domain/history/history.ts';
import { ALL_HISTORY, type HistoryFilter } from '../../src/domain/history/page.ts';
import { type LockId, lockId } from '../../src/domain/locks/lock.ts';
import { HistoryViews } from '../../src/panel/history/views.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { alone, type Figure } from './figures.ts';

const LOCKS = 149;
const PER_LOCK = 6_712;
const ENTRIES = LOCKS * PER_LOCK;
const PAGE = 50;
const REPEATS = 20;
const DAY_MS = 86_400_000;
/** As many doors as a bridge shows, over two years. */
const SPAN_MS = 720 * DAY_MS;
const BATCH = 839;
/** Every so many entries, a person comes who is sought. */
const MONTHLY = 280;

const GOALS = { firstMs: 20, turnMs: 50, megabytes: 300 } as const;

export async function measureHistory(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-history-'));
  const path = join(folder, 'latchkey.db');
  try {
    fill(path);
    const megabytes = sizeOf(path) / 1e6;
    const first = timed(path, REPEATS, (storage) => {
      assertFull(storage, ALL_HISTORY);
    });
    const deep = timed(path, REPEATS, (storage) => {
      assertFull(storage, { ...ALL_HISTORY, until: Date.now() - SPAN_MS / 2 });
    });
    const searched = (person: string) =>
      timed(path, REPEATS, (storage) => {
        storage.historyPages.page({ ...ALL_HISTORY, person }, null, PAGE);
      });
    const [nobody, cleaner, everybody] = ['Nobody of that name', 'Cleaner', 'person'].map(searched);
    const people = timed(path, REPEATS, (storage) => {
      storage.historyPages.people(Date.now() - SPAN_MS / 8);
    });
    const event = timed(path, REPEATS, (storage) => {
      const entry = { ...entryOf(0, PER_LOCK, PER_LOCK, Date.now()), id: randomUUID() };
      storage.archive.saveReported([{ lockId: lockOf(0), entry, late: false }], Date.now());
    });
    const daily = timed(path, REPEATS, (storage) => {
      storage.archive.prune(Date.now());
    });
    const week = await turns(path, REPEATS, async (storage) => {
      const views = new HistoryViews({
        pages: storage.historyPages,
        now: () => Date.now(),
        zoneOf: () => 'Europe/Paris',
        nameOf: (id) => id,
      });
      const shown = await views.week({ ...ALL_HISTORY, firstDay: null, lastDay: null }, 0);
      if (shown.days.length !== 7 || shown.total < 100) {
        throw new Error('The week is not the one that was written');
      }
    });
    const name = (what: string): string => `history of ${String(ENTRIES)} entries: ${what}`;
    const others = { deep, nobody, cleaner, everybody, people, event, daily, week };
    const longest = Object.values(others).map((samples) => Math.max(...(samples ?? [])));
    const each = Object.keys(others).map((key, index) => `${key} ${longest[index]?.toFixed(1) ?? ''}`);
    return [
      figure(name(`first ${String(PAGE)} of ${String(LOCKS)} locks`), 'ms', GOALS.firstMs, first),
      figure(name(`longest turn of all others (${each.join(', ')})`), 'ms', GOALS.turnMs, longest),
      figure(name('file'), 'MB', GOALS.megabytes, [megabytes]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figure(name: string, unit: string, most: number, samples: readonly number[]): Figure {
  return alone(
    { name, unit, goal: `under ${String(most)}, the slowest` },
    samples,
    Math.max(...samples) < most,
  );
}

function opened(path: string): Storage {
  return openStorage({ path, clock: systemClock, log: silentLog });
}

/** Each in a storage opened anew, so that nothing is remembered from the time before. */
function timed(path: string, repeats: number, work: (storage: Storage) => void): readonly number[] {
  return Array.from({ length: repeats }, () => {
    const storage = opened(path);
    try {
      // Processor time: on a busy machine others hold up the process, too.
      const from = process.cpuUsage();
      work(storage);
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1000;
    } finally {
      storage.close();
    }
  });
}

/** The longest turn of work that leaves turns to others. */
async function turns(
  path: string,
  repeats: number,
  work: (storage: Storage) => Promise<void>,
): Promise<readonly number[]> {
  const longest: number[] = [];
  for (let round = 0; round < repeats; round += 1) {
    const storage = opened(path);
    const lengths: number[] = [];
    let from = process.cpuUsage();
    const watch = (): void => {
      const { user, system } = process.cpuUsage(from);
      lengths.push((user + system) / 1000);
      from = process.cpuUsage();
      watching = setImmediate(watch);
    };
    let watching = setImmediate(watch);
    try {
      await work(storage);
    } finally {
      clearImmediate(watching);
      storage.close();
    }
    longest.push(Math.max(...lengths));
  }
  return longest;
}

function assertFull(storage: Storage, filter: HistoryFilter): void {
  const { lines } = storage.historyPages.page(filter, null, PAGE);
  if (lines.length !== PAGE) {
    throw new Error(`The page has ${String(lines.length)} lines`);
  }
}

/** In batches and in turns, as a running plugin writes them. */
function fill(path: string): void {
  const storage = opened(path);
  const now = Date.now();
  const perLock = PER_LOCK;
  for (let from = 0; from < perLock; from += BATCH) {
    for (let lock = 0; lock < LOCKS; lock += 1) {
      const entries = Array.from({ length: BATCH }, (_, index) => entryOf(lock, from + index, perLock, now));
      storage.archive.saveListed({ lockId: lockOf(lock), entries, limit: 100, updatedAt: null }, now);
    }
  }
  storage.close();
}

function lockOf(index: number): LockId {
  return lockId(`6c1d3a52-0d0e-4a58-9a55-0c9f2e7a1${String(index).padStart(3, '0')}`);
}

const METHODS = ['access-code', 'thumbturn', 'virtual-key', 'auto-relock'] as const;

function entryOf(lock: number, index: number, perLock: number, now: number): HistoryEntry {
  const id = `${String(lock)}${String(index).padStart(7, '0')}-9a55-4f0e-9d5e-2f6b8f0a9c11`;
  const person = index % 8;
  return {
    id,
    at: Math.round(now - SPAN_MS + ((index + lock / LOCKS) / (perLock + 1)) * SPAN_MS),
    offsetMinutes: 60,
    what: index % 2 === 0 ? 'unsecured' : 'secured',
    by: {
      method: METHODS[index % METHODS.length] ?? 'other',
      id: `a71e0000-7a44-4f0e-9d5e-00000000000${String(person)}`,
      // One comes once a month to every door: neither nobody nor often.
      name: index % MONTHLY === 0 ? 'Cleaner' : `Person number ${String(person)}`,
    },
  };
}

function sizeOf(path: string): number {
  return ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
