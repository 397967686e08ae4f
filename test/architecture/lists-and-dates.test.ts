// Holds lists, dates and hours that a person reads to the formats of the reader's language and country.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Where sentences and pages are made. */
const SHOWN = ['web/panel', 'web/shared', 'src/words'];

/** Lines that no person reads as a sentence, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "src/words/schedules.ts: return `${days.map((day) => day.slice(0, 3)).join(',')} ${from}-${until}`;":
    'the form of a schedule that `readSchedule` reads, as the terminal shows and takes it',
  "src/words/schedules.ts: const two = (value: number): string => String(value).padStart(2, '0');":
    'the same form, of two dates',
  "web/panel/codes/schedule-fields.tsx: recurring: windows.map((window) => `${window.days.join(',')} ${window.from}-${window.until}`).join(';'),":
    'the form that `readSchedule` reads, made of what was typed',
  "web/panel/codes/schedule-fields.tsx: const two = (value: number): string => String(value).padStart(2, '0');":
    'the value of a field of the browser, which shows it as the reader writes it',
  "web/panel/codes/schedule-fields.tsx: const NEW_WINDOW: WeeklyWindow = { days: [], from: '08:00', until: '12:00' };":
    'values of fields of the browser',
  "web/panel/stays/calendar-draft.ts: checkIn: '15:00',": 'the value of a field of the browser',
  "web/panel/stays/calendar-draft.ts: checkOut: '11:00',": 'the value of a field of the browser',
  'src/words/schedules.ts: weekly: \'"Mon,Wed 08:00-11:00"\',': 'what to type in the terminal',
  'src/words/schedules.ts: dates: \'"2026-12-01 15:00 to 2026-12-05 11:00"\',':
    'what to type in the terminal',
};

/** A list with commas of its own, a number of two digits, a date of the browser's own, an hour written out. */
const BY_HAND =
  /\.join\((?<quote>['"`])(?:,|, |、)\k<quote>\)|\.padStart\(2|\.toLocale(?:Date|Time)?String\(|:00['"`}<]|DateTimeFormat\((?:undefined|\[\])/u;

/** A list that is joined before its reader is known: an array as the value of a message is joined for them. */
const JOINED_EARLY = /\bmessage\((?:[^;]*?)\.join\((?<quote>['"`])(?:,|, )\k<quote>\)/u;

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/u.test(path))
    .map((path) => join(folder, path));
}

const text = (path: string): string => readFileSync(join(root, path), 'utf8');

function byHand(path: string, source: string): readonly string[] {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(?:\/\/|\/?\*)/u.test(line) && BY_HAND.test(line))
    .map((line) => `${path}: ${line}`);
}

describe('lists, dates and hours for people', () => {
  it('are made by `listWords`, `seriesWords`, `hourWords` and formats of the reader, but for those listed with a reason', () => {
    const found = SHOWN.flatMap(sources).flatMap((path) => byHand(path, text(path)));
    // A copy of the tree without a feature has no page of it.
    const excepted = Object.keys(EXCEPTIONS).filter((line) =>
      existsSync(join(root, line.split(':')[0] ?? '')),
    );
    expect(found.toSorted()).toEqual(excepted.toSorted());
  });

  it('are no text yet in a message: a list is its value as it is', () => {
    expect(sources('src').filter((path) => JOINED_EARLY.test(text(path)))).toEqual([]);
  });

  it.each([
    ["names.join(', ')", true],
    ['names.join(",")', true],
    ["String(hour).padStart(2, '0')", true],
    ['new Date(at).toLocaleTimeString()', true],
    ["t('{hour}:00', { hour })", true],
    ['new Intl.DateTimeFormat(undefined, {})', true],
    ['listWords(names)', false],
    ["parts.join(' · ')", false],
    ['text.toLocaleLowerCase()', false],
  ])('are found by the gate where they are made by hand: %s: %s', (line, isByHand) => {
    expect(byHand('a.ts', line).length > 0).toBe(isByHand);
  });

  it('are found where a message holds a list that is joined', () => {
    expect(JOINED_EARLY.test("message('Missing: {options}', {\n options: missing.join(', '),\n})")).toBe(
      true,
    );
    expect(JOINED_EARLY.test("message('Missing: {options}', { options: missing }); a.join(', ')")).toBe(
      false,
    );
  });
});
