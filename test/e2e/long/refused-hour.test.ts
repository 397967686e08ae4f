// An hour in which the service refuses good tokens, lived through by a real Homebridge whose clocks run 40 times as fast.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { SleepyMachine } from '../../harness/sleepy-machine.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

const HOUR_MS = 3_600_000;
/** Fast enough for a test, and slow enough that an answer on loopback still comes within a tenth of its deadline. */
const PACE = 40;
const SETTLED_MS = 15_000;
const MOST_RENEWALS = 10;
/** The pause before the next renewal is at most an hour; then one brings the lock back. */
const BACK_WITHIN_MS = HOUR_MS / PACE + SETTLED_MS;
const TAKES_MS = HOUR_MS / PACE + BACK_WITHIN_MS + 60_000;

const folder = mkdtempSync(join(tmpdir(), 'latchkey-hour-'));
const machine = new SleepyMachine(folder);
let stage: OpenedStage;

async function refreshed(): Promise<number> {
  const requests = await stage.requests();
  return requests.filter(({ body }) => body?.includes('grant_type=refresh_token')).length;
}

beforeAll(async () => {
  for (const [name, value] of Object.entries(machine.environment)) {
    vi.stubEnv(name, value);
  }
  stage = await openStage({
    pluginsFolder: inject('packed').pluginsFolder,
    simulatorClock: machine.clock,
  });
}, 120_000);

afterAll(async () => {
  vi.unstubAllEnvs();
  await stage.leave();
  machine.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

it(
  'an account keeps its link through an hour of 401 to good tokens, with ten renewals at most (faults#89)',
  async () => {
    const lock = stage.lock('Front door');
    await untilShown(lock, 'locked');
    await stage.fault({ kind: 'status', status: 401, often: 'always', path: '**/devices' });
    const asked = (await stage.requests()).length;
    const before = await refreshed();
    const begun = stage.simulator.clock.now();
    machine.hurry(PACE);
    await sleep(HOUR_MS / PACE);
    const renewals = (await refreshed()) - before;
    const lastedMs = stage.simulator.clock.now() - begun;
    machine.hurry(1);
    console.log(
      `${Math.round(lastedMs / 60_000)} minutes of 401: ${renewals} renewals, ${(await stage.requests()).length - asked} requests`,
    );
    expect(lastedMs).toBeGreaterThanOrEqual(HOUR_MS);
    expect(renewals).toBeGreaterThan(0);
    expect(renewals).toBeLessThanOrEqual(MOST_RENEWALS);
    expect(await lock.shown()).not.toBe('locked');
    await stage.heal();
    machine.hurry(PACE);
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    await untilShown(lock, 'unlocked', BACK_WITHIN_MS);
    expect(stage.homebridge.log()).not.toContain('Connect the account again');
  },
  TAKES_MS,
);
