// Lines of a history at a terminal: a gap shows from when to when there is no record.
import { expect, it } from 'vitest';
import { entryLines } from '../../../../src/cli/history/lines.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';

const TO = Date.UTC(2026, 3, 14, 9, 9, 30);

it.each([
  [42, -240, '2026-04-14 05:09:30 -04:00  (no record from 04:27 to 05:09)'],
  [42, -540, '2026-04-14 00:09:30 -09:00  (no record from 2026-04-13 23:27 to 2026-04-14 00:09)'],
])(
  'a gap of %i minutes with the clocks at %i names the day only where it spans two',
  (minutes, offsetMinutes, line) => {
    const place = { lock: lockId('front'), lockName: 'Front door', offsetMinutes };
    expect(entryLines([{ ...place, what: 'gap', from: TO - minutes * 60_000, to: TO }], false)).toEqual([
      line,
    ]);
  },
);
