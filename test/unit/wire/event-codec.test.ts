// Every form of the service's events, read into the account's words.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import { type DecodedEvent, decodeEvents } from '../../../src/wire/event-codec.ts';

const AT = Date.UTC(2026, 3, 14, 12, 15, 30, 250);

const envelope = (members: object): object => ({
  eventId: 'e-1',
  eventType: 'DeviceUpdate',
  trigger: 'DeviceLockStateChanged',
  time: '2026-04-14T12:15:30.250Z',
  deviceId: 'door-1',
  data: {},
  version: '2.0',
  ...members,
});

const eventsOf = (body: unknown): readonly ServiceEvent[] | undefined =>
  decodeEvents(body, (place) => (place === 0 ? 'nameless' : `nameless-${String(place)}`))?.map(
    ({ event }) => event,
  );

function eventOf(body: unknown): ServiceEvent | undefined {
  return eventsOf(body)?.[0];
}

function decodeEvent(body: unknown): DecodedEvent | undefined {
  return decodeEvents(body, () => '')?.[0];
}

const ABOUT = { eventId: 'e-1', at: AT, lockId: 'door-1' };

const bolt = (data: unknown): ServiceEvent | undefined => eventOf(envelope({ data }));

describe('the envelope', () => {
  it('has id, time and lock', () => {
    expect(eventOf(envelope({ trigger: 'DeviceAlarmTriggered' }))).toEqual({ type: 'alarm', ...ABOUT });
  });

  it.each([
    ['ISO 8601', '2026-04-14T12:15:30.250Z', AT],
    ['ISO 8601 with an offset', '2026-04-14T08:15:30.250-04:00', AT],
    ['epoch milliseconds', AT, AT],
    ['epoch milliseconds as text', String(AT), AT],
    ['epoch milliseconds with a fraction', AT + 0.4, AT],
    ['a local time without offset', '2026-04-14T12:15:30.250', null],
    ['epoch seconds', AT / 1_000, AT],
    ['epoch seconds as text', String(Math.floor(AT / 1_000)), AT - 250],
    ['a number that is neither seconds nor milliseconds of these years', 1_500_000_000, null],
    ['a later such number', 2_000_000_001, null],
    ['the first count of seconds', 1_600_000_000, 1_600_000_000_000],
    ['the last count of seconds', 2_000_000_000, 2_000_000_000_000],
    ['the first count of milliseconds', 100_000_000_000, 100_000_000_000],
    ['an earlier count', 99_999_999_999, null],
    ['a date from before any lock', '1970-01-02T00:00:00Z', null],
    ['digits in a sentence', `at ${String(AT)}`, null],
    ['digits before a sentence', `${String(AT)} or so`, null],
    ['a list of one', [String(AT)], null],
    ['nothing', undefined, null],
    ['null', null, null],
    ['a word', 'yesterday', null],
    ['an endless number', 1e300, null],
    ['an object', {}, null],
  ])('has a time as %s', (_, time, at) => {
    expect(eventOf(envelope({ time }))?.at).toBe(at);
  });

  it.each([
    ['a text', { userId: 'user-1' }, 'user-1'],
    ['nothing', {}, null],
    ['a number', { userId: 7 }, '7'],
    ['a list', { userId: ['user-1'] }, null],
    ['no data', null, null],
  ])('names the person of a sign-out, by %s', (_, data, userId) => {
    const event = eventOf(envelope({ trigger: 'UserSignedOutEverywhere', deviceId: null, data }));
    expect(event).toMatchObject({ type: 'signed-out', userId });
  });

  it('may stand in an array, each with an id of its own', () => {
    expect(eventsOf([envelope({})])).toEqual([eventOf(envelope({}))]);
    const named = [envelope({ eventId: 'e-1' }), envelope({ eventId: 'e-2' })];
    expect(eventsOf(named)?.map(({ eventId }) => eventId)).toEqual(['e-1', 'e-2']);
    expect(eventsOf([{}, {}])?.map(({ eventId }) => eventId)).toEqual(['nameless', 'nameless-1']);
  });

  it('is refused in an array that is empty, too long, nested, or has anything else in it', () => {
    expect(eventsOf(Array.from({ length: 50 }, () => envelope({})))).toHaveLength(50);
    expect(eventsOf(Array.from({ length: 51 }, () => envelope({})))).toBeUndefined();
    expect(eventsOf([])).toBeUndefined();
    expect(eventsOf([[envelope({})]])).toBeUndefined();
    expect(eventsOf([envelope({}), null])).toBeUndefined();
  });

  it('may lack every member', () => {
    const about = { eventId: 'nameless', at: null, lockId: null };
    expect(eventOf({})).toEqual({ type: 'unrecognised', trigger: '', ...about });
  });

  it('may have numbers for ids, and no id that cannot stand in a path', () => {
    expect(eventOf(envelope({ eventId: 7, deviceId: 8 }))).toMatchObject({ eventId: '7', lockId: '8' });
    const unusable = eventOf(envelope({ eventId: '', deviceId: '..' }));
    expect(unusable).toMatchObject({ eventId: 'nameless', lockId: null });
    expect(eventOf(envelope({ eventId: 'a\nb' }))).toMatchObject({ eventId: 'nameless' });
  });

  it('is read by its type where a trigger is missing', () => {
    const members = { trigger: undefined, eventType: 'AccessCodeUpdate', data: { accessCodeId: 'a-1' } };
    expect(eventOf(envelope(members))).toMatchObject({ type: 'code-updated', codeId: 'a-1' });
  });

  it('with an unknown trigger keeps that word, and names it for the log', () => {
    const decoded = decodeEvent(envelope({ trigger: 'x'.repeat(500) }));
    expect(decoded?.event).toMatchObject({ type: 'unrecognised', trigger: 'x'.repeat(100) });
    expect(decoded?.strangeWords).toEqual([`trigger "${'x'.repeat(100)}"`]);
  });

  it('is shown without digits that may be a code (faults#68)', () => {
    const trigger = decodeEvent(envelope({ trigger: 'Entered40719263' }));
    expect(trigger).toMatchObject({
      event: { type: 'unrecognised', trigger: 'Entered••••' },
      strangeWords: ['trigger "Entered••••"'],
    });
    const data = { eventType: 'Code 0417' };
    const earlier = decodeEvent({ eventType: 'AccessCodeManagement', data });
    const moved = decodeEvent(envelope({ data: { lockState: '40719263' } }));
    expect(earlier?.strangeWords).toEqual(['eventType "Code ••••"']);
    expect(moved?.strangeWords).toEqual(['lockState "••••"']);
  });
});

