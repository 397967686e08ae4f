// The long versions of the tests with real processes: a thousand crashes, kills and races, and an owner that is stopped.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Account } from '../e2e/faults/account.ts';
import { type CrashReport, crashAccount } from '../e2e/faults/runtime-crashes.ts';
import { killBetweenAnswerAndRow } from '../e2e/faults/token-kills.ts';
import { raceForTokens } from '../e2e/faults/token-races.ts';

/** What "torture" promises in docs/develop/faults.md; a smaller multiple of fifty is for trying these tests themselves. */
const TIMES = Number(process.env['TORTURE_TIMES'] ?? 1_000);
/** So often one account is tried; then another begins, because the simulator remembers every request. */
const CRASHES_OF_ONE = 50;
const AN_HOUR_MS = 3_600_000;
/** An owner that stands still keeps the account for longer than this. */
const STOPPED_FOR_MS = 40_000;
const TAKEN_OVER_WITHIN_MS = 5_000;

describe('an account under torture', () => {
  it(
    'sends no command again, shows the truth and keeps its file whole, however often it is killed (faults#9, faults#33)',
    async () => {
      const reports: CrashReport[] = [];
      for (let runtime = 0; runtime < TIMES / CRASHES_OF_ONE; runtime += 1) {
        reports.push(await crashAccount(CRASHES_OF_ONE, randomUUID()));
        console.log(`Crashes at random points: ${JSON.stringify(reports.at(-1))}`);
      }
      const sum = (count: (report: CrashReport) => number): number =>
        reports.reduce((total, report) => total + count(report), 0);
      expect(sum(({ crashes }) => crashes)).toBe(TIMES);
      expect(sum(({ underWay }) => underWay)).toBeGreaterThan(TIMES / 10);
      expect(sum(({ sent }) => sent)).toBeGreaterThan(TIMES / 3);
    },
    AN_HOUR_MS,
  );

  it(
    'loses no link by being killed between the answer of a renewal and its row (faults#8)',
    async () => {
      const states = await killBetweenAnswerAndRow(TIMES);
      expect(states).toEqual(Array.from({ length: TIMES }, () => 'linked'));
    },
    AN_HOUR_MS,
  );

  it(
    'has its token renewed at most once a round for three processes (faults#7)',
    async () => {
      let renewed = 0;
      for (let runtime = 0; runtime < TIMES / CRASHES_OF_ONE; runtime += 1) {
        const { races, uncaught } = await raceForTokens(CRASHES_OF_ONE);
        expect(races.filter(({ posts, mostPosts }) => posts > mostPosts)).toEqual([]);
        expect(uncaught).toEqual([]);
        // A poll of the owner may have renewed the token just before a round.
        renewed += races.filter(({ posts }) => posts > 0).length;
      }
      console.log(
        `Rounds for a token: ${TIMES}, of which ${renewed} had it renewed, and the others found it new`,
      );
      expect(renewed).toBeGreaterThan(TIMES / 2);
    },
    AN_HOUR_MS,
  );

  it('stays with an owner that is stopped, which is named, and is free at once when that is killed (faults#17, faults#162)', async () => {
    const account = await Account.open();
    const stopped = account.process('plugin');
    await stopped.ready;
    await account.link(stopped);
    stopped.signal('SIGSTOP');
    const next = account.process('plugin');
    await expect.poll(() => next.lines.join(), { timeout: 20_000 }).toContain('owns this account');
    const first = await Promise.race([next.ready.then(() => 'owned'), delay(STOPPED_FOR_MS, 'waits')]);
    expect(first).toBe('waits');
    const killedAt = performance.now();
    await stopped.end('SIGKILL');
    await next.ready;
    const tookMs = performance.now() - killedAt;
    console.log(`The account of an owner that was killed was taken after ${Math.round(tookMs)} ms`);
    expect(tookMs).toBeLessThan(TAKEN_OVER_WITHIN_MS);
    expect(await next.ask('status')).toMatchObject({ link: 'linked' });
  }, 120_000);
});
