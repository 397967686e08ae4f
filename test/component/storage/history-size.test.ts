// A large archive: what is asked of it holds up nobody, and one of an earlier version is found as well.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ALL_HISTORY } from '../../../src/domain/history/page.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { Connection } from '../../../src/storage/database/connection.ts';
import { migrate, STEPS } from '../../../src/storage/database/migrations.ts';
import { ensurePrivateFile } from '../../../src/storage/database/private-files.ts';
import { silentLog } from '../../../src/support/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openedStorage } from './place.ts';

const ENTRIES = 200_000;
const LOCKS = 10;
const MOST_MS = 50;
const NOW = Date.UTC(2026, 3, 14, 12);
const HALF_HOUR = 1_800_000;
/** One of them comes every two days. */
const NAMES = 100;

/** Writes as many entries as that, one after another over all locks, the last one now. */
function fill(path: string, entries: number): void {
  const database = new DatabaseSync(path);
  database.exec(`
    WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ${entries})
    INSERT INTO history_entry (lock_id, happened_at, entry_id, reported, what, method, accessor_name)
      SELECT 'lock-' || (n % ${LOCKS}), ${NOW} - n * ${HALF_HOUR} / ${LOCKS}, 'entry-' || n, 0, 'unsecured', 'access-code',
        'Person ' || (n % ${NAMES})
      FROM number ORDER BY 1, 2;
  `);
  database.close();
}

function processorMs(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

it(`of ${String(ENTRIES)} entries no question and no event holds up the process for ${String(MOST_MS)} ms (faults#163)`, () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  const kept = { entries: 50_000, ageMs: 10 * 365 * 24 * 3_600_000 };
  openedStorage(path, undefined, kept).close();
  fill(path, ENTRIES);
  const { historyPages, archive } = openedStorage(path, undefined, kept);
  const by = { method: 'thumbturn', id: null, name: null } as const;
  const entry = { id: 'new', at: NOW, offsetMinutes: null, what: 'secured', by } as const;
  const took = {
    first: processorMs(() => historyPages.page(ALL_HISTORY, null, 50)),
    nobody: processorMs(() => historyPages.page({ ...ALL_HISTORY, person: 'Nobody' }, null, 50)),
    somebody: processorMs(() => historyPages.page({ ...ALL_HISTORY, person: 'Person 17' }, null, 50)),
    people: processorMs(() => historyPages.people(NOW - 90 * 86_400_000)),
    event: processorMs(() => archive.saveReported([{ lockId: lockId('lock-1'), entry, late: false }], NOW)),
    daily: processorMs(() => {
      archive.prune(NOW);
    }),
  };
  expect(Object.entries(took).filter(([, ms]) => ms > MOST_MS)).toEqual([]);
  expect(historyPages.page({ ...ALL_HISTORY, person: 'person 17' }, null, 50).lines).toHaveLength(50);
});

it('the entries of a database of version 1.0 are found by name and counted, and so are those that such a version adds beside', () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  ensurePrivateFile(path, silentLog);
  const former = new Connection(path, 'full');
  migrate(former, path, STEPS.slice(0, 1));
  former.close();
  fill(path, 500);
  const { historyPages, archive } = openedStorage(path, undefined, {
    entries: 60,
    ageMs: 10 * 365 * 24 * 3_600_000,
  });
  const found = (): number =>
    historyPages.page({ ...ALL_HISTORY, person: 'person 7' }, null, 100).lines.length;
  // "Person 7", and "Person 70" to "Person 79".
  expect([found(), historyPages.people(0).length]).toEqual([55, 100]);
  const beside = new DatabaseSync(path);
  beside.exec(
    `INSERT INTO history_entry (lock_id, happened_at, entry_id, reported, what, method, accessor_name)
     VALUES ('lock-0', ${NOW + 1}, 'beside', 1, 'secured', 'access-code', 'Person 7b')`,
  );
  beside.close();
  expect(found()).toBe(56);
  const by = { method: 'thumbturn', id: null, name: null } as const;
  const entry = { id: 'new', at: NOW + 2, offsetMinutes: null, what: 'secured', by } as const;
  for (let more = 0; more < 20; more += 1) {
    const next = { ...entry, id: `new-${String(more)}`, at: entry.at + 10_000 * more };
    archive.saveReported([{ lockId: lockId('lock-0'), entry: next, late: false }], NOW + 300_000);
  }
  expect(archive.newest(lockId('lock-0'), 1_000)).toHaveLength(60);
});
