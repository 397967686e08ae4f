// The definition of growth in a soak: a little every day, and not one step.
import { describe, expect, it } from 'vitest';
import type { DayMark } from '../../soak/day-mark.ts';
import { growthOf, slopeOf } from '../../soak/growth.ts';

const DAYS = 30;

/** Days that are all alike but for what `change` makes of them. */
function days(change: (day: number) => Partial<DayMark>, count = DAYS): DayMark[] {
  return Array.from({ length: count }, (_, index) => ({
    day: index + 1,
    heapBytes: 58e6,
    codeBytes: 8e6,
    rssBytes: 330e6,
    timers: 7,
    openFiles: 43,
    handles: { TCPSocketWrap: 7 },
    rows: { history_entry: 400, setting: 8, command: 500, received_event: 600 },
    databaseBytes: 400e3,
    walBytes: 4e6,
    storeBytes: 5e6,
    logLines: 105,
    complaints: 25,
    counts: { 'events delivered': 60 },
    ...change(index + 1),
  }));
}

function grown(marks: readonly DayMark[]): string[] {
  return growthOf(marks).flatMap(({ name, isFlat }) => (isFlat ? [] : [name]));
}

describe('the growth in a soak', () => {
  it('is zero where every day is like the one before (faults#75)', () => {
    const growths = growthOf(days(() => ({})));
    expect(growths.length).toBeGreaterThan(8);
    expect(growths.every(({ value, name }) => value === 0 || name.endsWith('at any time'))).toBe(true);
  });

  it.each<[string, (day: number) => Partial<DayMark>]>([
    ['live heap, kB, a day', (day) => ({ heapBytes: 58e6 + day * 100e3, codeBytes: 8e6 + day * 100e3 })],
    ['the same without compiled code, kB, a day', (day) => ({ heapBytes: 58e6 + day * 56e3 })],
    ['resident set, MB, a day', (day) => ({ rssBytes: 330e6 + day * 6e6 })],
    ['handles, a day', (day) => ({ handles: { TCPSocketWrap: 7, PipeWrap: Math.floor(day / 4) } })],
    ['timers, a day', (day) => ({ timers: 7 + day })],
    ['open files, a day', (day) => ({ openFiles: 43 + Math.floor(day / 3) })],
    ['database, kB, a day', (day) => ({ databaseBytes: 400e3 + day * 20e3 })],
    ['its log, kB, a day', (day) => ({ walBytes: 4e6 + day * 20e3 })],
    ['lines in the log, a day', (day) => ({ logLines: 105 + 3 * day })],
    ['rows of history_entry, a day', (day) => ({ rows: { history_entry: 55 * day, setting: 8 } })],
    ['rows of command, at any time', (day) => ({ rows: { command: 16 * day + 100 } })],
    ['rows of received_event, at any time', (day) => ({ rows: { received_event: 60 * day } })],
    ['rows of setting, a day', (day) => ({ rows: { history_entry: 400, setting: 8 + Math.floor(day / 2) } })],
  ])('is found in: %s', (name, change) => {
    expect(grown(days(change))).toEqual([name]);
  });

  it('does not count one step, nor the growth of the first days', () => {
    expect(grown(days((day) => ({ heapBytes: day < 12 ? 58e6 : 61e6 })))).toEqual([]);
    expect(grown(days((day) => ({ rssBytes: day < 19 ? 190e6 : 283e6 })))).toEqual([]);
    expect(grown(days((day) => ({ rows: { history_entry: 55 * Math.min(day, 8), setting: 8 } })))).toEqual(
      [],
    );
  });

  it('is not judged by a few days', () => {
    expect(growthOf(days(() => ({}), 12))).toEqual([]);
  });

  it('is the median of all pairs', () => {
    expect(slopeOf([1, 2, 3, 4])).toBe(1);
    expect(slopeOf([5, 5, 50, 5, 5])).toBe(0);
    expect(slopeOf([])).toBe(0);
  });
});
