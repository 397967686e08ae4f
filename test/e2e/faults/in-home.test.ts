// An account on a slow card, seen from Home: scenes against a lock's options, restarts without a service, and a service that crawls.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { sceneRequest } from '../../harness/test-lock.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';
import { UNCAUGHT } from './watched-process.ts';
import { watchReads } from './watched-reads.ts';

/** HAP: the accessory is there, and the request is not allowed. */
const REFUSED = [-70401, -70403, -70405];
const SECURED = 1;
const UNSECURED = 0;
const RESTARTS = 2;
const READS = 100;
const READ_EVERY_MS = 20;
/** Nobody taps within the very commit that ends the command before. */
const BETWEEN_TAPS_MS = 1_500;
/** After nine seconds HAP itself answers for a plugin. How fast a quiet machine is, `npm run bench` says. */
const ANSWERED_WITHIN_MS = 9_000;

/** The service does what a command says, and its answer never comes. */
const REPLY_LOST = {
  kind: 'cut',
  when: 'after-work',
  often: 'once',
  method: 'POST',
  path: '**/commands',
} as const;

const WATCHED = new URL('watched-process.ts', import.meta.url).href;
const SLOW_DISK = new URL('slow-disk.ts', import.meta.url).href;

describe('an account on a slow card', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-slow-'));
  const commits = join(folder, 'commits');
  let stage: OpenedStage;

  beforeAll(async () => {
    writeFileSync(commits, '');
    vi.stubEnv('NODE_OPTIONS', `--import="${WATCHED}" --import="${SLOW_DISK}"`);
    vi.stubEnv('LATCHKEY_TEST_COMMITS', commits);
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      // In insecure mode a second device reads without pairing.
      start: { insecure: true },
      lockOptions: { Garage: { remoteUnlock: false } },
    });
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await stage.leave();
    rmSync(folder, { recursive: true, force: true });
  });

  const committed = (): number => readFileSync(commits).length;

  /**
   * Another device reads the state of all doors again and again, until the work is done and for READS times at least.
   * Resolves with how long the slowest reading took. (On one connection HAP answers in order, so this device has a
   * connection of its own.)
   */
  async function readMeanwhile(work: Promise<unknown>): Promise<number> {
    const times: number[] = [];
    const state = { working: true };
    const done = work.finally(() => {
      state.working = false;
    });
    const ids = stage.locks.map(({ current }) => stage.home.addressOf(current)).join(',');
    const url = `http://127.0.0.1:${stage.installation.bridge.port}/characteristics?id=${ids}`;
    while (state.working || times.length < READS) {
      await sleep(READ_EVERY_MS);
      const askedAt = performance.now();
      const answer = await fetch(url);
      expect(await answer.text()).toContain('"value"');
      times.push(performance.now() - askedAt);
    }
    await done;
    return Math.max(...times);
  }

  it('refuses the lock of a scene whose options forbid it, and opens the others (faults#80)', async () => {
    await Promise.all(stage.locks.map(async (lock) => untilShown(lock, 'locked')));
    const statuses = await stage.home.writeAll(stage.locks.map((lock) => sceneRequest(lock, 'unlocked')));
    const answers = new Map(stage.locks.map((lock, index) => [lock.name, statuses[index]]));
    expect(answers.get('Front door')).toBe(0);
    expect(answers.get('Back door')).toBe(0);
    expect(REFUSED).toContain(answers.get('Garage'));
    await untilShown(stage.lock('Front door'), 'unlocked');
    await untilShown(stage.lock('Back door'), 'unlocked');
    expect(await stage.lock('Garage').shown()).toBe('locked');
    expect(await stage.lock('Garage').requested()).toBe('locked');
    expect(stage.boltOf(stage.lock('Garage'))).toBe('Locked');
    expect(await stage.commands()).toHaveLength(2);
  });

  it('answers Home in time while every commit takes 50 ms (faults#79)', async () => {
    // As far away as a service on the internet: on loopback its answer would meet the disk still at work.
    await stage.fault({ kind: 'latency', delayMs: 150, often: 'always' });
    const before = committed();
    const sets: number[] = [];
    const moving = (async () => {
      const lock = stage.lock('Front door');
      for (const target of ['locked', 'unlocked', 'locked'] as const) {
        const startedAt = performance.now();
        expect(await lock.tap(target)).toBe(0);
        sets.push(performance.now() - startedAt);
        await untilShown(lock, target);
        await sleep(BETWEEN_TAPS_MS);
      }
    })();
    const slowestRead = await readMeanwhile(moving);
    // For each of three commands its row, and what is noted of it in one commit or two.
    expect(committed() - before).toBeGreaterThanOrEqual(6);
    expect(Math.max(slowestRead, ...sets)).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(stage.complaints().filter((line) => /slow/i.test(line))).toEqual([]);
    await stage.heal();
  });

  it(`shows no position after ${RESTARTS} restarts without a service, by either way of reading, and sends no command (faults#5, faults#22, faults#33)`, async () => {
    await stage.lock('Back door').at('turn-thumbturn', { to: 'Locked' });
    await Promise.all(stage.locks.map(async (lock) => untilShown(lock, 'locked')));
    const sent = await stage.commands();
    await stage.fault({ kind: 'cut', when: 'before-work', often: 'always' });
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      stage.home.forgetEvents();
      // Reading all accessories comes first of all, as when Home is opened.
      await stage.restartHomebridge(restart % 2 === 0 ? 'kill' : 'stop');
      for (const lock of stage.locks) {
        expect([SECURED, UNSECURED]).not.toContain(stage.home.listed(lock.current));
        expect(await lock.shown()).toBe('unknown');
      }
      expect(stage.home.events.filter(({ value }) => value === UNSECURED)).toEqual([]);
      const complaints = stage.homebridge.complaints();
      expect(complaints.filter((line) => line.includes('lock service'))).toHaveLength(1);
    }
    await stage.heal();
    await Promise.all(stage.locks.map(async (lock) => untilShown(lock, 'locked')));
    expect(await stage.commands()).toEqual(sent);
  });

  it('shows no "locked" after an unlock whose reply was lost, until a listing is in (faults#30)', async () => {
    const lock = stage.lock('Back door');
    await lock.at('turn-thumbturn', { to: 'Locked' });
    await untilShown(lock, 'locked');
    await stage.fault(REPLY_LOST);
    // The listing that heals it comes late enough to see what is shown without it.
    const late = { delayMs: BETWEEN_TAPS_MS, often: 'always', method: 'GET', path: '**/devices' } as const;
    await stage.fault({ kind: 'latency', ...late });
    // What was read may still be on its way as an event.
    await sleep(BETWEEN_TAPS_MS);
    stage.home.forgetEvents();
    expect(await lock.tap('unlocked')).toBe(0);
    const watch = watchReads(lock);
    await untilShown(lock, 'unlocked');
    const seen = await watch.end();
    expect(seen.filter((state, index) => state !== seen[index - 1])).toEqual(['unknown', 'unlocked']);
    const reported = stage.home.events.filter(
      ({ accessory, characteristic, value }) =>
        accessory === lock.name && characteristic === lock.current.characteristic.UUID && value === SECURED,
    );
    expect(reported).toEqual([]);
    await stage.heal();
  });

  it('answers Home in time while the service takes 30 s for everything (faults#31)', async () => {
    await stage.fault({ kind: 'latency', delayMs: 30_000, often: 'always' });
    const lock = stage.lock('Front door');
    const startedAt = performance.now();
    const setting = lock.tap('unlocked');
    const setMs = setting.then(() => performance.now() - startedAt);
    const slowestRead = await readMeanwhile(setting);
    expect(await setting).toBe(0);
    expect(Math.max(slowestRead, await setMs)).toBeLessThan(ANSWERED_WITHIN_MS);
    // The unlock has left and there is no word of it: whether it is still locked is not known.
    expect(await lock.shown()).not.toBe('unlocked');
    expect(await lock.requested()).toBe('unlocked');
    expect(stage.lines.filter(({ text }) => text.includes('slows down'))).toEqual([]);
  });

  it('leaves no uncaught error in any of its processes (faults#2)', () => {
    expect(stage.lines.filter(({ text }) => text.includes(UNCAUGHT))).toEqual([]);
  });

  it('would be caught leaving something, in a listener or in a promise', async () => {
    for (const accident of ['Promise.reject(new Error("oh"))', 'throw new Error("oh")']) {
      const words = await new Promise<string>((resolve) => {
        const program = `setImmediate(() => { ${accident}; });`;
        execFile(
          process.execPath,
          ['--import', WATCHED, '-e', program],
          { env: { PATH: '' } },
          (_error, _out, said) => {
            resolve(said);
          },
        );
      });
      expect(words).toContain(UNCAUGHT);
    }
  });
});
