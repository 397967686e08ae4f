// Formats the lines of a history for a terminal; foreign text cannot carry an escape sequence.

import type { HistoryGapView, HistoryLineView } from '../../panel/views/history.ts';
import { oneLine } from '../../support/log.ts';
import { entryWords } from '../../words/history.ts';
import { t } from '../../words/translate.ts';
import { localTime } from '../terminal/lock-lines.ts';

/** The two parts of "2026-04-14 08:15:30 -04:00": the date, and the date with hours and minutes. */
const DATE_LENGTH = 10;
const MINUTE_LENGTH = 16;

/** One line each, on the clocks of its lock. `named`: with the name of the lock. */
export function entryLines(lines: readonly HistoryLineView[], named: boolean): readonly string[] {
  const names = lines.map(({ lockName }) => oneLine(lockName));
  const width = named ? Math.max(0, ...names.map(({ length }) => length)) : 0;
  return lines.map((line, index) => {
    const name = named ? `${(names[index] ?? '').padEnd(width)}  ` : '';
    if (line.what === 'gap') {
      return `${localTime(line.to, line.offsetMinutes)}  ${name}(${stretchWords(line)})`;
    }
    return `${localTime(line.at, line.offsetMinutes)}  ${name}${oneLine(entryWords(line))}`;
  });
}

/** "no record from 04:27 to 05:09"; over midnight with the dates. */
function stretchWords({ from, to, offsetMinutes }: HistoryGapView): string {
  const [begin, end] = [localTime(from, offsetMinutes), localTime(to, offsetMinutes)];
  const first = begin.slice(0, DATE_LENGTH) === end.slice(0, DATE_LENGTH) ? DATE_LENGTH + 1 : 0;
  return t('no record from {begin} to {end}', {
    begin: begin.slice(first, MINUTE_LENGTH),
    end: end.slice(first, MINUTE_LENGTH),
  });
}
