// Schedules in the words of a file or a command line, and back.

import { describe, expect, it } from 'vitest';
import type { CodeSchedule } from '../../../src/domain/codes/access-code.ts';
import { readSchedule, SCHEDULE_FORMS, scheduleWords } from '../../../src/words/schedules.ts';
import { t } from '../../../src/words/translate.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => Date.parse(text);

describe('the words of a schedule', () => {
  const winter = {
    kind: 'temporary',
    from: at('2026-12-01T14:00Z'),
    until: at('2026-12-05T10:00Z'),
  } as const;
  const morning = { from: '08:00', until: '11:00' } as const;

  it.each<[string, CodeSchedule]>([
    ['always', { kind: 'always' }],
    [' Always ', { kind: 'always' }],
    ['2026-12-01 15:00 to 2026-12-05 11:00', winter],
    ['2026-12-01T15:00  TO  2026-12-05T11:00', winter],
    ['Mon,Wed 08:00-11:00', { kind: 'recurring', windows: [{ days: ['Monday', 'Wednesday'], ...morning }] }],
    [
      'sunday + mon  08:00 - 11:00 ; THURS 20:00-23:59',
      {
        kind: 'recurring',
        windows: [
          { days: ['Monday', 'Sunday'], ...morning },
          { days: ['Thursday'], from: '20:00', until: '23:59' },
        ],
      },
    ],
  ])('%j are understood', (words, schedule) => {
    expect(readSchedule(words, BERLIN)).toEqual(schedule);
  });

  it.each([
    '',
    'never',
    'always on',
    'not always',
    'Mo 08:00-11:00',
    'Mon 8:00-11:00',
    'Mon 08:00-11:00 or so',
    'on\nMon 08:00-11:00',
    'Mon 08:00',
    'Mon 08:00-11:00;',
    'Mon,Holiday 08:00-11:00',
    'Mon',
    '08:00-11:00',
    '2026-12-01 15:00',
    '2026-12-01 15:00 to',
    '2026-12-01 15:00 to soon',
    'now to 2026-12-05 11:00',
    '2026-12-01 15:00 to 2026-12-05 11:00 to 2026-12-06 11:00',
    '2026-02-30 15:00 to 2026-12-05 11:00',
    '12026-12-01 15:00 to 2026-12-05 11:00',
    '2026-12-01 15:00:00 to 2026-12-05 11:00',
  ])('%j are not understood', (words) => {
    expect(readSchedule(words, BERLIN)).toBeNull();
  });

  it('end with the later of two instants that a clock shows twice, and begin with the earlier', () => {
    expect(readSchedule('2026-10-25 02:30 to 2026-10-25 02:30', BERLIN)).toEqual({
      kind: 'temporary',
      from: at('2026-10-25T00:30Z'),
      until: at('2026-10-25T01:30Z'),
    });
  });

  it('are explained by forms that are understood', () => {
    const forms = [...t(SCHEDULE_FORMS).matchAll(/"([^"]+)"/g)].map(([, form = '']) => form);
    expect(forms.map((form) => readSchedule(form, BERLIN)?.kind)).toEqual([
      'always',
      'recurring',
      'temporary',
    ]);
  });

  it.each([
    'always',
    '2026-12-01 15:00 to 2027-01-05 09:07',
    'Mon,Wed 08:00-11:00',
    'Tue 08:00-11:00; Sat,Sun 00:00-23:59',
  ])('%j are written in the form in which they are read', (words) => {
    expect(scheduleWords(readSchedule(words, BERLIN) ?? { kind: 'unrecognised' }, BERLIN)).toBe(words);
  });

  it('mark a schedule that is not understood', () => {
    const words = scheduleWords({ kind: 'unrecognised' }, BERLIN);
    expect(words).toContain('cannot show');
    expect(readSchedule(words, BERLIN)).toBeNull();
  });
});
