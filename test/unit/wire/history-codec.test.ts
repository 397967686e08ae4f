// The history of a lock in all its forms: exact instants, offsets of the door, directions only where the service names them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_CODES } from '../../../simulator/src/contract/names.ts';
import type { HistoryWhat } from '../../../src/domain/history/history.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { deviceEndpoints } from '../../../src/wire/endpoints.ts';
import { decodeHistory, historyPath, historyQuestion } from '../../../src/wire/history-codec.ts';

/** The entry of the contract's example (wire contract 5). */
const WALKER = {
  id: 'h-01',
  timestamp: '2026-04-14T08:15:30.250-04:00',
  eventCode: 'UnlockedByKeypad',
  accessor: { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' },
};

/** The same entry with other members, for each of these, numbered from 0. */
function walkers(changes: readonly object[]): object[] {
  return changes.map((change, id) => Object.assign({}, WALKER, { id }, change));
}

/** Wire contract 5: event code, and its meaning for the lock. */
const WHATS: readonly (readonly [string, HistoryWhat])[] = [
  ['LockedByKeypad', 'secured'],
  ['UnlockedByKeypad', 'unsecured'],
  ['LockedByThumbturn', 'secured'],
  ['UnlockedByThumbturn', 'unsecured'],
  ['LockedByExteriorButton', 'secured'],
  ['LockedByMobileDevice', 'secured'],
  ['UnlockedByMobileDevice', 'unsecured'],
  ['LockedByTime', 'secured'],
  ['UnlockedByTime', 'unsecured'],
  ['LockedByPlatformKey', 'secured'],
  ['UnlockedByPlatformKey', 'unsecured'],
  ['LockJammed', 'jammed'],
  ['KeypadDisabledInvalidCode', 'keypad-locked-out'],
  ['KeypadDisconnected', 'keypad-disconnected'],
  ['AlarmTriggered', 'alarm'],
  ['ForcedEntryAlarmSilenced', 'alarm-silenced'],
  ['AccessCodeUserAdded', 'code-added'],
  ['AccessCodeUserUpdated', 'code-updated'],
  ['AccessCodeUserDeleted', 'code-deleted'],
  ['AllAccessCodesDeleted', 'all-codes-deleted'],
  ['MobileUserAdded', 'user-added'],
  ['MobileUserDeleted', 'user-deleted'],
  ['AdminPrivilegeAdded', 'admin-added'],
  ['AdminPrivilegeDeleted', 'admin-deleted'],
  ['FirmwareUpdated', 'firmware-updated'],
  ['FirmwareUpdateFailed', 'firmware-update-failed'],
  ['LowBatteryIndicated', 'battery-low'],
  ['CriticalBatteryState', 'battery-critical'],
  ['BatteriesReplaced', 'batteries-replaced'],
  ['PassageModeActivated', 'passage-mode-on'],
  ['PassageModeDeactivated', 'passage-mode-off'],
  ['HistoryCleared', 'history-cleared'],
  ['Unknown', 'unrecognised'],
];

describe('an event code', () => {
  it.each(WHATS)('%s is read as %s', (eventCode, what) => {
    const decoded = decodeHistory([{ ...WALKER, eventCode }], false);
    expect(decoded?.entries.map((entry) => entry.what)).toEqual([what]);
    expect(decoded?.strangeWords).toEqual([]);
  });

  it('that is missing causes no line in the log', () => {
    const decoded = decodeHistory(walkers([{ eventCode: null }, { eventCode: undefined }]), false);
    expect(decoded?.entries.map(({ what }) => what)).toEqual(['unrecognised', 'unrecognised']);
    expect(decoded?.strangeWords).toEqual([]);
  });
});

describe('the history of a lock', () => {
  it.each([
    ['whole', '?limit=100&deviceLocalTime=true'],
    ['shorter', '?limit=50&deviceLocalTime=true'],
    ['bare', ''],
  ] as const)('is requested in the %s form as "%s"', (form, query) => {
    const question = { limit: 100, deviceTime: true };
    const path = historyPath(deviceEndpoints('locks'), lockId('a b'), question, form);
    expect(path).toBe(`/locks/devices/a%20b/history${query}`);
  });

  it('has the instant, the offset at the door, the direction and the person', () => {
    const at = Date.UTC(2026, 3, 14, 12, 15, 30, 250);
    const by = { method: 'access-code', id: 'a71e', name: 'Dog walker' };
    const entry = { id: 'h-01', at, offsetMinutes: -240, what: 'unsecured', by };
    expect(decodeHistory([WALKER], true)).toEqual({
      entries: [entry],
      unread: 0,
      holes: [],
      strangeWords: [],
    });
    // No offset unless that was asked for.
    const plain = { ...entry, offsetMinutes: null };
    expect(decodeHistory([WALKER], false)).toEqual({
      entries: [plain],
      unread: 0,
      holes: [],
      strangeWords: [],
    });
  });

  it.each([
    ['2026-04-14T12:15Z', 0],
    ['2026-04-14T17:45+05:30', 330],
    ['2026-04-14T08:45-03:30', -210],
    ['2026-04-14T08:45-0330', -210],
    ['2026-04-14T08:15-04', -240],
  ])('has an offset with and without minutes: %s', (timestamp, offsetMinutes) => {
    const [entry] = decodeHistory([{ ...WALKER, timestamp }], true)?.entries ?? [];
    expect(entry).toMatchObject({ at: Date.UTC(2026, 3, 14, 12, 15), offsetMinutes });
  });

  it.each([
    ['LockButton', 'Unknown', 'secured'],
    ['UnlockButton', null, 'unsecured'],
    ['LockButton', 'Polished', 'unrecognised'],
    ['AccessTypeUnavailable', 'Unknown', 'unrecognised'],
  ])(
    'has the direction of a button inside, which has no event code: %s with %s (faults#174)',
    (accessType, eventCode, what) => {
      const accessor = { ...WALKER.accessor, accessType };
      expect(decodeHistory([{ ...WALKER, eventCode, accessor }], false)?.entries).toMatchObject([{ what }]);
    },
  );

  it('keeps an unknown event code as it came, and no word for a known or missing one', () => {
    const codes = ['Polished', 'x'.repeat(500), 'UnlockedByKeypad', null];
    const decoded = decodeHistory(walkers(codes.map((eventCode) => ({ eventCode }))), false);
    const words = decoded?.entries
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map((entry) => entry.serviceWord);
    expect(words).toEqual(['Polished', 'x'.repeat(100), undefined, undefined]);
  });

  it('has a reading for every event code of the contract', () => {
    const decoded = decodeHistory(walkers(EVENT_CODES.map((eventCode) => ({ eventCode }))), false);
    expect(decoded?.strangeWords).toEqual([]);
    expect(decoded?.entries.filter(({ what }) => what === 'unrecognised')).toHaveLength(1);
  });

  it('names each unknown event code once and keeps its entries', () => {
    const decoded = decodeHistory(
      walkers([{ eventCode: 'DoorPainted' }, { eventCode: 'DoorPainted' }]),
      false,
    );
    expect(decoded?.strangeWords).toEqual(['DoorPainted']);
    expect(decoded?.entries.map(({ what }) => what)).toEqual(['unrecognised', 'unrecognised']);
  });

  it('has the newest entry first, in any order of the answer', () => {
    const timestamps = ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-01T00:00:00+01:00'];
    const body = walkers(timestamps.map((timestamp) => ({ timestamp })));
    expect(decodeHistory(body, false)?.entries.map(({ id }) => id)).toEqual(['1', '2', '0']);
  });

  it('leaves out malformed entries, and is refused when the answer is no list', () => {
    expect(decodeHistory([{ id: 'h-1' }, 7, WALKER], false)?.entries).toHaveLength(1);
    expect(decodeHistory({ entries: [] }, false)).toBeNull();
  });

  it.each([
    ['times without an offset', { id: 'h-1', timestamp: '2026-04-14T08:15:30.250' }],
    ['times as numbers', { id: 'h-1', timestamp: 1_776_168_930_250 }],
    ['no ids', { timestamp: '2026-04-14T08:15:30.250Z' }],
  ])('with malformed entries alone (%s) is not taken for an empty one', (_, entry) => {
    expect(decodeHistory([entry, entry], true)).toBeNull();
    expect(decodeHistory([], true)?.entries).toEqual([]);
  });

  it('is read without an exception for any body', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(() => [decodeHistory(body, true), decodeHistory([body], true)]).not.toThrow();
      }),
    );
  });
});

it.each([
  ['whole', { limit: 100, deviceTime: true }, { limit: 100, deviceTime: true }],
  ['shorter', { limit: 100, deviceTime: true }, { limit: 50, deviceTime: true }],
  ['shorter', { limit: 7, deviceTime: false }, { limit: 7, deviceTime: false }],
  ['bare', { limit: 100, deviceTime: true }, { limit: 50, deviceTime: false }],
  ['bare', { limit: 100, deviceTime: false }, { limit: 50, deviceTime: false }],
] as const)('the %s form turns the question %j into %j', (form, question, answered) => {
  expect(historyQuestion(question, form)).toEqual(answered);
});
