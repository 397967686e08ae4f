// Which events of the service have an entry in the history, and which moves may be of someone coming in.
import { describe, expect, it } from 'vitest';
import { entryOfEvent } from '../../../src/domain/history.ts';
import { letsIn } from '../../../src/domain/history-page.ts';
import { lockId } from '../../../src/domain/lock.ts';
import type { ServiceReport } from '../../../src/domain/service-event.ts';

const battery = { type: 'battery', battery: { grade: 'normal', percent: 90 } } as const;
const code = { codeId: 'c-1', codeName: 'Ann' } as const;
const REPORTS: readonly (readonly [ServiceReport, string | null])[] = [
  [{ type: 'code-added', ...code }, 'code-added'],
  [{ type: 'code-updated', ...code }, 'code-updated'],
  [{ type: 'code-deleted', ...code }, 'code-deleted'],
  [{ type: 'wrong-code' }, 'wrong-code'],
  [{ type: 'alarm' }, 'alarm'],
  [{ type: 'connectivity', connected: true }, 'online'],
  [{ type: 'connectivity', connected: false }, 'offline'],
  [{ type: 'connectivity', connected: null }, null],
  [battery, 'battery-normal'],
  [{ ...battery, battery: { grade: 'low', percent: 9 } }, 'battery-low'],
  [{ ...battery, battery: { grade: 'unknown', percent: null } }, null],
  [{ type: 'unrecognised', trigger: 'DoorPropped' }, 'unrecognised'],
  [{ type: 'unrecognised', trigger: '' }, null],
  [{ type: 'bolt', bolt: null, accessor: null }, null],
];

describe('an event of the service', () => {
  it.each(REPORTS)('%j has the entry %s', (report, what) => {
    const entry = entryOfEvent({ ...report, eventId: 'e-1', at: 1_000, lockId: lockId('front') });
    expect(entry?.what ?? null).toBe(what);
    expect(entry?.serviceWord).toBe(
      report.type === 'unrecognised' && what !== null ? 'DoorPropped' : undefined,
    );
    expect(JSON.stringify(entry)).not.toContain('Ann');
  });
});

describe('an unlock', () => {
  it.each([
    ['access-code', true],
    ['virtual-key', true],
    ['thumbturn', false],
    ['schedule', false],
    ['unavailable', false],
  ] as const)('by %s may be of someone coming in: %s', (method, expected) => {
    const entry = { id: 'h', at: 1, offsetMinutes: null, by: { method, id: null, name: null } };
    expect([letsIn({ ...entry, what: 'unsecured' }), letsIn({ ...entry, what: 'secured' })]).toEqual([
      expected,
      false,
    ]);
  });
});
