// The requests of the history page: one call after an event, at most one a second, and older lines once.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryLineView, HistoryPageView } from '../../../src/panel/views/history.ts';
import {
  HistoryFeed,
  type HistoryShown,
  NOTHING_FILTERED,
  NOTHING_SHOWN,
} from '../../../web/panel/history/feed.ts';
import { type Call, unreachable } from '../../../web/panel/state/transport.ts';

const TODAY = { visitors: [], hasGap: false };
const WEEK = { days: [], total: 0 };
const FRONT = lockId('front');

function lines(from: number, to: number): readonly HistoryLineView[] {
  const by = { method: 'thumbturn', id: null, name: null } as const;
  const place = { lock: FRONT, lockName: 'Front door', offsetMinutes: 0 };
  return Array.from({ length: from - to + 1 }, (_, index) => ({
    ...place,
    id: `h-${String(from - index)}`,
    at: from - index,
    what: 'secured' as const,
    by,
  }));
}

function pageOf(from: number, to: number): HistoryPageView {
  return { lines: lines(from, to), next: to === 1 ? null : { at: to, lock: FRONT, id: `h-${String(to)}` } };
}

interface Asked {
  readonly operation: string;
  readonly input: unknown;
  readonly answer: (result: unknown) => void;
  readonly fail: () => void;
}

describe('the history page', () => {
  let asked: Asked[];
  let shown: HistoryShown;
  let feed: HistoryFeed;

  const of = (operation: string): readonly Asked[] => asked.filter((one) => one.operation === operation);
  const settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(0);
  };
  const times = (): readonly number[] =>
    (shown.list?.lines ?? []).map((line) => (line.what === 'gap' ? 0 : line.at));
  const answerLook = async (page: HistoryPageView): Promise<void> => {
    of('history.look').at(-1)?.answer({ page, today: TODAY, week: WEEK });
    await settle();
  };

  beforeEach(async () => {
    vi.useFakeTimers();
    asked = [];
    shown = NOTHING_SHOWN;
    const call = async (operation: string, input: unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const fail = (): void => {
          reject(unreachable('Nobody answers.'));
        };
        asked.push({ operation, input, answer: resolve, fail });
      });
    feed = new HistoryFeed(call as Call, (next) => {
      shown = next;
    });
    void feed.open();
    await answerLook(pageOf(100, 51));
    of('history.refresh')[0]?.answer({ unanswered: null });
    await settle();
    await answerLook(pageOf(100, 51));
    asked = [];
  });

  afterEach(() => {
    feed.close();
    vi.useRealTimers();
  });

  it('asks once after an event, and takes in the new entries', async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    feed.noteEvent();
    await answerLook(pageOf(101, 52));
    expect(times()).toEqual(lines(101, 51).map((_, index) => 101 - index));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked.map(({ operation }) => operation)).toEqual(['history.look']);
  });

  it('asks twice for a burst of 149 events: for the first, and a second later for the rest', async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    for (let event = 0; event < 149; event += 1) {
      feed.noteEvent();
    }
    await answerLook(pageOf(101, 52));
    feed.noteEvent();
    await vi.advanceTimersByTimeAsync(999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(2);
    await answerLook(pageOf(149, 100));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked.length, times()[0], times().at(-1)]).toEqual([2, 149, 51]);
  });

  it('stays live after older entries were loaded, and keeps them', async () => {
    void feed.older();
    void feed.older();
    expect(of('history.page')).toHaveLength(1);
    of('history.page')[0]?.answer(pageOf(50, 1));
    await vi.advanceTimersByTimeAsync(1_000);
    feed.noteEvent();
    await answerLook(pageOf(103, 54));
    expect([times()[0], times().length, shown.list?.next]).toEqual([103, 103, null]);
    void feed.older();
    expect(of('history.page')).toHaveLength(1);
  });

  it('reads the entries in between as well after more events than a page has lines', async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    feed.noteEvent();
    await answerLook(pageOf(200, 151));
    expect(of('history.page')[0]?.input).toMatchObject({ below: null, limit: 500 });
    of('history.page')[0]?.answer(pageOf(200, 1));
    await settle();
    expect([times()[0], times().at(-1), times().length]).toEqual([200, 1, 200]);
  });

  it('asks at once after a changed filter, and drops answers to the former one', async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    feed.noteEvent();
    void feed.older();
    const filter = { ...NOTHING_FILTERED, person: 'Ann', lastDay: '2026-04-20' };
    feed.ask({ filter, startDay: '2026-04-14', weeksAgo: 1 });
    await answerLook(pageOf(101, 52));
    expect(shown.question.startDay).toBeNull();
    expect(of('history.look').at(-1)?.input).toEqual({
      ...filter,
      lastDay: '2026-04-14',
      weeksAgo: 1,
      limit: 50,
    });
    await answerLook(pageOf(3, 2));
    of('history.page')[0]?.answer(pageOf(50, 1));
    await settle();
    expect([times(), shown.question.filter]).toEqual([[3, 2], filter]);
  });

  it('drops all lines after an erasure and asks the same again, also where it was asking', async () => {
    void feed.older();
    const older = of('history.page')[0];
    await vi.advanceTimersByTimeAsync(1_000);
    feed.noteEvent();
    feed.again();
    expect(shown.list).toBeNull();
    await answerLook(pageOf(101, 52));
    expect(shown.list).toBeNull();
    await answerLook(pageOf(100, 51));
    older?.answer(pageOf(50, 1));
    await settle();
    expect([of('history.look').length, times().length, times().at(-1)]).toEqual([2, 50, 51]);
  });

  it('shows a failure at its place, and goes on with the next event', async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    void feed.older();
    of('history.page')[0]?.fail();
    feed.noteEvent();
    of('history.look')[0]?.fail();
    await settle();
    expect([shown.failure?.message, shown.olderFailure?.message, times().length]).toEqual([
      'Nobody answers.',
      'Nobody answers.',
      50,
    ]);
    feed.noteEvent();
    await vi.advanceTimersByTimeAsync(1_000);
    await answerLook(pageOf(101, 52));
    expect([shown.failure, times()[0]]).toEqual([null, 101]);
  });

  it('asks for nothing more once it is closed', async () => {
    feed.noteEvent();
    feed.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
  });
});