describe('a trigger', () => {
  const code = { codeId: 'a-1', codeName: 'Cleaner' };

  it.each<[string, object]>([
    ['DeviceLockStateChanged', { type: 'bolt', bolt: null, accessor: null }],
    ['DeviceConnectivityStateChanged', { type: 'connectivity', connected: null }],
    ['DeviceIncorrectAccessCodeEntered', { type: 'wrong-code' }],
    ['AccessCodeAdded', { type: 'code-added', ...code }],
    ['AccessCodeUpdated', { type: 'code-updated', ...code }],
    ['AccessCodeUpdate', { type: 'code-updated', ...code }],
    ['AccessCodeDeleted', { type: 'code-deleted', ...code }],
    ['DeviceBatteryStateChanged', { type: 'battery', battery: { grade: 'low', percent: 15 } }],
    ['DeviceAlarmTriggered', { type: 'alarm' }],
    ['DeviceKeypadLockedOut', { type: 'keypad-locked-out' }],
    ['UserSignedOutEverywhere', { type: 'signed-out', userId: 'u-1' }],
    ['Polished', { type: 'unrecognised', trigger: 'Polished' }],
  ])('%s is read as %j', (trigger, report) => {
    const battery = { batteryState: 'Low', percentageBatteryLevel: 15 };
    const data = { accessCodeId: 'a-1', name: 'Cleaner', code: 417, ...battery, userId: 'u-1' };
    const decoded = decodeEvent(envelope({ trigger, data }));
    expect(decoded?.event).toEqual({ ...report, ...ABOUT });
    expect(decoded?.strangeWords).toEqual(trigger === 'Polished' ? ['trigger "Polished"'] : []);
  });

  it('counts before the type, also where the type is that of the earlier envelope', () => {
    const both = envelope({ trigger: 'DeviceAlarmTriggered', eventType: 'AccessCodeManagement' });
    expect(eventOf(both)).toMatchObject({ type: 'alarm', eventId: 'e-1' });
  });

  it('names a position in no event but that of a bolt', () => {
    const data = { commandId: 'c-1', state: 'Failed', lockState: 'Ajar' };
    expect(decodeEvent(envelope({ trigger: 'CommandStateChanged', data }))?.strangeWords).toEqual([]);
  });
});

