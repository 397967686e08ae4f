// HomeKit as controllers other than Apple's see it: aiohomekit, which Home Assistant uses, on our accessories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { unknownLock } from '../../src/domain/locks/lock.ts';
import type { RequestAnswer } from '../../src/engine/account-runtime.ts';
import { describedAs, FRONT } from '../stand-ins/account/runtime.ts';
import { Controllers } from './controllers.ts';
import { HomeBridge } from './home-bridge.ts';

const UNLOCKED = 0;
const LOCKED = 1;

/** Sooner than the controller's own poll, which hides what is wrong after a minute. */
const TRUE_WITHIN_MS = 1_000;

/** A controller connects again when it has noticed, seconds later, and reads by itself after a minute. */
const BEFORE_IT_READS = { timeout: 50_000, interval: 50 };

const CONTROLLERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

const rowSchema = z.object({
  aid: z.number(),
  iid: z.number(),
  service: z.string(),
  type: z.string(),
  value: z.unknown(),
  perms: z.array(z.string()),
});
type Row = z.output<typeof rowSchema>;

const folder = mkdtempSync(join(tmpdir(), 'latchkey-real-homekit-'));
let driver: Controllers;
let bridge: HomeBridge;
let rows: readonly Row[];
let pairing: unknown;

function lockRow(type: 'LOCK_MECHANISM_CURRENT_STATE' | 'LOCK_MECHANISM_TARGET_STATE'): Row {
  return rows.find((row) => row.type === type) ?? expect.fail(`There is no ${type}`);
}

function keyOf({ aid, iid }: Row): string {
  return `${String(aid)}.${String(iid)}`;
}

async function shownBy(name: string, row: Row): Promise<unknown> {
  const values = z.record(z.string(), z.unknown()).parse(await driver.ask('values', { name }));
  return values[keyOf(row)];
}

async function shownByAll(row: Row): Promise<unknown[]> {
  return Promise.all(CONTROLLERS.map(async (name) => shownBy(name, row)));
}

