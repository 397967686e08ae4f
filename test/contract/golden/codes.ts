// Access codes: the list, and each command from its request to its end (wire contract 3 and 4).
import { DEVICE_ID } from './devices.ts';
import type { GoldenExchange, GoldenRequest } from './golden-exchange.ts';

/** Fifteen hundred on April 15 and eleven hundred on April 18 in New York, as the contract writes them. */
export const STAY = { from: Date.UTC(2026, 3, 15, 19), until: Date.UTC(2026, 3, 18, 15) };

const HEADERS = { authorization: 'Bearer {accessToken}', 'vendor-subscription-key': '{subscriptionKey}' };
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json' };
const DEVICE = `/locks/devices/${DEVICE_ID}`;
const COMMANDS = `${DEVICE}/commands`;

const LIST: GoldenRequest = { method: 'GET', path: `${DEVICE}/accesscodes`, headers: HEADERS };
const READ_BACK: GoldenRequest = { method: 'GET', path: `${COMMANDS}/{commandId}`, headers: HEADERS };

function ask(name: string, data: object): GoldenRequest {
  return { method: 'POST', path: COMMANDS, headers: JSON_HEADERS, json: { name, data } };
}

function command(name: string, state: string, data: object): object {
  return { commandId: '{commandId}', deviceId: DEVICE_ID, state, name, data };
}

function taken(name: string, data: object) {
  const headers = { location: `{baseUrl}${COMMANDS}/{commandId}` };
  return { status: 202, headers, json: command(name, 'Pending', data) };
}

function ended(name: string, state: 'Successful' | 'Failed', data: object) {
  return { status: 200, headers: {}, json: command(name, state, data) };
}

const GUEST = { accessCodeId: '{accessCodeId}', friendlyName: 'Guest 12', error: null };
const NO_CODE = { accessCodeId: null, friendlyName: null, error: null };
const TIMES = { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00-04:00' };
const ADD = ask('AddAccessCode', {
  name: 'Guest 12',
  code: '480917',
  scheduleType: 'Temporary',
  scheduleDetails: TIMES,
});
const section = 'wire contract 3';
const server = 'device';

export const CODES = {
  none: {
    section: 'wire contract 4',
    server,
    request: LIST,
    answer: { status: 200, headers: {}, json: { accessCodes: [] } },
  },
  list: {
    section: 'wire contract 4',
    server,
    request: LIST,
    answer: {
      status: 200,
      headers: {},
      json: {
        accessCodes: [
          {
            accessCodeId: '{accessCodeId}',
            name: 'Dog walker',
            code: '0417',
            accessCodeLength: 4,
            readOnly: false,
            scheduleType: 'Recurring',
            scheduleDetails: {
              startDateTime: null,
              endDateTime: null,
              schedules: [{ startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] }],
            },
          },
        ],
      },
    },
  },
  add: { section, server, request: ADD, answer: taken('AddAccessCode', GUEST) },
  added: { section, server, request: READ_BACK, answer: ended('AddAccessCode', 'Successful', GUEST) },
  addedToList: {
    section: 'wire contract 4',
    server,
    request: LIST,
    answer: {
      status: 200,
      headers: {},
      json: {
        accessCodes: [
          {
            accessCodeId: '{accessCodeId}',
            name: 'Guest 12',
            code: '480917',
            accessCodeLength: 6,
            readOnly: false,
            scheduleType: 'Temporary',
            scheduleDetails: { ...TIMES, schedules: [] },
          },
        ],
      },
    },
  },
  notAdded: {
    section,
    server,
    request: READ_BACK,
    answer: ended('AddAccessCode', 'Failed', {
      accessCodeId: null,
      friendlyName: 'Guest 12',
      error: { statusCode: 500, errorCode: 5, errorMessage: 'Failed to add the access code to the device' },
    }),
  },
  update: {
    section,
    server,
    request: ask('UpdateAccessCode', { accessCodeId: '{accessCodeId}', code: '480918' }),
    answer: taken('UpdateAccessCode', GUEST),
  },
  updated: { section, server, request: READ_BACK, answer: ended('UpdateAccessCode', 'Successful', GUEST) },
  remove: {
    section,
    server,
    request: ask('DeleteAccessCode', { accessCodeId: '{accessCodeId}' }),
    answer: taken('DeleteAccessCode', NO_CODE),
  },
  removed: { section, server, request: READ_BACK, answer: ended('DeleteAccessCode', 'Successful', NO_CODE) },
  removeAll: {
    section,
    server,
    request: ask('DeleteAllAccessCodes', {}),
    answer: taken('DeleteAllAccessCodes', { deviceId: DEVICE_ID, error: null }),
  },
  removedAll: {
    section,
    server,
    request: READ_BACK,
    answer: ended('DeleteAllAccessCodes', 'Successful', { deviceId: DEVICE_ID, error: null }),
  },
} as const satisfies Readonly<Record<string, GoldenExchange>>;

const refused = (status: number, errorCode: number, Description: string) => ({
  status,
  headers: {},
  json: { errorCode, Description },
});

export const CODE_REFUSALS = {
  sameCode: {
    section: 'wire contract 4',
    server,
    request: ask('AddAccessCode', { name: 'Other', code: '480917', scheduleType: 'Always' }),
    answer: refused(409, 2, 'Access code already exists'),
  },
  sameName: {
    section: 'wire contract 4',
    server,
    request: ask('AddAccessCode', { name: 'Guest 12', code: '5561', scheduleType: 'Always' }),
    answer: refused(409, 4, 'An access code with this name already exists'),
  },
  idUnknown: {
    section: 'wire contract 4',
    server,
    request: ask('DeleteAccessCode', { accessCodeId: 'nobodys' }),
    answer: refused(404, 31, 'Access code ID is not valid'),
  },
} as const satisfies Readonly<Record<string, GoldenExchange>>;
