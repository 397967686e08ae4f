// Every trigger as its receiver gets it: versions 2.0 and 1.0 and the earlier form (specification, Events; wire contract 7).
import { beforeEach, describe, expect, test } from 'vitest';
import { TRIGGERS } from '../../src/webhooks/envelope.ts';
import type { WebhookSettingsChange } from '../../src/webhooks/webhook-settings.ts';
import type { AccessCodeRecord } from '../../src/world/records.ts';
import type { WorldEventFact } from '../../src/world/world-event.ts';
import { AT, activityOf, battery, DEVICE, WebhookHarness } from './harness.ts';

const ACCESSOR = { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' } as const;
const ALWAYS = { startDateTime: null, endDateTime: null, schedules: [] };
const WINDOW = { startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] } as const;
const CODE: AccessCodeRecord = {
  accessCodeId: 'a71e',
  name: 'Dog walker',
  code: '0417',
  accessCodeLength: 4,
  readOnly: false,
  scheduleType: 'Always',
  scheduleDetails: ALWAYS,
};
const TEMPORARY: AccessCodeRecord = {
  ...CODE,
  scheduleType: 'Temporary',
  scheduleDetails: {
    startDateTime: '20260415T15:00-04:00',
    endDateTime: '20260418T11:00-04:00',
    schedules: [],
  },
};
const RECURRING: AccessCodeRecord = {
  ...CODE,
  scheduleType: 'Recurring',
  scheduleDetails: { ...ALWAYS, schedules: [WINDOW] },
};
const COMMAND = {
  commandId: '77aa',
  deviceId: DEVICE,
  state: 'Failed',
  name: 'ChangeLockState',
  data: {
    lockState: 'Unknown',
    error: { statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' },
  },
} as const;

let hooks: WebhookHarness;
beforeEach(async () => {
  hooks = await WebhookHarness.startSubscribed();
});

/** The one event that a fact leads to. */
const eventOf = async (fact: WorldEventFact, settings: WebhookSettingsChange = {}): Promise<unknown> => {
  hooks.service.configure(settings);
  await hooks.publish(activityOf(fact));
  expect(hooks.receiver.events).toHaveLength(1);
  return hooks.receiver.events[0];
};

const EVENT_ID: unknown = expect.stringMatching(/^e-[0-9a-f]{32}$/);
const TIME = '2026-04-14T12:15:30.250Z';

describe('Specification, Triggers; wire contract 7, version 2.0', () => {
  const rows: readonly [string, string, WorldEventFact, unknown, object?][] = [
    [
      'DeviceLockStateChanged',
      'DeviceUpdate',
      { kind: 'lock-state-changed', lockState: 'Unlocked', accessor: ACCESSOR },
      { lockState: 'Unlocked', accessor: ACCESSOR },
    ],
    [
      'DeviceConnectivityStateChanged',
      'DeviceUpdate',
      { kind: 'connectivity-changed', connected: false },
      { connected: 'false' },
    ],
    ['AccessCodeAdded', 'AccessCodeAdded', { kind: 'access-code-added', accessCode: CODE }, CODE],
    [
      'AccessCodeUpdated',
      'AccessCodeUpdate',
      { kind: 'access-code-updated', accessCode: TEMPORARY },
      TEMPORARY,
    ],
    [
      'AccessCodeDeleted',
      'AccessCodeDeleted',
      { kind: 'access-code-deleted', accessCodeId: 'a71e', name: 'Dog walker' },
      { accessCodeId: 'a71e', name: 'Dog walker' },
    ],
    ['CommandStateChanged', 'CommandUpdate', { kind: 'command-ended', command: COMMAND }, COMMAND],
    [
      'DeviceBatteryStateChanged',
      'DeviceUpdate',
      { kind: 'battery-changed', batteryState: 'Low', percentageBatteryLevel: 18 },
      { batteryState: 'Low', percentageBatteryLevel: 18 },
    ],
    ['DeviceAlarmTriggered', 'DeviceUpdate', { kind: 'alarm-triggered' }, {}],
    ['DeviceKeypadLockedOut', 'DeviceUpdate', { kind: 'keypad-locked-out' }, {}],
    [
      'DeviceIncorrectAccessCodeEntered',
      'DeviceUpdate',
      { kind: 'incorrect-code-entered', enteredAccessCode: '9999' },
      { enteredAccessCode: '9999' },
      { time: AT },
    ],
    [
      'UserSignedOutEverywhere',
      'UserUpdate',
      { kind: 'signed-out-everywhere', userId: 'resident' },
      { userId: 'resident' },
      { deviceId: null },
    ],
  ];

  test.each(rows)('%s', async (trigger, eventType, fact, data, changes) => {
    const event = {
      eventId: EVENT_ID,
      eventType,
      trigger,
      time: TIME,
      deviceId: DEVICE,
      data,
      version: '2.0',
    };
    expect(await eventOf(fact)).toEqual({ ...event, ...changes });
    const isSubscribed = fact.kind !== 'signed-out-everywhere';
    expect((await hooks.call('GET', '/subscriptions')).body).toHaveLength(isSubscribed ? 1 : 0);
  });

  test('every trigger of the table is shown above', () => {
    expect(rows.map(([trigger]) => trigger).toSorted()).toEqual(TRIGGERS.toSorted());
    expect(TRIGGERS).toHaveLength(11);
  });

  test('a jam, and events that only a person at the door sees, are not announced', async () => {
    await hooks.publish(
      activityOf({ kind: 'jammed' }),
      activityOf({ kind: 'device-changed', change: 'bolt', bolt: 'Unknown' }),
    );
    expect(hooks.receiver.events).toEqual([]);
  });
});

describe('Wire contract 7, version 1.0', () => {
  test.each([
    [
      { v1LockState: 'present' },
      { lockState: 'Unlocked', accessor: { id: 'a71e', accessType: 'AccessCode' } },
    ],
    [{ v1LockState: 'present', v1Accessor: 'absent' }, { lockState: 'Unlocked' }],
    [{ v1Accessor: 'absent' }, {}],
  ] as const)('with %o a change of the lock state has the data %o', async (settings, data) => {
    const fact = { kind: 'lock-state-changed', lockState: 'Unlocked', accessor: ACCESSOR } as const;
    expect(await eventOf(fact, { form: '1.0', ...settings })).toEqual({
      eventId: EVENT_ID,
      eventType: 'DeviceUpdate',
      trigger: 'DeviceLockStateChanged',
      time: TIME,
      deviceId: DEVICE,
      data,
      version: '1.0',
    });
  });

  test.each([
    ['boolean', false],
    ['text', 'false'],
  ] as const)('connected as %s', async (v1Connected, connected) => {
    const event = await eventOf(
      { kind: 'connectivity-changed', connected: false },
      { form: '1.0', v1Connected },
    );
    expect(event).toMatchObject({ data: { connected } });
  });

  test('Temporary times lose their offset, and a code may be a number that lost its zero', async () => {
    const event = await eventOf({ kind: 'access-code-added', accessCode: TEMPORARY }, { form: '1.0' });
    expect(event).toMatchObject({
      data: {
        ...TEMPORARY,
        code: 417,
        scheduleDetails: { startDateTime: '20260415T15:00', endDateTime: '20260418T11:00', schedules: [] },
      },
    });
  });

  test('a code may stay text, and times that are null stay null', async () => {
    const fact = { kind: 'access-code-updated', accessCode: RECURRING } as const;
    expect(await eventOf(fact, { form: '1.0', v1Code: 'text' })).toMatchObject({ data: RECURRING });
  });

  test('all other members are as in 2.0 but for the version', async () => {
    expect(await eventOf({ kind: 'command-ended', command: COMMAND }, { form: '1.0' })).toMatchObject({
      version: '1.0',
      data: COMMAND,
    });
  });
});

describe('Specification, Earlier access-code management envelope', () => {
  const envelope = (event: Readonly<Record<string, unknown>>) => ({
    id: EVENT_ID,
    subject: `devices/${DEVICE}`,
    data: {
      identifier: null,
      deviceId: DEVICE,
      deviceName: 'Front door',
      clientName: null,
      ...event,
      timezoneOffset: '-04:00',
      time: '20260414T08:15',
    },
    eventType: 'AccessCodeManagement',
    dataVersion: '1.0',
    metadataVersion: '1',
    eventTime: TIME,
    topic: 'access-codes',
  });
  const code = (scheduleType: string, activeSchedules: readonly unknown[]) => ({
    id: 'a71e',
    name: 'Dog walker',
    accessCode: '0417',
    scheduleType,
    activeSchedules,
  });

  test.each([
    ['Always', CODE, []],
    ['Recurring', RECURRING, [WINDOW]],
  ])('a code (%s) that was added, alone', async (scheduleType, accessCode, schedules) => {
    const event = await eventOf({ kind: 'access-code-added', accessCode }, { form: 'earlier' });
    expect(event).toEqual(
      envelope({
        eventTypeId: 1,
        eventType: 'AccessCodeCreate',
        accessCode: code(scheduleType, schedules),
      }),
    );
  });

  test('a Temporary code that was updated, in an array of one', async () => {
    const fact = { kind: 'access-code-updated', accessCode: TEMPORARY } as const;
    const local = { startDateTime: '20260415T15:00', endDateTime: '20260418T11:00' };
    expect(await eventOf(fact, { form: 'earlier-in-array' })).toEqual([
      envelope({ eventTypeId: 2, eventType: 'AccessCodeUpdate', accessCode: code('Temporary', [local]) }),
    ]);
  });

  test('a code that was deleted', async () => {
    const fact = { kind: 'access-code-deleted', accessCodeId: 'a71e', name: 'Dog walker' } as const;
    const accessCode = {
      id: 'a71e',
      name: 'Dog walker',
      accessCode: null,
      scheduleType: null,
      activeSchedules: [],
    };
    expect(await eventOf(fact, { form: 'earlier' })).toEqual(
      envelope({ eventTypeId: 3, eventType: 'AccessCodeDelete', accessCode }),
    );
  });

  test.each(['earlier', 'earlier-in-array'] as const)(
    'events that %s cannot express come as version 1.0, alone',
    async (form) => {
      const fact = { kind: 'connectivity-changed', connected: true } as const;
      expect(await eventOf(fact, { form })).toMatchObject({ version: '1.0', data: { connected: true } });
    },
  );
});

describe('Wire contract 7, event ids', () => {
  test('are the same for every receiver of an event, and differ from event to event', async () => {
    await hooks.subscribe(hooks.receiver.url('/second'));
    await hooks.publish(battery(18), battery(17));
    const ids = hooks.attempts.map(({ eventId }) => eventId);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(2);
  });

  test('a world that starts anew later repeats none', async () => {
    const first = battery();
    await hooks.publish(first, { ...first, at: first.at + 1 });
    expect(new Set(hooks.attempts.map(({ eventId }) => eventId)).size).toBe(2);
  });

  test('an event reaches the users it concerns and nobody else', async () => {
    await hooks.subscribe(hooks.receiver.url('/guest'), { clientId: 'client-1', userId: 'guest' });
    const fact = { kind: 'alarm-triggered' } as const;
    await hooks.publish(activityOf(fact, { userIds: ['guest'] }));
    await hooks.publish(activityOf(fact, { userIds: [] }));
    expect(hooks.receiver.of('POST').map(({ target }) => target)).toEqual(['/guest']);
  });
});
