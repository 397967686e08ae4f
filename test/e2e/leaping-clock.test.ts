// The clock of a soak beside Node's own: a program sees the same of both, and no leap happens while an answer is on its way.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../harness/free-port.ts';
import { LeapClock } from '../soak/leap-clock.ts';
import { LEAP_FILE, LeapFile } from '../soak/leap-file.ts';

const WITNESS = join(import.meta.dirname, '..', 'soak', 'witness-process.ts');
const PRELOAD = new URL('../soak/leap-preload.ts', import.meta.url).href;
/** With the leaping clock, every delay is so many times as long: 40 ms are 40 minutes. */
const SCALE = 60_000;
/** Far enough apart that a busy machine keeps their order. */
const TRUE_SCALE = 10;
const ANSWER_TAKES_MS = 300;
/** Nothing fires early; a busy machine fires late. */
const ROUNDED_MS = 1.5;
/** Half of the time between two things that are due. */
const LATE_MS = 5;
const NAMES = [
  'beat 1',
  'due first',
  'beat 2',
  'beat 3',
  'renewed',
  'set first, due last',
  'promised',
  'promised otherwise',
];
const DUE_MS = [25, 40, 50, 75, 90, 120, 140, 160];

const witnessed = z.object({
  seen: z.array(
    z.object({ name: z.string(), wallMs: z.number(), dateMs: z.number(), monotonicMs: z.number() }),
  ),
  first: z.string(),
  hasRef: z.boolean(),
});

describe('a clock that leaps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-leaps-'));
  const path = join(folder, 'leaps');
  const file = openSync(path, 'w+');
  const server = createServer((_request, response) => {
    void sleep(ANSWER_TAKES_MS).then(() => response.end('answer'));
  });
  let url: string;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  });

  afterAll(() => {
    server.close();
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  });

  async function watch(scale: number, args: readonly string[] = []) {
    const { stdout } = await promisify(execFile)(process.execPath, [...args, WITNESS, String(scale), url], {
      env: { ...process.env, [LEAP_FILE]: path, LATCHKEY_SOAK_PORT: String(await freePort()) },
    });
    return witnessed.parse(JSON.parse(stdout));
  }

  function expectDue({ seen }: z.output<typeof witnessed>): void {
    expect(seen.map(({ name }) => name)).toEqual(NAMES);
    for (const [index, { wallMs, dateMs, monotonicMs }] of seen.entries()) {
      for (const elapsedMs of [wallMs, dateMs, monotonicMs]) {
        expect(elapsedMs).toBeGreaterThan((DUE_MS[index] ?? 0) - ROUNDED_MS);
      }
    }
  }

  /** With Node's own clock, while the machine did not stand still: else what was due meanwhile comes in another order. */
  async function watchTruly() {
    for (;;) {
      const truly = await watch(TRUE_SCALE);
      if (truly.seen.every(({ wallMs }, index) => wallMs < (DUE_MS[index] ?? 0) + LATE_MS)) {
        return truly;
      }
    }
  }

  it('shows a program the same order and the same times as Node does, in hours instead of moments', async () => {
    new LeapFile(file).limitAt = Number.MAX_SAFE_INTEGER;
    const truly = await watchTruly();
    const leaping = await watch(SCALE, ['--import', PRELOAD]);
    expectDue(truly);
    expectDue(leaping);
    // Rest costs nothing, so that here nothing is late.
    expect(leaping.seen.map(({ wallMs }) => Math.round(wallMs))).toEqual(DUE_MS);
    expect(leaping.seen.map(({ monotonicMs }) => Math.round(monotonicMs))).toEqual(DUE_MS);
    expect(leaping.hasRef).toBe(truly.hasRef);
    // What it waited for after that took its true time, although its deadline was the next thing that was due.
    expect([truly.first, leaping.first]).toEqual(['answer', 'answer']);
  });

  it('is the same in two processes, each of which waits for the other', async () => {
    const leaps = new LeapFile(file);
    leaps.leaptMs = 0;
    const clock = new LeapClock(leaps);
    const startedAt = clock.now();
    const witness = watch(SCALE, ['--import', PRELOAD]);
    const heard: (readonly [dueMs: number, atMs: number, homeMs: number])[] = [];
    for (const minutes of [35, 80, 100]) {
      clock.after(minutes * SCALE, () => {
        heard.push([minutes, (clock.now() - startedAt) / SCALE, leaps.leaptMs / SCALE]);
      });
    }
    try {
      // The witness still has something to wait for then.
      await clock.until(startedAt + 130 * SCALE, async () => Promise.resolve());
    } finally {
      clock.close();
      leaps.limitAt = Number.MAX_SAFE_INTEGER;
    }
    expectDue(await witness);
    for (const [dueMs, atMs, homeMs] of heard) {
      expect(atMs).toBeGreaterThanOrEqual(dueMs);
      expect(atMs).toBeLessThan(dueMs + 1);
      expect(homeMs).toBeLessThan(dueMs + 1);
    }
    expect(heard).toHaveLength(3);
  });
});
