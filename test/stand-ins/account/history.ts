// A made-up history for pages: four days of entries with a gap, answered in pages of the size that is asked for.
import type { HistoryWhat } from '../../../src/domain/history/history.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type {
  HistoryLineView,
  HistoryLook,
  HistoryPageView,
  TodayView,
  WeekView,
} from '../../../src/panel/views/history.ts';
import { isNamed } from '../../../src/storage/history/pages.ts';
import { memberOf } from '../../../src/support/text/foreign-json.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Lines of this history: two pages and a bit. */
const ENTRIES = 120;

const PEOPLE = [
  { method: 'access-code', id: 'c-1', name: 'Dog walker' },
  { method: 'thumbturn', id: null, name: null },
  { method: 'virtual-key', id: 'u-1', name: 'Ann' },
] as const;

const NOBODY = { method: 'unavailable', id: null, name: null } as const;

/** The entries of the history; a test may add to them. */
export interface MadeUpHistory {
  /** The newest first. */
  lines: readonly HistoryLineView[];
}

export function answerHistory(
  answers: Map<PageOperation, (input: unknown) => unknown>,
  now: number,
): MadeUpHistory {
  const history: MadeUpHistory = { lines: linesUntil(now) };
  const pageOf = (input: unknown): HistoryPageView => pageFor(history.lines, input);
  answers.set('history.page', pageOf);
  answers.set(
    'history.look',
    (input): HistoryLook => ({ page: pageOf(input), today: todayAt(now), week: weekFor(now, input) }),
  );
  answers.set('history.people', () => ['Ann', 'Dog walker']);
  answers.set('history.refresh', () => ({ unanswered: null }));
  answers.set('history.export', () => ({ text: 'time,lock\n', lines: 1, next: null }));
  return history;
}

function pageFor(lines: readonly HistoryLineView[], input: unknown): HistoryPageView {
  const [person, first, last] = ['person', 'firstDay', 'lastDay'].map((name) => memberOf(input, name));
  const wanted = lines.filter((line) => {
    const day = new Date(placeOf(line)).toISOString().slice(0, 10);
    const isOfDays = (typeof first !== 'string' || day >= first) && (typeof last !== 'string' || day <= last);
    const isOfPerson =
      typeof person !== 'string' ||
      line.what === 'gap' ||
      (line.by.name !== null && isNamed(line.by.name, person));
    return isOfDays && isOfPerson;
  });
  const below = memberOf(memberOf(input, 'below'), 'at');
  const rest = wanted.filter((line) => typeof below !== 'number' || placeOf(line) < below);
  const page = rest.slice(0, Number(memberOf(input, 'limit')));
  const end = page.at(-1);
  const next =
    end === undefined || rest.length === page.length ? null : { at: placeOf(end), lock: end.lock, id: 'h' };
  return { lines: page, next };
}

function todayAt(now: number): TodayView {
  const both = { method: 'access-code', lockNames: ['Front door'], offsetMinutes: 0 } as const;
  const visitors = [
    { ...both, name: 'Dog walker', count: 2, firstAt: now - 5.6 * HOUR_MS, lastAt: now - 0.8 * HOUR_MS },
  ];
  return { visitors, hasGap: false };
}

/** Nothing in hours that are still to come, and a total of what it shows. */
function weekFor(now: number, input: unknown): WeekView {
  const last = now - Number(memberOf(input, 'weeksAgo') ?? 0) * 7 * DAY_MS;
  const midnight = now - (now % DAY_MS);
  const days = Array.from({ length: 7 }, (_, day) => {
    const startsAt = last - (last % DAY_MS) - (6 - day) * DAY_MS;
    const isPast = (hour: number): boolean => startsAt < midnight || hour < new Date(now).getUTCHours();
    return {
      date: new Date(startsAt).toISOString().slice(0, 10),
      unlocks: Array.from({ length: 24 }, (_each, hour) =>
        hour % 5 === day % 5 && isPast(hour) ? (day % 3) + 1 : 0,
      ),
      gaps: Array.from({ length: 24 }, (_each, hour) => day === 2 && hour > 20),
    };
  });
  return { days, total: days.flatMap(({ unlocks }) => unlocks).reduce((sum, count) => sum + count, 0) };
}

/** Kinds of entries that stand among the moves, by their place. */
const AMONG: Readonly<Record<number, HistoryWhat>> = {
  3: 'wrong-code',
  9: 'jammed',
  11: 'battery-low',
  13: 'code-added',
  15: 'offline',
  16: 'online',
  17: 'firmware-updated',
};

function linesUntil(now: number): readonly HistoryLineView[] {
  return Array.from({ length: ENTRIES }, (_, index): HistoryLineView => {
    const place = { lock: lockId('id-of-Front door'), lockName: 'Front door', offsetMinutes: 0 };
    const at = now - (index + 1) * 0.8 * HOUR_MS;
    if (index === 7) {
      return { ...place, what: 'gap', from: at - 0.7 * HOUR_MS, to: at };
    }
    const by = PEOPLE[index % PEOPLE.length] ?? PEOPLE[0];
    const what = AMONG[index] ?? (index % 2 === 0 ? 'unsecured' : 'secured');
    return { ...place, id: `h-${String(index)}`, at, what, by: AMONG[index] === undefined ? by : NOBODY };
  });
}

function placeOf(line: HistoryLineView): number {
  return line.what === 'gap' ? line.to : line.at;
}
