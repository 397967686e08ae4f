// Kills a writing process again and again, and checks the files that it left behind.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openStorage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { descriptionOf, tokensOf } from './crash-values.ts';
import { nextLine, runProgram } from './place.ts';

/** Longer than a round of writes takes. */
const LONGEST_WAIT_MS = 20;

export interface CrashCount {
  readonly survived: number;
  /** How many of the kills landed between the first and the last write of a round. */
  readonly amidst: number;
}

/**
 * Survives `count` kills of one file's writer, each at a random moment: the kill follows a random number of finished
 * rounds, and the writer goes on until it lands. Every row must be whole, the old one or the new one.
 */
export async function surviveCrashes(count: number, random: () => number): Promise<CrashCount> {
  const path = join(temporaryFolder(), 'latchkey.db');
  let amidst = 0;
  for (let crash = 0; crash < count; crash += 1) {
    const writer = runProgram(new URL('crash-writer.ts', import.meta.url), [path]);
    let said = 0;
    for (let rounds = 1 + Math.floor(random() * 20); rounds > 0; rounds -= 1) {
      said = Number(await nextLine(writer));
    }
    // The line wakes this process, and with one core that stops the writer always at the same place.
    await sleep(random() * LONGEST_WAIT_MS);
    writer.process.kill('SIGKILL');
    for await (const line of writer.lines) {
      said = Number(line);
    }
    await writer.ended;
    amidst += lookAt(path, said) ? 1 : 0;
  }
  return { survived: count, amidst };
}

/** `said`: the last number whose writes were all done. Tells whether the round after it had begun. */
function lookAt(path: string, said: number): boolean {
  const storage = openStorage({ path, clock: systemClock, log: silentLog });
  const { state, tokens, generation } = storage.vault.read();
  const [lock] = storage.knownLocks.all();
  const open = storage.journal.open();

  expect([said, said + 1]).toContain(generation);
  expect({ state, tokens }).toEqual({ state: 'linked', tokens: tokensOf(generation) });
  expect([said, said + 1]).toContain(lock?.misses);
  expect(lock?.description).toEqual(descriptionOf(lock?.misses ?? -1));
  // At most the command of the interrupted round is open, and what was written after it was begun is there, too.
  for (const { issuedAt, journalId } of open) {
    expect(issuedAt).toBe(said + 1);
    storage.journal.note([{ journalId, outcome: 'uncertain' }]);
  }
  expect(open.length).toBeLessThanOrEqual(1);
  if (generation > said && open.length === 0) {
    // Its command has ended, so what was written before that end must be there as well.
    expect(lock?.misses).toBe(said + 1);
  }
  storage.close();
  expect(integrityOf(path)).toBe('ok');
  return open.length > 0 || generation > said;
}

function integrityOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } finally {
    database.close();
  }
}
