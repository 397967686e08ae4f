// Kills importing processes again and again, and counts the service's credentials at the end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../../../simulator/src/partner-server.ts';
import { systemClock } from '../../../../src/support/clock.ts';
import { credentialingOptions } from '../../../homes/credentialing-home.ts';
import { control, requestsAt } from '../../../stand-ins/service/simulated.ts';
import { openProcess } from '../../../support/credentialing-process.ts';
import { scaledClock } from '../../../support/scaled-clock.ts';
import { type Program, runProgram } from '../../storage/place.ts';

export interface KillCount {
  readonly kills: number;
  readonly rows: number;
  readonly doubles: number;
  readonly missing: number;
  /** Answers 429. */
  readonly refused: number;
  /** What the last import says of rows that it could not bring to their end. */
  readonly failed: readonly string[];
}

/** Time runs this much faster than it is: a window of a minute takes two seconds. */
const SCALE = 30;

/** Rows that one process is let finish before it is killed, at the most. */
const MAX_ROWS_BEFORE_KILL = 8;

/** So many that the import lasts until the last kill. */
const ROWS_PER_KILL = 12;

/** A kill comes at most this long after a finished row, in milliseconds: several calls. */
const MAX_KILL_DELAY_MS = 30;

/**
 * Imports the same file by two processes at a time, each killed at a random moment, until there were
 * `count` kills; then by one more to its end. The service would issue a second credential to a user, and does what it was asked
 * although the caller is gone.
 */
export async function surviveKills(count: number, random: () => number): Promise<KillCount> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-kills-'));
  const path = join(folder, 'latchkey.db');
  const startsAt = systemClock.now();
  const clock = scaledClock(SCALE, startsAt);
  const simulator = await startSimulator({ clock });
  const rows = count * ROWS_PER_KILL;
  const options = credentialingOptions(simulator);
  const argument = JSON.stringify({ options, path, scale: SCALE, startsAt, rows });
  const begin = (): Program => runProgram(new URL('import-process.ts', import.meta.url), [argument]);
  try {
    await control(simulator.controlUrl, 'house/configure-credentialing', { secondCredential: 'issued' });
    const slow = { kind: 'latency', delayMs: 3_000, when: 'before-work', often: { rate: 0.1 } };
    await control(simulator.controlUrl, 'house/inject-fault', {
      ...slow,
      path: '**/SMC/credentials/mobile',
      method: 'POST',
    });
    let kills = 0;
    let isDone = false;
    while (kills < count) {
      if (isDone) {
        throw new Error(`The import ended after ${String(kills)} kills: it needs more rows`);
      }
      const pair = [begin(), begin()];
      const ends = await Promise.all(pair.map(async (program) => killed(program, random)));
      kills += ends.filter((end) => end === 'killed').length;
      isDone = ends.includes('done');
    }
    let said = '';
    const failed: string[] = [];
    for await (const line of begin().lines) {
      said = line;
      failed.push(...(/^\d+ (?:failed|different)/u.test(line) ? [line] : []));
    }
    if (said !== 'done') {
      throw new Error(`The last import did not end; it said "${said}"`);
    }
    return {
      kills,
      rows,
      failed,
      ...(await countAtService(simulator.controlUrl, () => openProcess(options, path, clock), rows)),
    };
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `early`: the process ended by itself, at a missed deadline. */
async function killed(program: Program, random: () => number): Promise<'killed' | 'done' | 'early'> {
  let left = Math.floor(random() * MAX_ROWS_BEFORE_KILL);
  for (let line = await program.lines.next(); line.done !== true; line = await program.lines.next()) {
    if (line.value === 'done') {
      return 'done';
    }
    left -= 1;
    if (left <= 0) {
      break;
    }
  }
  await new Promise<void>((resolve) => {
    systemClock.after(random() * MAX_KILL_DELAY_MS, resolve);
  });
  const wasAlive = program.process.kill('SIGKILL');
  await program.ended;
  return wasAlive ? 'killed' : 'early';
}

async function countAtService(
  controlUrl: string,
  open: () => ReturnType<typeof openProcess>,
  rows: number,
): Promise<Pick<KillCount, 'doubles' | 'missing' | 'refused'>> {
  const calls = await requestsAt(controlUrl);
  const { credentialing, close } = open();
  try {
    const { credentials } = await credentialing.client.list();
    const users = new Set(credentials.map(({ userId }) => userId));
    return {
      doubles: credentials.length - users.size,
      missing: rows - users.size,
      refused: calls.filter(({ status }) => status === 429).length,
    };
  } finally {
    await close();
  }
}
