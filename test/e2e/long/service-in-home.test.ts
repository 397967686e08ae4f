// A service with a strange clock, that refuses good tokens, or with another account behind it, as Home sees it.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { Scenario } from '../../../simulator/src/scenario/scenario.ts';
import { type TestLock } from '../../harness/test-lock.ts';
import { control } from '../../stand-ins/service/simulated.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

const HOUR_MS = 3_600_000;
/** Two listings in this time are refused. */
const REFUSED_MS = 12_000;

/** Dates that no entry of a history can have, in epoch milliseconds. */
const STRANGE = { ahead: Date.UTC(2036, 3, 14), before: -1_000 };

const run = promisify(execFile);
const printed = z.array(z.object({ time: z.string(), event: z.string(), person: z.string().nullable() }));

const SCENARIO = {
  users: [
    { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
    { userId: 'guest', friendlyName: 'Guest', email: 'guest@home.example' },
  ],
  locks: [
    { name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner', guest: 'guest' } },
    { name: 'Back door', type: 'WifiDeadbolt', roles: { resident: 'owner' } },
  ],
} satisfies Scenario;

describe('Home', () => {
  let stage: OpenedStage;
  let lock: TestLock;

  async function renewals(): Promise<number> {
    const requests = await stage.requests();
    return requests.filter(({ body }) => body?.includes('grant_type=refresh_token')).length;
  }

  /** What `latchkey history` prints of the door: when, what and by whom, the newest first. */
  async function history(): Promise<readonly string[]> {
    const program = join(inject('packed').pluginsFolder, 'homebridge-latchkey', 'dist', 'cli', 'main.js');
    const words = ['history', 'front', '--json', '--limit', '100'];
    const { stdout } = await run(process.execPath, [
      program,
      ...words,
      '--storage',
      stage.installation.storeFolder,
    ]);
    return printed
      .parse(JSON.parse(stdout))
      .map(({ time, event, person }) => `${time} ${event} ${person ?? ''}`);
  }

  async function turn(to: 'Locked' | 'Unlocked', withinMs = 15_000): Promise<void> {
    await lock.at('turn-thumbturn', { to });
    await untilShown(lock, to === 'Locked' ? 'locked' : 'unlocked', withinMs);
  }

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, scenario: SCENARIO });
    lock = stage.lock('Front door');
    await untilShown(lock, 'locked');
  });

  afterEach(async () => {
    await stage.heal();
  });

  afterAll(async () => {
    await stage.leave();
  });

  it('follows the bolt after one answer that is dated an hour ahead, and one without a date (faults#106)', async () => {
    for (const offsetMs of [HOUR_MS, null]) {
      await stage.fault({
        kind: 'date-header',
        offsetMs,
        often: 'once',
        method: 'GET',
        path: '**/devices',
      });
      await stage.refresh();
    }
    await turn('Unlocked');
    await turn('Locked');
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('keeps its link while good tokens are refused, with one renewal at most in this time (faults#89)', async () => {
    const before = await renewals();
    await stage.fault({ kind: 'status', status: 401, often: 'always', method: 'GET', path: '**/devices' });
    await sleep(REFUSED_MS);
    expect((await renewals()) - before).toBeLessThanOrEqual(1);
    await stage.heal();
    await turn('Unlocked', 70_000);
    await turn('Locked');
    expect(stage.homebridge.log()).not.toContain('Connect the account again');
  });

  it('keeps every entry of the history beside two that are dated years ahead and before the epoch (faults#87)', async () => {
    await turn('Unlocked');
    await turn('Locked');
    const known = await history();
    expect(known.length).toBeGreaterThanOrEqual(2);
    for (const at of [STRANGE.ahead, STRANGE.before]) {
      const accessor = { id: 'a71e', friendlyName: 'Nobody', accessType: 'AccessCode' };
      await lock.at('write-history', { eventCode: 'UnlockedByKeypad', at, accessor });
      await history();
    }
    await turn('Unlocked');
    await turn('Locked');
    const kept = await history();
    expect(kept).toEqual(expect.arrayContaining([...known]));
    expect(kept).toHaveLength(known.length + 2);
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('keeps a lock that another account does not list, until a person has answered (faults#97)', async () => {
    await control(stage.simulator.controlUrl, 'house/configure-authorization', {
      autoApproveUserId: 'guest',
    });
    await stage.link();
    await stage.homebridge.line(/seems to be another one: it does not list Back door/, 15_000);
    await stage.home.refresh();
    expect(stage.home.accessories.sort()).toEqual(['Back door', 'Front door']);
    expect(await stage.lock('Back door').shown()).toBe('no response');
    await untilShown(lock, 'locked');
  });
});
