// A machine that sleeps, as Home sees it: beliefs and decisions from before are not shown after it wakes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { SleepyMachine } from '../../harness/sleepy-machine.ts';
import { type TestLock } from '../../harness/test-lock.ts';
import { control } from '../../stand-ins/service/simulated.ts';
import { Tunnel } from '../../tour/tunnel.ts';
import { watchReads } from '../faults/watched-reads.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Polls come so seldom that none of them can heal anything meanwhile. */
const POLL_SECONDS = 300;
const REGISTERED_MS = 30_000;
/** HAP holds events back for a quarter of a second. */
const HELD_MS = 500;
/** The effect of an event is visible within this time. */
const SETTLED_MS = 3_000;
/** A sign-in this slow lost the link once. */
const SLOW_TOKEN_MS = 12_000;
const SECURED = 1;

describe('a machine that has slept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-asleep-'));
  const machine = new SleepyMachine(folder);
  const tunnel = new Tunnel();
  let stage: OpenedStage;
  let lock: TestLock;

  beforeAll(async () => {
    for (const [name, value] of Object.entries(machine.environment)) {
      vi.stubEnv(name, value);
    }
    const port = await freePort();
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      scenario: { settings: { webhooks: { allowHttpToLoopback: true } } },
      simulatorClock: machine.clock,
      options: {
        webhooks: { enabled: true, port, publicUrl: await tunnel.open(port) },
        polling: { idleSeconds: POLL_SECONDS, healthySeconds: POLL_SECONDS },
      },
    });
    await stage.homebridge.line(/Webhooks arrive/, REGISTERED_MS);
    lock = stage.lock('Front door');
  });

  afterEach(async () => {
    await stage.heal();
    await clearDeliveries();
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await stage.leave();
    await tunnel.close();
    machine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function turn(to: 'Locked' | 'Unlocked'): Promise<void> {
    await lock.at('turn-thumbturn', { to });
  }

  async function put(to: 'Locked' | 'Unlocked'): Promise<void> {
    await turn(to);
    await untilShown(lock, to === 'Locked' ? 'locked' : 'unlocked');
    await stage.simulator.deliveriesIdle();
    await sleep(HELD_MS);
    stage.home.forgetEvents();
  }

  async function failDeliveries(
    fault: { readonly kind: 'drop' } | { readonly kind: 'delay'; readonly delayMs: number },
  ): Promise<void> {
    await control(stage.simulator.controlUrl, 'house/fail-deliveries', { ...fault, often: 'always' });
  }

  async function clearDeliveries(): Promise<void> {
    await control(stage.simulator.controlUrl, 'house/clear-delivery-faults', {});
  }

  /** A hand that no event reports. */
  async function turnUnreported(to: 'Locked' | 'Unlocked'): Promise<void> {
    await failDeliveries({ kind: 'drop' });
    await turn(to);
    await clearDeliveries();
  }

  function reportedLocked(): number {
    return stage.home.events.filter(
      ({ accessory, characteristic, value }) =>
        accessory === lock.name && characteristic === lock.current.characteristic.UUID && value === SECURED,
    ).length;
  }

  it.each([
    ['with its waking', 0],
    ['after the listing', 5_000],
  ])('shows an old "Locked" that comes %s not for a millisecond (faults#82)', async (_when, lateMs) => {
    await put('Locked');
    await machine.sleep(stage, HOUR_MS, async (pass) => {
      await turnUnreported('Unlocked');
      pass(MINUTE_MS);
      await failDeliveries({ kind: 'delay', delayMs: HOUR_MS - MINUTE_MS + lateMs });
      await turn('Locked');
      await clearDeliveries();
      pass(MINUTE_MS);
      await turnUnreported('Unlocked');
    });
    const watch = watchReads(lock);
    await untilShown(lock, 'unlocked');
    await sleep(lateMs);
    await stage.simulator.deliveriesIdle();
    await sleep(SETTLED_MS);
    expect(new Set(await watch.end())).not.toContain('locked');
    expect(reportedLocked()).toBe(0);
    expect(await lock.shown()).toBe('unlocked');
    const old = JSON.parse(tunnel.lastEvent().body.toString()) as unknown;
    expect(JSON.stringify(old)).toContain('"Locked"');
  });

  it('keeps its link when the sign-in takes 12 s then, and spends each token once (faults#81)', async () => {
    await put('Locked');
    await stage.fault({
      kind: 'latency',
      when: 'after-work',
      delayMs: SLOW_TOKEN_MS,
      often: 'once',
      path: '**/token',
    });
    await machine.sleep(stage, HOUR_MS, async (pass) => {
      pass(MINUTE_MS);
      await turnUnreported('Unlocked');
    });
    await untilShown(lock, 'unlocked', SLOW_TOKEN_MS + 2 * SETTLED_MS);
    const bodies = (await stage.requests()).flatMap(({ body }) =>
      body?.includes('grant_type=refresh_token') ? [body] : [],
    );
    expect(bodies.length).toBeGreaterThan(1);
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(stage.homebridge.log()).not.toContain('Connect the account again');
  });
});