async function passed(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Shown by all, long after the last event. */
async function settledAs(bolt: 'secured' | 'unsecured'): Promise<void> {
  bridge.fixture.runtime.report(FRONT, { bolt });
  await passed(TRUE_WITHIN_MS);
}

async function connectAll(): Promise<void> {
  for (const name of CONTROLLERS) {
    rows = z.array(rowSchema).parse(await driver.ask('connect', { name, pairing }));
    const points = rows.filter(({ perms }) => perms.includes('ev')).map(({ aid, iid }) => [aid, iid]);
    await driver.ask('subscribe', { name, points });
  }
}

beforeAll(async () => {
  driver = new Controllers();
  bridge = await HomeBridge.open(folder, {
    options: { offline: 'noResponse' },
    prepare: (runtime) => runtime.add(unknownLock(FRONT, describedAs('Front door'))),
  });
  bridge.fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
  pairing = await driver.ask('pair', bridge.pairing);
  await connectAll();
});

afterAll(async () => {
  await driver.close();
  await bridge.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('eight controllers that apply events in the order of the message (faults#166)', () => {
  it('end with the last of two changes, whatever lies between them', async () => {
    const current = lockRow('LOCK_MECHANISM_CURRENT_STATE');
    for (const gapMs of [0, 20, 120, 200, 249, 260, 400]) {
      bridge.fixture.runtime.report(FRONT, { bolt: 'secured' });
      await passed(gapMs);
      bridge.fixture.runtime.report(FRONT, { bolt: 'unsecured' });
      await passed(TRUE_WITHIN_MS);
      expect([gapMs, await shownByAll(current)]).toEqual([gapMs, CONTROLLERS.map(() => UNLOCKED)]);
    }
  });

  it('end with the last value of a backlog that came in one go', async () => {
    await settledAs('unsecured');
    for (const bolt of ['secured', 'unsecured', 'secured', 'unsecured'] as const) {
      bridge.fixture.runtime.report(FRONT, { bolt });
    }
    await passed(TRUE_WITHIN_MS);
    expect(await shownByAll(lockRow('LOCK_MECHANISM_CURRENT_STATE'))).toEqual(
      CONTROLLERS.map(() => UNLOCKED),
    );
  });

  it('end with the target of before, when a write of one of them is refused', async () => {
    const target = lockRow('LOCK_MECHANISM_TARGET_STATE');
    await settledAs('secured');
    bridge.fixture.runtime.answer = (id, to) => {
      bridge.fixture.runtime.happen(id, { type: 'requested', target: to });
      bridge.fixture.runtime.happen(id, { type: 'request-dropped' });
      return Promise.resolve({ kind: 'refused', reason: 'too-late' });
    };
    await driver.ask('write', { name: 'one', aid: target.aid, iid: target.iid, value: UNLOCKED });
    await passed(TRUE_WITHIN_MS);
    expect(await shownByAll(target)).toEqual(CONTROLLERS.map(() => LOCKED));
  });

  it('end with the last value of what happened while a write of one of them was under way', async () => {
    const current = lockRow('LOCK_MECHANISM_CURRENT_STATE');
    const target = lockRow('LOCK_MECHANISM_TARGET_STATE');
    await settledAs('secured');
    const asked = Promise.withResolvers<RequestAnswer>();
    bridge.fixture.runtime.answer = async () => asked.promise;
    const written = driver.ask('write', { name: 'one', aid: target.aid, iid: target.iid, value: UNLOCKED });
    await passed(100);
    for (const bolt of ['unsecured', 'secured', 'unsecured', 'secured'] as const) {
      bridge.fixture.runtime.report(FRONT, { bolt });
      await passed(400);
    }
    asked.resolve({ kind: 'accepted' });
    await written;
    await passed(TRUE_WITHIN_MS);
    expect(await shownByAll(current)).toEqual(CONTROLLERS.map(() => LOCKED));
  });
});

describe('a lock that comes back from No Response (faults#167)', () => {
  it('sends both of its states, because a service is unavailable until each has answered', async () => {
    const points = [lockRow('LOCK_MECHANISM_CURRENT_STATE'), lockRow('LOCK_MECHANISM_TARGET_STATE')];
    bridge.fixture.runtime.report(FRONT, { connected: false });
    await passed(TRUE_WITHIN_MS);
    const before = driver.events.length;
    bridge.fixture.runtime.report(FRONT, { connected: true, bolt: 'unsecured' });
    await vi.waitFor(() => {
      const told = driver.events.slice(before).filter(({ by }) => by === 'eight');
      const keys = new Set(told.flatMap(({ values }) => Object.keys(values)));
      expect(points.every((point) => keys.has(keyOf(point)))).toBe(true);
    }, TRUE_WITHIN_MS);
  });
});

describe('a door that was turned during a restart (faults#167)', () => {
  it('is shown as it is, after a stop and after a kill, by a controller that does not read', async () => {
    const identity = (): unknown => rows.map(({ aid, iid, service, type }) => [aid, iid, service, type]);
    const before = identity();
    for (const [how, bolt, shown] of [
      ['stopped', 'secured', LOCKED],
      ['killed', 'unsecured', UNLOCKED],
      ['stopped', 'secured', LOCKED],
      ['killed', 'unsecured', UNLOCKED],
      ['stopped', 'secured', LOCKED],
      ['killed', 'unsecured', UNLOCKED],
    ] as const) {
      bridge = await bridge.ended(how);
      bridge.fixture.runtime.report(FRONT, { bolt, connected: true });
      await bridge.publish();
      await vi.waitFor(
        async () => expect(await shownBy('one', lockRow('LOCK_MECHANISM_CURRENT_STATE'))).toBe(shown),
        BEFORE_IT_READS,
      );
    }
    await connectAll();
    expect(identity()).toEqual(before);
  });

  it('is shown as it is by a controller that comes seconds after the others', async () => {
    const current = lockRow('LOCK_MECHANISM_CURRENT_STATE');
    const points = [[current.aid, current.iid]];
    await settledAs('unsecured');
    await driver.ask('connect', { name: 'late', pairing });
    await driver.ask('close', { name: 'late' });
    bridge = await bridge.ended('stopped');
    bridge.fixture.runtime.report(FRONT, { bolt: 'secured', connected: true });
    await bridge.publish();
    await vi.waitFor(async () => expect(await shownBy('one', current)).toBe(LOCKED), BEFORE_IT_READS);
    await passed(TRUE_WITHIN_MS);
    expect(await shownBy('late', current)).toBe(UNLOCKED);
    await driver.ask('again', { name: 'late', pairing, points });
    await vi.waitFor(async () => expect(await shownBy('late', current)).toBe(LOCKED), BEFORE_IT_READS);
  });
});
