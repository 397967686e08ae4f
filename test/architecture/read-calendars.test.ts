// The page of stays names the forms of calendars that tests read, and no others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CALENDAR_FORMS } from '../../simulator/src/calendars/calendar-setup.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The rows of the table under a heading. */
function rowsIn(document: string, heading: string): readonly string[] {
  const [, part = ''] = readFileSync(join(ROOT, document), 'utf8').split(`## ${heading}\n`);
  return (part.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
}

/** The names in the last column of the table under a heading, sorted. */
function namesIn(document: string, heading: string): readonly string[] {
  return rowsIn(document, heading)
    .flatMap((row) =>
      [...(row.split(' | ').at(-1) ?? '').matchAll(/`([a-z]+)`/gu)].map(([, name = '']) => name),
    )
    .toSorted();
}

it('docs/operate/stays.md has each form that the simulator serves and a test reads', () => {
  expect(namesIn('docs/operate/stays.md', 'Calendars that were read')).toEqual(CALENDAR_FORMS.toSorted());
});
