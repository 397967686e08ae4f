// Webhooks that cannot be verified yet, or never come, as Home sees it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SleepyMachine } from '../../harness/sleepy-machine.ts';
import { type TestLock } from '../../harness/test-lock.ts';
import { control } from '../../stand-ins/service/simulated.ts';
import { Tunnel } from '../../tour/tunnel.ts';
import { type OpenedStage, untilShown } from '../stage.ts';
import { openHookedStage } from './hooked-stage.ts';

const MINUTE_MS = 60_000;
/** Without webhooks polls would come so seldom that none heals anything here. */
const IDLE_SECONDS = 300;
/** What polls promise while webhooks arrive, by default, with two seconds for the answer and for Home. */
const HEALED_WITHIN_MS = 62_000;
/** The turn follows a listing by seconds of the hurried clock: no poll can be due before this. */
const NO_POLL_BEFORE_MS = 40_000;
/** A paced reading: far sooner than the next poll, and than the next fetch of the keys. */
const READ_WITHIN_MS = 4_000;
/** Fast enough for a test; two seconds are then 400 ms, in which a busy machine still answers. */
const PACE = 5;
/** HAP holds events back for a quarter of a second. */
const HELD_MS = 500;

describe('Home', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-webhooks-'));
  const machine = new SleepyMachine(folder);
  const tunnel = new Tunnel();
  let stage: OpenedStage;
  let lock: TestLock;

  beforeAll(async () => {
    stage = await openHookedStage(machine, tunnel, { idleSeconds: IDLE_SECONDS });
    lock = stage.lock('Front door');
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await stage.leave();
    await tunnel.close();
    machine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function put(to: 'Locked' | 'Unlocked'): Promise<void> {
    await lock.at('turn-thumbturn', { to });
    await untilShown(lock, to === 'Locked' ? 'locked' : 'unlocked', MINUTE_MS);
    await stage.simulator.deliveriesIdle();
    await sleep(HELD_MS);
  }

  /** How often the service was asked for its key, and for the list of locks. */
  async function asked(what: 'publickey' | 'devices'): Promise<number> {
    const requests = await stage.requests();
    return requests.filter(({ method, url }) => method === 'GET' && url.endsWith(`/${what}`)).length;
  }

  function changesOfHealth(): number {
    return stage.lines.filter(({ text }) => /polled (?:more|less) often/.test(text)).length;
  }

  it('shows an unlock that is signed by a key of this very minute within seconds, by one reading', async () => {
    machine.hurry(PACE);
    await sleep(MINUTE_MS / PACE);
    machine.hurry(1);
    await control(stage.simulator.controlUrl, 'house/rotate-signing-key', {});
    const fetched = await asked('publickey');
    await put('Locked');
    await put('Unlocked');
    await put('Locked');
    expect(await asked('publickey')).toBe(fetched + 1);

    await control(stage.simulator.controlUrl, 'house/rotate-signing-key', {});
    await stage.refresh();
    const listed = await asked('devices');
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    await untilShown(lock, 'unlocked', READ_WITHIN_MS);
    // The new key is not known yet, so nothing but the reading can have said so.
    expect(await asked('publickey')).toBe(fetched + 1);
    expect(await asked('devices')).toBe(listed + 1);
    expect(await tunnel.send(tunnel.lastEvent())).toBe(401);
  });

  it('is right within a minute and two seconds of an unlock whose webhook was lost', async () => {
    await put('Locked');
    const known = changesOfHealth();
    machine.hurry(PACE);
    try {
      await stage.refresh();
      await control(stage.simulator.controlUrl, 'house/fail-deliveries', { kind: 'drop', often: 'always' });
      const turnedAt = stage.simulator.clock.now();
      await lock.at('turn-thumbturn', { to: 'Unlocked' });
      await untilShown(lock, 'unlocked', (2 * HEALED_WITHIN_MS) / PACE);
      const wrongForMs = stage.simulator.clock.now() - turnedAt;
      expect(wrongForMs).toBeGreaterThan(NO_POLL_BEFORE_MS);
      expect(wrongForMs).toBeLessThanOrEqual(HEALED_WITHIN_MS);
      expect(changesOfHealth()).toBe(known);
    } finally {
      machine.hurry(1);
      await control(stage.simulator.controlUrl, 'house/clear-delivery-faults', {});
    }
  });
});
