// A machine that sleeps, as Home sees it: beliefs and decisions from before are not shown after it wakes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { watchReads } from '../e2e/faults/watched-reads.ts';
import { type OpenedStage, untilShown } from '../e2e/stage.ts';
import { SleepyMachine } from '../harness/sleepy-machine.ts';
import type { SentRequest } from '../harness/stage.ts';
import { type TestLock } from '../harness/test-lock.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { Tunnel } from '../tour/tunnel.ts';
import { openHookedStage } from './hooked-stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Polls come so seldom that none of them can heal anything meanwhile. */
const POLL_SECONDS = 300;
/** HAP holds events back for a quarter of a second. */
const HELD_MS = 500;
/** The effect of an event is visible within this time. */
const SETTLED_MS = 3_000;
/** A sign-in this slow lost the link once. */
const SLOW_TOKEN_MS = 12_000;
/** A command that nobody hears of any more is followed for ten seconds, with listings in between. */
const TRAVEL_MS = 30_000;
const SECURED = 1;

describe('a machine that has slept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-asleep-'));
  const machine = new SleepyMachine(folder);
  const tunnel = new Tunnel();
  let stage: OpenedStage;
  let lock: TestLock;

  beforeAll(async () => {
    stage = await openHookedStage(machine, tunnel, {
      idleSeconds: POLL_SECONDS,
    });
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

  async function slowListings(delayMs: number): Promise<void> {
    await stage.fault({ kind: 'latency', delayMs, often: 'always', method: 'GET', path: '**/devices' });
  }

  /** Questions how a command ends. */
  async function readBacks(): Promise<readonly SentRequest[]> {
    return (await stage.requests()).filter(({ method, url }) => method === 'GET' && /\/commands\//.test(url));
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

  it.each(['an answer', 'an event'])(
    'shows nothing from the end of a command that comes only then as %s, until a listing is in (faults#88)',
    async (how) => {
      await put('Unlocked');
      await stage.fault({
        kind: 'latency',
        delayMs: MINUTE_MS,
        often: 'always',
        method: 'GET',
        path: '**/commands/*',
      });
      const asked = await readBacks();
      await failDeliveries(how === 'an event' ? { kind: 'delay', delayMs: HOUR_MS } : { kind: 'drop' });
      expect(await lock.tap('locked')).toBe(0);
      await expect.poll(async () => (await readBacks()).length).toBeGreaterThan(asked.length);
      if (how === 'an answer') {
        await slowListings(SETTLED_MS);
      }
      await machine.sleep(stage, HOUR_MS, async (pass) => {
        pass(2 * MINUTE_MS);
        expect(stage.boltOf(lock)).toBe('Locked');
        await turnUnreported('Unlocked');
      });
      const watch = watchReads(lock);
      // A bolt whose command has no end may still travel: until then "unlocked" may be where it came from.
      await untilShown(lock, 'unlocked', TRAVEL_MS);
      expect(new Set(await watch.end())).not.toContain('locked');
      expect(reportedLocked()).toBe(0);
      const answer = (await readBacks())[asked.length]?.answer;
      expect(answer).toContain('"Successful"');
    },
  );

  it('sends "lock" although the last word before the sleep was "Locked" (faults#84)', async () => {
    await put('Locked');
    const before = await stage.commands();
    await stage.refresh();
    await slowListings(2 * SETTLED_MS);
    await machine.sleep(stage, 10 * MINUTE_MS, async (pass) => {
      pass(MINUTE_MS);
      await turnUnreported('Unlocked');
    });
    expect(await lock.tap('locked')).toBe(0);
    await expect.poll(() => stage.boltOf(lock)).toBe('Locked');
    await untilShown(lock, 'locked');
    expect(await stage.commands()).toHaveLength(before.length + 1);
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