describe('the bolt', () => {
  it.each([
    ['Locked', 'secured', []],
    ['Unlocked', 'unsecured', []],
    ['Unknown', 'unknown', []],
    ['locked', 'unknown', ['lockState "locked"']],
    [1, 'unknown', ['lockState 1']],
    [null, null, []],
    [undefined, null, []],
  ])(
    'of lockState %j is %j, with one warning for a strange word (faults#24)',
    (lockState, expected, strange) => {
      const decoded = decodeEvent(envelope({ data: { lockState } }));
      expect(decoded?.event).toMatchObject({ type: 'bolt', bolt: expected });
      expect(decoded?.strangeWords).toEqual(strange);
    },
  );

  it('has an accessor only where the service named one', () => {
    expect(bolt({ lockState: 'Locked' })).toMatchObject({ accessor: null });
    expect(bolt({ lockState: 'Locked', accessor: null })).toMatchObject({ accessor: null });
    const hand = { method: 'thumbturn', id: null, name: null };
    const accessor = { accessType: 'Thumbturn', id: null, friendlyName: '' };
    expect(bolt({ accessor })).toMatchObject({ accessor: hand });
  });

  it.each([null, undefined, 'text', 7, []])('has to be read when the data are %j', (data) => {
    expect(bolt(data)).toMatchObject({ type: 'bolt', bolt: null, accessor: null });
  });
});

it('the text "false" of an event is not connected (faults#23)', () => {
  const trigger = 'DeviceConnectivityStateChanged';
  const read = eventOf(envelope({ trigger, data: { connected: 'false' } }));
  expect(read).toMatchObject({ type: 'connectivity', connected: false });
});

it('a code that was entered wrongly is not passed on', () => {
  const trigger = 'DeviceIncorrectAccessCodeEntered';
  const read = decodeEvent(envelope({ trigger, time: AT, data: { enteredAccessCode: '739182' } }));
  expect(read?.event).toEqual({ type: 'wrong-code', ...ABOUT });
  expect(JSON.stringify(read)).not.toContain('739182');
});

describe('the command of an event', () => {
  const ended = (data: unknown): ServiceEvent | undefined =>
    eventOf(envelope({ trigger: 'CommandStateChanged', eventType: 'CommandUpdate', data }));

  it('has ended well, or not, with its reason', () => {
    const reading = { state: 'successful', commandId: 'c-1' };
    const well = ended({ commandId: 'c-1', state: 'Successful', data: {} });
    expect(well).toMatchObject({ type: 'command-ended', reading });
    const badly = ended({ commandId: 'c-1', state: 'Failed', data: { error: { errorCode: '32' } } });
    expect(badly).toMatchObject({ reading: { state: 'failed', reason: 'bolt-jammed' } });
  });

  it('that is pending or has no id is ignored', () => {
    expect(ended({ commandId: 'c-1', state: 'Pending' })).toMatchObject({ type: 'unrecognised' });
    expect(ended({ state: 'Successful' })).toMatchObject({ type: 'unrecognised' });
    expect(ended(null)).toMatchObject({ type: 'unrecognised', trigger: 'CommandStateChanged' });
  });
});

