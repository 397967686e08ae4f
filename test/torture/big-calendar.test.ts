// A calendar as large as any that is read, whose ids and dates all change, on a real clock.
import { expect, it, onTestFinished } from 'vitest';
import { lockId } from '../../src/domain/locks/lock.ts';
import { Stays, type StaysParts } from '../../src/features/stays/keeping/stays.ts';
import type { CalendarEntry } from '../../src/features/stays/policy/calendar-ports.ts';
import { KeptStayStore } from '../../src/features/stays/tables/stay-store.ts';
import { systemClock } from '../../src/support/clock.ts';
import { aCalendar } from '../homes/stay-home.ts';
import { MemoryValues } from '../stand-ins/database/values.ts';
import { keptLog } from '../support/kept-log.ts';

const ENTRIES = 10_000;
const DAY_MS = 86_400_000;

/** The time of the processor that this thread uses in a single turn of its loop, in milliseconds: a busy machine changes little of it. */
async function turnsOf(work: () => unknown): Promise<number> {
  let [before, longest, isOver] = [process.threadCpuUsage(), 0, false];
  const note = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
    if (!isOver) {
      setImmediate(note);
    }
  };
  setImmediate(note);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  return longest / 1_000;
}

function entriesOf(name: string, shiftMs: number): readonly CalendarEntry[] {
  const today = Math.floor(systemClock.now() / DAY_MS) * DAY_MS;
  return Array.from({ length: ENTRIES }, (_, index) => {
    const at = today + (2 + (index % 380)) * DAY_MS + shiftMs;
    return {
      uid: `${name}-${String(index)}@portal.example`,
      sequence: 0,
      isCancelled: false,
      start: { kind: 'instant', at },
      end: { kind: 'instant', at: at + 2 * DAY_MS },
      summary: `Guest ${name} ${String.fromCodePoint(97 + (index % 26))} ${String(index)}`,
      description: `Phone: +44 7700 9${String(index).padStart(5, '0')}`,
    };
  });
}

it('ten thousand entries that all change take no turn over 50 ms: read, stored, planned and listed (faults#158)', {
  timeout: 600_000,
}, async () => {
  const lines: string[] = [];
  const store = new KeptStayStore(new MemoryValues());
  const calendar = aCalendar('hotel', [lockId('front')], { daysAhead: 1 });
  let entries = entriesOf('a', 0);
  const parts = {
    bus: { on: () => undefined, publish: () => undefined },
    store: { get: () => undefined, all: () => [] },
    codes: { zoneOf: () => 'Europe/Paris' },
    guests: { list: () => [], between: () => [], subscribe: () => () => undefined },
    clock: systemClock,
    serviceClock: { now: () => systemClock.now() },
    log: keptLog(lines),
    link: { state: () => 'linked' },
    random: () => 0.5,
    archive: { newest: () => [] },
    stayStore: store,
    gateway: {
      read: async () =>
        Promise.resolve({
          kind: 'entries',
          entries,
          leftOut: 0,
          validators: { etag: null, lastModified: null },
        }),
    },
    setup: {
      calendars: () => [calendar],
      unread: () => [],
      addressOf: (id: string) => ({ address: id, mark: id }),
    },
    randomDigits: () => '4711',
  } as unknown as StaysParts;
  const stays = new Stays(parts);
  onTestFinished(() => {
    stays.dispose();
  });
  stays.start();
  const figures: Record<string, number> = {};
  figures['first reading'] = await turnsOf(async () => stays.read([calendar]));
  entries = entriesOf('b', 3_600_000);
  figures['other ids and dates'] = await turnsOf(async () => stays.read([calendar]));
  figures['list'] = await turnsOf(() => stays.list());
  console.log(figures);
  expect(lines.filter((line) => line.includes('could not'))).toEqual([]);
  expect(Math.max(...Object.values(figures))).toBeLessThan(50);
});
