// Kills a process that keeps an account, again and again at random moments, and checks the state of the next one.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createRandom } from '../../../simulator/src/world/random.ts';
import { mostMs } from '../../harness/how-often.ts';
import { Account } from './account.ts';
import type { IpcProcess } from './ipc-process.ts';

/** What the next process must have found out within, in milliseconds, whatever was under way when the one before died. */
const TRUTH_WITHIN_MS = 15_000;
const HOUR_MS = 3_600_000;
/** A bolt that is quick, so that a thousand crashes take an hour and not a day. */
const TRAVEL_MS = 250;
/** What was sent in the last moment has arrived after this. */
const ARRIVED_AFTER_MS = 100;
/** The longest life of a process that is to be killed while it begins, and of one after it was asked to move bolts. */
const LONGEST_START_MS = 600;
const LONGEST_MOVE_MS = 450;

export interface CrashReport {
  readonly seed: string;
  readonly crashes: number;
  /** The number of kills before the process was ready. */
  readonly whileStarting: number;
  /** The number of kills that left a command without an end in the journal. */
  readonly underWay: number;
  /** Commands that were requested, and that the service was sent. */
  readonly requested: number;
  readonly sent: number;
}

type BoltPosition = 'secured' | 'unsecured';

interface Shown {
  readonly id: string;
  readonly bolt: string;
  readonly target: string | null;
}

const SPOKEN: Readonly<Record<string, string>> = { Locked: 'secured', Unlocked: 'unsecured' };

/** Crashes one account `crashes` times. Fails when a command is sent again, when a lie is shown, or when the file is torn. */
export async function crashAccount(crashes: number, seed: string): Promise<CrashReport> {
  const random = createRandom(seed);
  const account = await Account.open({ seed, authorization: { refreshGraceMs: 60_000 } });
  const { world, clock } = account.simulator;
  for (const id of world.deviceIds()) {
    world.configure(id, { travelMs: TRAVEL_MS, drainPerMovement: 0 });
  }
  const report = { seed, crashes, whileStarting: 0, underWay: 0, requested: 0, sent: 0 };
  let runtime = account.process('plugin');
  await runtime.ready;
  await account.link(runtime);
  for (let crash = 0; crash < crashes; crash += 1) {
    if (random.next() < 0.7) {
      report.requested += await moveSomething(runtime, world.deviceIds(), random);
      await sleep(random.integer(0, LONGEST_MOVE_MS));
    } else {
      // The next process begins with a renewal of the token, and does not live to see its end, or does.
      await runtime.end('SIGKILL');
      clock.advance(HOUR_MS + 1);
      runtime = account.process('plugin');
      await sleep(random.integer(0, LONGEST_START_MS));
      report.whileStarting += runtime.isReady ? 0 : 1;
    }
    await runtime.end('SIGKILL');
    expect(runtime.uncaught).toEqual([]);
    await sleep(ARRIVED_AFTER_MS);
    report.underWay += account.openCommands() > 0 ? 1 : 0;
    expect(account.integrity()).toBe('ok');
    report.sent = await account.commands();
    expect(report.sent).toBeLessThanOrEqual(report.requested);

    runtime = account.process('plugin');
    await runtime.ready;
    await showsTheTruth(runtime, account);
    expect(await account.commands()).toBe(report.sent);
  }
  await runtime.end('SIGTERM');
  return report;
}

/** Requests something of one to three locks, each to the side where it is not; resolves with how many, once they are sent. */
async function moveSomething(
  runtime: IpcProcess,
  ids: readonly string[],
  random: { integer(least: number, most: number): number },
): Promise<number> {
  const shown = (await runtime.ask('locks')) as readonly Shown[];
  const chosen = ids.slice(0, random.integer(1, ids.length));
  for (const lock of chosen) {
    const to: BoltPosition =
      shown.find(({ id }) => id === lock)?.bolt === 'secured' ? 'unsecured' : 'secured';
    // Its answer may die with the process.
    runtime.ask('move', { lock, to }).catch(() => {});
  }
  return chosen.length;
}

/**
 * Waits until each lock is shown where it is, and aims nowhere else. A command that nobody answered for is the exception:
 * the target may follow the truth up to 36 s later (faults, row 25), and is not waited for.
 */
async function showsTheTruth(runtime: IpcProcess, account: Account): Promise<void> {
  const { world } = account.simulator;
  const wrong = async (): Promise<unknown> => {
    const shown = (await runtime.ask('locks')) as readonly Shown[];
    const unanswered = account.unansweredLocks();
    return world
      .deviceIds()
      .map((id) => ({
        isAt: world.inspect(id).bolt,
        isUnanswered: unanswered.includes(id),
        shown: shown.find((one) => one.id === id),
      }))
      .filter(({ isAt, isUnanswered, shown: lock }) => {
        const aims = lock?.target === null || isUnanswered;
        return !aims || lock?.bolt !== SPOKEN[isAt];
      });
  };
  await expect.poll(wrong, { timeout: mostMs(TRUTH_WITHIN_MS), interval: 50 }).toEqual([]);
}