describe('the earlier envelope', () => {
  const earlier = (data: object, members: object = {}): object => ({
    id: 'old-1',
    subject: 'devices/door-1',
    data: {
      deviceId: 'door-1',
      deviceName: 'Front door',
      eventTypeId: 1,
      eventType: 'AccessCodeCreate',
      accessCode: { id: 'a-1', name: 'Cleaner', accessCode: 417, activeSchedules: [] },
      timezoneOffset: '-05:00',
      time: '20240129T10:05',
      ...data,
    },
    eventType: 'AccessCodeManagement',
    dataVersion: '1.0',
    metadataVersion: '1',
    eventTime: '2024-01-29T15:05:00.000Z',
    topic: 'access-codes',
    ...members,
  });
  const read = {
    type: 'code-added',
    codeId: 'a-1',
    codeName: 'Cleaner',
    eventId: 'old-1',
    at: Date.UTC(2024, 0, 29, 15, 5),
    lockId: 'door-1',
  };

  it('is understood alone and in an array of one', () => {
    expect(eventOf(earlier({}))).toEqual(read);
    expect(eventOf([earlier({})])).toEqual(read);
  });

  it('has a time at the door where it has no other', () => {
    expect(eventOf(earlier({}, { eventTime: undefined }))).toEqual(read);
    expect(eventOf(earlier({ timezoneOffset: '' }, { eventTime: undefined }))?.at).toBeNull();
    for (const time of ['noon', '20240129T10:05 or so', 'about 20240129T10:05']) {
      expect(eventOf(earlier({ time }, { eventTime: undefined }))?.at).toBeNull();
    }
  });

  it.each([
    ['AccessCodeCreate', 'code-added'],
    ['AccessCodeUpdate', 'code-updated'],
    ['AccessCodeDelete', 'code-deleted'],
  ])('%s is %s, and no word of it is strange', (eventType, type) => {
    const decoded = decodeEvent(earlier({ eventType }));
    expect(decoded).toEqual({ event: { ...read, type }, strangeWords: [] });
  });

  it('of another kind, or without its parts, is not recognised and not lost', () => {
    const deleted = eventOf(earlier({ eventType: 'AccessCodeDelete', accessCode: null }));
    expect(deleted).toMatchObject({ type: 'code-deleted', codeId: null, codeName: null });
    const other = eventOf(earlier({ eventType: 'Other' }));
    expect(other).toMatchObject({ type: 'unrecognised', trigger: 'Other' });
    const long = decodeEvent(earlier({ eventType: 'x'.repeat(500) }));
    expect(long?.event).toMatchObject({ trigger: 'x'.repeat(100) });
    expect(long?.strangeWords[0]).toContain('eventType "xxx');
    const empty = eventOf({ eventType: 'AccessCodeManagement' });
    expect(empty).toMatchObject({ type: 'unrecognised', eventId: 'nameless', lockId: null });
  });
});

it('any body is an event or null, and never throws', () => {
  const triggers = ['DeviceLockStateChanged', 'CommandStateChanged', 'DeviceBatteryStateChanged'];
  const members = fc.record(
    {
      eventId: fc.jsonValue(),
      eventType: fc.oneof(fc.jsonValue(), fc.constant('AccessCodeManagement')),
      trigger: fc.oneof(fc.jsonValue(), fc.constantFrom(...triggers)),
      time: fc.jsonValue(),
      deviceId: fc.jsonValue(),
      data: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), members), (body) => {
      const event = eventOf(body);
      expect(event === undefined || event.eventId.length > 0).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
