// Events from ahead of the service's clock, seen from Home: what happened last is shown, however they are dated.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { control } from '../../stand-ins/service/simulated.ts';
import { Tunnel } from '../../tour/tunnel.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

/** One delivery, one reading, the quarter second for which HAP holds events, and room for a busy machine. */
const SETTLED_MS = 3_000;
/** Of listings that events cause. */
const PACE_MS = 5_000;
/** Polls come so seldom that none of them can heal anything meanwhile. */
const POLL_SECONDS = 300;
const REGISTERED_MS = 30_000;
/** One history each six seconds, and room for a busy machine. */
const AUDITED_MS = 40_000;

describe('two turns of a bolt, dated 1.0 s and 2.6 s ahead of the service’s clock', () => {
  const tunnel = new Tunnel();
  let stage: OpenedStage;

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = await tunnel.open(port);
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder });
    await control(stage.simulator.controlUrl, 'house/configure-webhooks', { allowHttpToLoopback: true });
    await stage.reconfigure({
      webhooks: { enabled: true, port, publicUrl },
      polling: { idleSeconds: POLL_SECONDS },
    });
    await stage.homebridge.line(/Webhooks arrive/, REGISTERED_MS);
    // After its first event the history of a lock is read once, which would find a wrong state by itself.
    const locks = ['Front door', 'Back door'].map((name) => stage.lock(name));
    for (const to of ['Unlocked', 'Locked']) {
      await Promise.all(locks.map(async (lock) => lock.at('turn-thumbturn', { to })));
      await stage.simulator.deliveriesIdle();
    }
    await vi.waitFor(
      async () => {
        if ((await historiesRead()) < locks.length) {
          throw new Error('The histories are not read yet');
        }
      },
      { timeout: AUDITED_MS, interval: 500 },
    );
    await sleep(PACE_MS);
  });

  async function historiesRead(): Promise<number> {
    const requests = await stage.requests();
    return new Set(requests.map(({ url }) => url).filter((url) => url.includes('/history'))).size;
  }

  afterAll(async () => {
    await stage.leave();
    await tunnel.close();
  });

  it.each([
    ['unlocked', 'locked'],
    ['locked', 'unlocked'],
  ] as const)('are shown as the second left it: %s, then at once %s (faults#83)', async (first, then) => {
    const lock = stage.lock(then === 'locked' ? 'Front door' : 'Back door');
    const word = { locked: 'Locked', unlocked: 'Unlocked' } as const;
    await lock.at('turn-thumbturn', { to: word[then] });
    await untilShown(lock, then);
    for (const [to, offsetMs] of [
      [first, 1_000],
      [then, 2_600],
    ] as const) {
      await control(stage.simulator.controlUrl, 'house/fail-deliveries', {
        kind: 'misdate',
        offsetMs,
        often: 'once',
        trigger: 'DeviceLockStateChanged',
      });
      await lock.at('turn-thumbturn', { to: word[to] });
      await stage.simulator.deliveriesIdle();
    }
    // A second reading waits for the pace of listings, two in 5 s.
    await untilShown(lock, then, PACE_MS + SETTLED_MS);
    expect(stage.boltOf(lock)).toBe(word[then]);
    await sleep(2 * SETTLED_MS);
    expect(await lock.shown()).toBe(then);
  });
});
