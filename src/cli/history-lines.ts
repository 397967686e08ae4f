// Formats the lines of a history for a terminal; foreign text cannot carry an escape sequence.
import type { HistoryLineView } from '../panel/history-view.ts';
import { entryWords } from '../panel/history-words.ts';
import { oneLine } from '../support/log.ts';
import { byWords, localTime } from './lock-words.ts';

/** One line each, on the clocks of its lock. `named`: with the name of the lock. */
export function entryLines(lines: readonly HistoryLineView[], named: boolean): readonly string[] {
  const names = lines.map(({ lockName }) => oneLine(lockName));
  const width = named ? Math.max(0, ...names.map(({ length }) => length)) : 0;
  return lines.map((line, index) => {
    const name = named ? `${(names[index] ?? '').padEnd(width)}  ` : '';
    if (line.what === 'gap') {
      const [from, to] = [line.from, line.to].map((at) => localTime(at, line.offsetMinutes));
      return `${to ?? ''}  ${name}(what happened since ${from ?? ''} is not known)`;
    }
    return `${localTime(line.at, line.offsetMinutes)}  ${name}${entryWords(line, byWords)}`;
  });
}
