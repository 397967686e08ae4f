// Which events of the service have an entry in the history, and which moves may be of someone coming in.
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import { canBeListed, entryOfEvent } from '../../../../src/domain/history/history.ts';
import { ALL_HISTORY, isMethodWord, letsIn, MOVE_METHODS } from '../../../../src/domain/history/page.ts';
import type { AccessMethod } from '../../../../src/domain/locks/access.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import {
  ALERTS,
  isAlert,
  type ServiceReport,
  withoutSecretNames,
} from '../../../../src/domain/webhooks/service-event.ts';

const battery = { type: 'battery', battery: { grade: 'normal', percent: 90 } } as const;
const code = { codeId: 'c-1', codeName: 'Ann' } as const;
const ID = commandId('c');
const by = (method: AccessMethod) => ({ method, id: null, name: null });
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
  [{ ...battery, battery: { grade: 'critical', percent: 1 } }, 'battery-critical'],
  [{ type: 'keypad-locked-out' }, 'keypad-locked-out'],
  [{ type: 'signed-out', userId: 'u' }, null],
  [{ type: 'bolt', bolt: null, accessor: null }, null],
  [{ type: 'bolt', bolt: 'unknown', accessor: null }, null],
  [{ type: 'bolt', bolt: 'unsecured', accessor: null }, 'unsecured'],
  [{ type: 'bolt', bolt: 'secured', accessor: by('thumbturn') }, 'secured'],
  [{ type: 'bolt', bolt: 'secured', accessor: by('unavailable') }, null],
  [{ type: 'command-ended', reading: { state: 'failed', commandId: ID, reason: 'bolt-jammed' } }, 'jammed'],
  [{ type: 'command-ended', reading: { state: 'failed', commandId: ID, reason: 'lock-silent' } }, null],
  [{ type: 'command-ended', reading: { state: 'successful', commandId: ID } }, null],
];

const about = { eventId: 'e-1', at: 1_000, lockId: lockId('front') } as const;

describe('an event of the service', () => {
  it.each(REPORTS)('%j has the entry %s', (report, what) => {
    const entry = entryOfEvent({ ...report, ...about });
    expect(entry?.what ?? null).toBe(what);
    expect(entry?.serviceWord).toBe(what === 'unrecognised' ? 'DoorPropped' : undefined);
    expect(JSON.stringify(entry)).not.toContain('Ann');
  });

  it('that is an alert has a word that no other event has', () => {
    const words = REPORTS.map(([report]) => entryOfEvent({ ...report, ...about })?.what);
    for (const alert of ALERTS) {
      expect(words.filter((word) => word === entryOfEvent({ type: alert, ...about })?.what)).toEqual([alert]);
    }
    expect(ALERTS.every(isAlert)).toBe(true);
    expect((['bolt', 'battery', 'code-added'] as const).some(isAlert)).toBe(false);
  });
});

describe('the entry of an event', () => {
  it('names its time and its person, if the event does', () => {
    const accessor = { method: 'access-code', id: 'c-1', name: 'Dog walker' } as const;
    const entry = { id: 'e-1', at: 1_000, offsetMinutes: null };
    const bolt = entryOfEvent({ type: 'bolt', bolt: 'secured', accessor, ...about });
    expect(bolt).toEqual({ ...entry, what: 'secured', by: accessor });
    const alarm = entryOfEvent({ type: 'alarm', ...about });
    expect(alarm).toStrictEqual({ ...entry, what: 'alarm', by: by('unavailable') });
    expect(entryOfEvent({ type: 'alarm', ...about, at: null })).toBeNull();
  });

  it.each([
    ['wrong-code', false],
    ['online', false],
    ['offline', false],
    ['battery-normal', false],
    ['battery-low', true],
    ['secured', true],
    ['alarm', true],
  ] as const)('for %s can be listed by the service, too: %s', (what, can) => {
    expect(canBeListed({ id: 'h', at: 1, offsetMinutes: null, what, by: by('other') })).toBe(can);
  });
});

it('a stored event has no name that may be a secret', () => {
  const accessor = { method: 'access-code', id: 'c-1', name: '0417' } as const;
  const bolt = { type: 'bolt', bolt: 'secured', accessor, ...about } as const;
  expect(withoutSecretNames(bolt)).toEqual({ ...bolt, accessor: { ...accessor, name: null } });
  const kept = { ...bolt, accessor: { ...accessor, name: 'Ann' } };
  expect(withoutSecretNames(kept)).toEqual(kept);
  const added = { type: 'code-added', codeId: 'c', codeName: '555 0100', ...about } as const;
  expect(withoutSecretNames(added)).toEqual({ ...added, codeName: null });
  const unnamed = { ...bolt, accessor: null };
  expect(withoutSecretNames(unnamed)).toBe(unnamed);
  const alarm = { type: 'alarm', ...about } as const;
  expect(withoutSecretNames(alarm)).toBe(alarm);
});

it.each([
  ['access-code', true],
  ['virtual-key', true],
  ['one-touch', true],
  ['platform', true],
  ['platform-key', true],
  ['own-command', true],
  ['thumbturn', false],
  ['schedule', false],
  ['unavailable', false],
] as const)('an unlock by %s may be of someone coming in: %s', (method, may) => {
  const entry = { id: 'h', at: 1, offsetMinutes: null, by: by(method) };
  expect(letsIn({ ...entry, what: 'unsecured' })).toBe(may);
  expect(letsIn({ ...entry, what: 'secured' })).toBe(false);
});

it('a way to move a bolt has one word for people for all words of the service', () => {
  expect(MOVE_METHODS).toEqual({
    code: ['access-code'],
    app: ['virtual-key'],
    hand: ['thumbturn', 'unlock-button', 'lock-button'],
    button: ['one-touch'],
    home: ['platform', 'platform-key', 'own-command'],
    automatic: ['auto-relock', 'schedule'],
    unknown: ['unavailable', 'other'],
  });
  expect(['code', 'unknown', 'toString', 'keypad'].filter(isMethodWord)).toEqual(['code', 'unknown']);
});

it('the filter of all entries has no condition', () => {
  expect(ALL_HISTORY).toEqual({ locks: null, since: null, until: null, person: null, methods: null });
});
