// The lines of the timeline: how new ones and older ones join those that are shown, and under which days they stand.
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryLineView, HistoryPageView } from '../../../src/panel/views/history.ts';
import { byDay, isApart, keyOf, withNewest, withOlder } from '../../../web/panel/history/lines.ts';

const PLACE = { lock: lockId('front'), lockName: 'Front door', offsetMinutes: 0 };
const BY = { method: 'thumbturn', id: null, name: null } as const;
const HOUR = 3_600_000;

function entry(at: number, id = `h-${String(at)}`, place: Partial<typeof PLACE> = {}): HistoryLineView {
  return { ...PLACE, ...place, id, at, what: 'unsecured', by: BY };
}

/** The newest first; `more`: there is more below. */
function page(lines: readonly HistoryLineView[], more: boolean): HistoryPageView {
  const last = lines.at(-1);
  const at = last === undefined ? 0 : last.what === 'gap' ? last.to : last.at;
  return { lines, next: more ? { at, lock: PLACE.lock, id: 'x' } : null };
}

const timesOf = ({ lines }: HistoryPageView) =>
  lines.map((line) => (line.what === 'gap' ? -line.to : line.at));

describe('the lines of the timeline', () => {
  const shown = page(
    [9, 8, 7, 6, 5, 4].map((at) => entry(at)),
    true,
  );

  it('take in new entries, and keep those that were loaded further down, and their end', () => {
    const merged = withNewest(shown, page([entry(11), entry(10), entry(9)], true));
    expect(timesOf(merged)).toEqual([11, 10, 9, 8, 7, 6, 5, 4]);
    expect(merged.next).toBe(shown.next);
  });

  it('show an entry once that has another ID now: a listed one takes the place of a reported one', () => {
    const merged = withNewest(shown, page([entry(9, 'listed'), entry(8), entry(7)], true));
    expect(timesOf(merged)).toEqual([9, 8, 7, 6, 5, 4]);
    expect(merged.lines[0]).toMatchObject({ id: 'listed' });
  });

  it('keep two entries of one instant, each once', () => {
    const twins = page([entry(9), entry(8, 'a'), entry(8, 'b'), entry(7)], true);
    expect(withNewest(twins, page([entry(9), entry(8, 'a')], true)).lines.map(keyOf)).toEqual(
      twins.lines.map(keyOf),
    );
  });

  it('leave out a line below which others may be missing', () => {
    const far = page([entry(30), entry(20)], true);
    expect([isApart(shown, far), isApart(shown, page([entry(30), entry(9)], true))]).toEqual([true, false]);
    expect(withNewest(shown, far)).toBe(far);
  });

  it('are complete where the newest page has no end below', () => {
    const whole = page([entry(12), entry(11)], false);
    expect([isApart(shown, whole), withNewest(shown, whole)]).toEqual([false, whole]);
    expect(withNewest(shown, page([], false)).lines).toEqual([]);
  });

  it('end with the older page, each line once', () => {
    const gap: HistoryLineView = { ...PLACE, what: 'gap', from: 1, to: 3 };
    const longer = withOlder(shown, page([entry(4), gap, entry(2)], false));
    expect([timesOf(longer), longer.next]).toEqual([[9, 8, 7, 6, 5, 4, -3, 2], null]);
  });

  it('stand under the days of their locks, also after clocks were changed', () => {
    const [sunday, now] = [Date.UTC(2026, 2, 8, 6, 30), Date.UTC(2026, 2, 9, 4, 30)];
    const there = (at: number, offsetMinutes: number) => entry(at, `h-${String(at)}`, { offsetMinutes });
    const other = { lock: lockId('back'), offsetMinutes: 60 };
    const lines = [
      entry(now - HOUR, 'b', other),
      there(now - 60_000, -240),
      there(sunday + 10 * HOUR, -240),
      there(sunday, -300),
      there(sunday - 24 * HOUR, -300),
    ];
    expect(byDay(lines, now).map(([day, { length }]) => [day, length])).toEqual([
      ['Today', 2],
      ['Yesterday', 2],
      ['Saturday, March 7, 2026', 1],
    ]);
  });
});
