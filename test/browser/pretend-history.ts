// A made-up history for pages: four days of entries with a gap, answered in pages of the size that is asked for.

import { lockId } from '../../src/domain/lock.ts';
import type { HistoryLineView, HistoryPageView, TodayView, WeekView } from '../../src/panel/history-view.ts';
import type { PageOperation } from '../../src/panel/page-operations.ts';
import { isNamed } from '../../src/storage/history-pages.ts';
import { memberOf } from '../../src/support/foreign-json.ts';

const HOUR_MS = 3_600_000;

/** Lines of this history: two pages and a bit. */
const ENTRIES = 120;

const PEOPLE = [
  { method: 'access-code', id: 'c-1', name: 'Dog walker' },
  { method: 'thumbturn', id: null, name: null },
  { method: 'virtual-key', id: 'u-1', name: 'Ann' },
] as const;

export function answerHistory(answers: Map<PageOperation, (input: unknown) => unknown>, now: number): void {
  const lines = linesUntil(now);
  answers.set('history.page', (input): HistoryPageView => {
    const person = memberOf(input, 'person');
    const wanted = lines.filter(
      (line) =>
        typeof person !== 'string' ||
        line.what === 'gap' ||
        (line.by.name !== null && isNamed(line.by.name, person)),
    );
    const below = memberOf(memberOf(input, 'below'), 'at');
    const rest = wanted.filter((line) => typeof below !== 'number' || placeOf(line) < below);
    const page = rest.slice(0, Number(memberOf(input, 'limit')));
    const last = page.at(-1);
    const next =
      last === undefined || rest.length === page.length
        ? null
        : { at: placeOf(last), lock: last.lock, id: 'h' };
    return { lines: page, next };
  });
  answers.set(
    'history.today',
    (): TodayView => ({
      visitors: [
        {
          name: 'Dog walker',
          method: 'access-code',
          lockNames: ['Front door'],
          count: 2,
          firstAt: now - 2 * HOUR_MS,
          lastAt: now - HOUR_MS,
          offsetMinutes: 0,
        },
      ],
      hasGap: false,
    }),
  );
  answers.set(
    'history.week',
    (): WeekView => ({
      days: Array.from({ length: 7 }, (_, day) => ({
        date: new Date(now - (6 - day) * 24 * HOUR_MS).toISOString().slice(0, 10),
        unlocks: Array.from({ length: 24 }, (_each, hour) => (hour % 5 === day % 5 ? day + 1 : 0)),
        gaps: Array.from({ length: 24 }, (_each, hour) => day === 2 && hour > 20),
      })),
      total: 42,
    }),
  );
  answers.set('history.people', () => ['Ann', 'Dog walker']);
  answers.set('history.refresh', () => ({ unanswered: null }));
  answers.set('history.export', () => ({ text: 'time,lock\n', next: null }));
}

function linesUntil(now: number): readonly HistoryLineView[] {
  return Array.from({ length: ENTRIES }, (_, index): HistoryLineView => {
    const place = { lock: lockId('id-of-Front door'), lockName: 'Front door', offsetMinutes: 0 };
    const at = now - (index + 1) * 0.8 * HOUR_MS;
    if (index === 7) {
      return { ...place, what: 'gap', from: at - 0.7 * HOUR_MS, to: at };
    }
    const by = PEOPLE[index % PEOPLE.length] ?? PEOPLE[0];
    return { ...place, id: `h-${String(index)}`, at, what: index % 2 === 0 ? 'unsecured' : 'secured', by };
  });
}

function placeOf(line: HistoryLineView): number {
  return line.what === 'gap' ? line.to : line.at;
}
