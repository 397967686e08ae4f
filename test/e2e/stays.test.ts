// A booking calendar in config.json of a real Homebridge: the packed plugin reads it, and guests' codes are at the keypads.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { type TestLock } from '../harness/test-lock.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const ZONE = 'America/New_York';
const DOORS = ['Front door', 'Back door'] as const;
/** The start, the first listing, and two codes on each of two locks, on a busy machine. */
const READ_WITHIN_MS = 60_000;

const state = z.object({
  calendars: z.array(z.object({ bookings: z.array(z.object({ phone: z.string() })) })),
});

describe('a booking calendar in config.json', () => {
  let stage: OpenedStage;
  let front: TestLock;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      lockOptions: Object.fromEntries(DOORS.map((name) => [name, { timeZone: ZONE }])),
    });
    front = stage.lock(DOORS[0]);
  });

  afterAll(async () => {
    await stage.leave();
  });

  const ofWorld = () => {
    const { world } = stage.simulator;
    return world.deviceIds().map((id) => Object.assign({ id }, world.inspect(id)));
  };

  /** How many codes of stays each door has. */
  const codesOfStays = () =>
    DOORS.map((door) => {
      const codes = ofWorld().find(({ name }) => name === door)?.codesOnLock ?? [];
      return codes.filter(({ name }) => name.startsWith('Stay ')).length;
    });

  it('puts the codes of the guest who is there and of the next one on its locks', async () => {
    const locks = DOORS.map((door) => ofWorld().find(({ name }) => name === door)?.id);
    await stage.reconfigure({ stays: [{ name: 'Flat', address: stage.calendar().url, locks }] });
    // By itself it is read within 25 s; nobody waits for that here.
    const pages = await stage.pages();
    await pages.call('stays.read', {});
    await pages.close();
    await expect.poll(codesOfStays, { timeout: READ_WITHIN_MS, interval: 100 }).toEqual([2, 2]);
    await stage.homebridge.line(/Calendar "Flat", stays: 3 new/u, READ_WITHIN_MS);
    expect(stage.complaints()).toEqual([]);
  });

  it('lets the guest in whose stay it is, with the last digits of the phone, and not yet the next one', async () => {
    const answer = await fetch(`${stage.simulator.controlUrl}/state`);
    const [present, next] = state
      .parse(await answer.json())
      .calendars.flatMap(({ bookings }) => bookings.map(({ phone }) => phone.slice(-4)));
    const typed = async (code: string | undefined): Promise<unknown> =>
      control(stage.simulator.controlUrl, `locks/${front.name}/type-code`, { code });
    expect(await typed(next)).toMatchObject({ result: { keypad: 'refused' } });
    expect(await typed(present)).toMatchObject({ result: { keypad: 'accepted' } });
    await untilShown(front, 'unlocked');
    expect(stage.boltOf(front)).toBe('Unlocked');
  });

  it('leaves the address of the calendar in no line of the log (faults#66)', () => {
    const secret = new URL(stage.calendar().url).pathname.split('/').at(-1)?.replace('.ics', '') ?? '';
    expect(secret.length).toBeGreaterThan(20);
    expect(stage.lines.filter(({ text }) => text.includes(secret))).toEqual([]);
  });
});
