// Mistakes of a service, a gateway or an edited configuration, as Home sees them.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Scenario } from '../../../simulator/src/scenario/scenario.ts';
import type { TestLock } from '../../harness/test-lock.ts';
import { type OpenedStage, openStage, untilShown } from '../stage.ts';

/** A position confirmed longer ago than this does not keep "lock" from being sent. */
const CONFIRMED_FOR_MS = 5_000;
/** Far longer than a bolt travels and the end of its command is read. */
const SLOW_LISTING_MS = 4_000;
/** "Front door", in scripts with marks that a name must not lose. */
const THAI = 'ประตูหน้า';
const HEBREW = 'דֶּלֶת';

const SCENARIO = {
  locks: ['Front door', THAI, HEBREW].map((name) => ({
    name,
    type: 'WifiDeadbolt',
    roles: { resident: 'owner' },
  })),
} satisfies Scenario;

describe('Home', () => {
  let stage: OpenedStage;
  let lock: TestLock;

  async function put(to: 'Locked' | 'Unlocked'): Promise<void> {
    await lock.at('turn-thumbturn', { to });
    await untilShown(lock, to === 'Locked' ? 'locked' : 'unlocked');
  }

  async function untilBolt(position: string, withinMs: number): Promise<void> {
    await expect.poll(() => stage.boltOf(lock), { timeout: withinMs, interval: 50 }).toBe(position);
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

  it('has locks with their given names, in every script (faults#95)', () => {
    expect(stage.home.accessories.sort()).toEqual(['Front door', THAI, HEBREW].sort());
  });

  it('locks what a hand has opened since the last reading, while the list is limited (faults#84)', async () => {
    const wait = { seconds: 20, said: 'retry-after' } as const;
    await stage.fault({
      kind: 'status',
      status: 429,
      wait,
      often: 'always',
      method: 'GET',
      path: '**/devices',
    });
    await sleep(2 * CONFIRMED_FOR_MS);
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    const before = await stage.commands();
    expect(await lock.tap('locked')).toBe(0);
    await untilBolt('Locked', 10_000);
    expect(await stage.commands()).toHaveLength(before.length + 1);
    expect(await lock.tap('unlocked')).toBe(0);
    await untilBolt('Unlocked', 10_000);
    await stage.heal();
    await untilShown(lock, 'unlocked', 40_000);
  });

  it('moves the bolt at once by a tap that follows a lost reply', async () => {
    await put('Locked');
    await stage.fault({
      kind: 'cut',
      when: 'before-work',
      often: 'once',
      method: 'POST',
      path: '**/commands',
    });
    expect(await lock.tap('unlocked')).toBe(0);
    expect(await lock.tap('unlocked')).toBe(0);
    await untilBolt('Unlocked', 10_000);
    await untilShown(lock, 'unlocked');
  });

  it('goes on after pages of a gateway with 401, a missing token endpoint and one wrong refusal (faults#90, faults#91)', async () => {
    await put('Locked');
    await stage.fault({ kind: 'html', status: 401, often: 'once', method: 'GET', path: '**/devices' });
    await stage.fault({ kind: 'status', status: 404, often: 'once', path: '**/token' });
    await stage.fault({ kind: 'html', status: 401, often: 'once', path: '**/token' });
    const refusal = { status: 400, body: { error: 'invalid_grant' } };
    await stage.fault({ kind: 'status', ...refusal, often: 'once', path: '**/token' });
    await sleep(CONFIRMED_FOR_MS + 1_000);
    await lock.at('turn-thumbturn', { to: 'Unlocked' });
    await untilShown(lock, 'unlocked', 40_000);
    expect(stage.homebridge.log()).not.toContain('Connect the account again');
  });

  it('takes no position from a success that names another one, and reads the lock (faults#85)', async () => {
    await put('Unlocked');
    await stage.fault({ kind: 'other-lock-state', often: 'always', path: '**/commands/*' });
    await stage.refresh();
    await stage.fault({
      kind: 'latency',
      delayMs: SLOW_LISTING_MS,
      often: 'always',
      method: 'GET',
      path: '**/devices',
    });
    stage.home.forgetEvents();
    const tappedAt = performance.now();
    expect(await lock.tap('locked')).toBe(0);
    const reported = await lock.showed('locked', 15_000);
    // Its end was read long before: only the listing can have said so.
    expect(reported.at - tappedAt).toBeGreaterThan(SLOW_LISTING_MS);
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('keeps its locks when the block is renamed, and the log says where a new account begins (faults#93)', async () => {
    await stage.reconfigure({ name: 'Cottage' });
    await untilShown(lock, 'locked');
    expect(stage.homebridge.log()).toContain('"Cottage" continues the account that was called "Latchkey"');
    await stage.reconfigure({ name: 'Hut', _bridge: { username: '0E:11:22:33:44:55', port: 0 } });
    await stage.homebridge.line(
      /"Hut" starts as a new account.* stored accounts any more: "Cottage"/,
      30_000,
    );
  });
});
