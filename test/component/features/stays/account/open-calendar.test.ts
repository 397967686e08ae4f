// The reader of calendars is opened with the first question, tried again where that failed, and closed for good.
import { describe, expect, it } from 'vitest';
import { LazyCalendar } from '../../../../../src/features/stays/account/open-calendar.ts';
import type { CalendarReading } from '../../../../../src/features/stays/policy/calendar-ports.ts';
import { inWords } from '../../../../support/in-words.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';

const QUESTION = { address: 'https://portal.example/1.ics?s=canary', validators: null, from: 0, until: 1 };
const UNCHANGED: CalendarReading = { kind: 'unchanged' };

/** `failing`: how many of the first attempts to open fail. */
function someReader(failing = 0) {
  const seen = { opened: 0, closed: 0 };
  const reader = {
    read: async () => Promise.resolve(UNCHANGED),
    close: () => {
      seen.closed += 1;
    },
  };
  const needs = { clock: new ManualClock(), allowed: { insecureLoopback: false, privateHosts: false } };
  const lazy = new LazyCalendar(needs, async () => {
    seen.opened += 1;
    return seen.opened <= failing
      ? Promise.reject(new Error('Cannot find module /calendar.js, asked for canary'))
      : Promise.resolve(reader);
  });
  return { lazy, seen };
}

describe('the reader of calendars', () => {
  it('is opened with the first request, and once for all', async () => {
    const { lazy, seen } = someReader();
    expect(seen.opened).toBe(0);
    expect(await Promise.all([lazy.read(QUESTION), lazy.read(QUESTION)])).toEqual([UNCHANGED, UNCHANGED]);
    expect(await lazy.read(QUESTION)).toEqual(UNCHANGED);
    expect(seen.opened).toBe(1);
  });

  it('counts as a failed reading when it cannot be loaded, and is loaded again with the next request', async () => {
    const { lazy, seen } = someReader(1);
    expect(inWords(await Promise.all([lazy.read(QUESTION), lazy.read(QUESTION)]))).toEqual(
      [1, 2].map(() => ({
        kind: 'failed',
        failure: 'unreachable',
        words: 'The reader of calendars could not be loaded. Install the plugin again.',
      })),
    );
    expect(await lazy.read(QUESTION)).toEqual(UNCHANGED);
    expect(seen).toEqual({ opened: 2, closed: 0 });
  });

  it('is closed also while it opens', async () => {
    const { lazy, seen } = someReader();
    const reading = lazy.read(QUESTION);
    await lazy.close();
    await reading;
    expect(seen).toEqual({ opened: 1, closed: 1 });
  });

  it('is not opened after it was closed, since nothing would close it again', async () => {
    const { lazy, seen } = someReader();
    await lazy.close();
    expect(await lazy.read(QUESTION)).toMatchObject({ kind: 'failed' });
    expect(seen).toEqual({ opened: 0, closed: 0 });
  });
});
