// Flats with booking calendars at a real broker: a device each, with the stay that is there or comes next.
import { describe, expect, it } from 'vitest';
import type { BookedStays } from '../../../../../src/domain/codes/booked-stays.ts';
import { hasMosquitto } from '../../../../harness/mosquitto.ts';
import { FRONT } from '../../../../stand-ins/account/runtime.ts';
import { aCalendar, aStay } from '../../../../stand-ins/account/stays.ts';
import { BASE, brokerHome } from './fixture.ts';

const STATE = `${BASE}/flat-page-1-`;

/** Stays that a test moves by hand, of one flat. */
function booked(...stays: ReturnType<BookedStays['list']>) {
  const listeners = new Set<() => void>();
  const facts = { stays, calendars: [aCalendar({ locks: [FRONT] })] };
  const view: BookedStays = {
    calendars: () => facts.calendars,
    list: () => facts.stays,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const change = (changes: Partial<typeof facts>): void => {
    Object.assign(facts, changes);
    for (const listener of listeners) {
      listener();
    }
  };
  return { view, change };
}

const NEXT = aStay(2, 5, { name: 'Stay 12-15 Dec', phase: 'preparing', isCodeReady: false });
const OF_THE_FLAT = { calendarId: 'page:1' };

describe.runIf(hasMosquitto)('a flat at a broker', () => {
  async function openFlat(...stays: ReturnType<BookedStays['list']>) {
    const home = await brokerHome();
    const { view, change } = booked(...stays);
    home.open({ stays: view });
    const latest = () =>
      home.ha.seen
        .filter(({ topic }) => topic.startsWith(STATE) && topic.endsWith('/state'))
        .map(({ text }) => (text === '' ? null : (JSON.parse(text) as Record<string, unknown>)))
        .at(-1);
    await expect.poll(latest).toBeDefined();
    return { home, change, latest };
  }

  it('says who comes next, from when until when, at which lock, and whether the code is ready (faults#157)', async () => {
    const { home, change, latest } = await openFlat({ ...NEXT, ...OF_THE_FLAT });
    expect(latest()).toEqual({
      name: 'Garden flat',
      code_missing: false,
      locks: ['Front door'],
      stay: 'Stay 12-15 Dec',
      phase: 'expected',
      from: new Date(NEXT.arrivalAt).toISOString(),
      until: new Date(NEXT.departureAt).toISOString(),
      code_ready: false,
    });
    // By the rules of Home Assistant, or it would throw.
    const devices = [...home.ha.devices().values()].map(({ device }) => device.name);
    expect(devices).toContain('Garden flat');
    change({ stays: [{ ...NEXT, ...OF_THE_FLAT, phase: 'ready', isCodeReady: true }] });
    await expect.poll(() => latest()?.['code_ready']).toBe(true);
  });

  it('names the guest who is there, and still says that the code of the next one is missing', async () => {
    const there = aStay(-1, 1, { ...OF_THE_FLAT, name: 'Stay 9-11 Dec', phase: 'arrived' });
    const late = { ...NEXT, ...OF_THE_FLAT, isCodeLate: true };
    const { change, latest } = await openFlat(late, there);
    expect(latest()).toMatchObject({ stay: 'Stay 9-11 Dec', phase: 'there', code_missing: true });
    change({ stays: [{ ...there, phase: 'leaving' }] });
    await expect.poll(latest).toMatchObject({ stay: null, phase: 'free', from: null, code_missing: false });
  });

  it('tells no digits, no words of the booking and no stay that is skipped or over', async () => {
    const { latest } = await openFlat(
      aStay(0, 1, { ...OF_THE_FLAT, phase: 'skipped' }),
      aStay(1, 2, { ...OF_THE_FLAT, phase: 'gone' }),
      aStay(2, 3, {
        ...OF_THE_FLAT,
        phase: 'planned',
        name: 'Call 0171 5550123',
        booking: 'Booked by Anna, 0171 5550123',
      }),
    );
    expect(latest()).toMatchObject({ stay: 'Stay', phase: 'expected' });
    expect(JSON.stringify(latest())).not.toMatch(/0123|Anna|Booked/);
  });

  it('leaves with its calendar, device and all', async () => {
    const { home, change, latest } = await openFlat({ ...NEXT, ...OF_THE_FLAT });
    const flats = () => [...home.ha.devices().keys()].filter((id) => id.includes('flat-'));
    expect(flats()).toHaveLength(1);
    change({ calendars: [] });
    await expect.poll(latest).toBeNull();
    await expect.poll(flats).toEqual([]);
  });
});
