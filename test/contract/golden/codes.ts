// Access codes: the list, and each command from its request to its end (wire contract 3 and 4).
import { ACCEPTED_AT, COMMANDS, command, DEVICE_ID, READ_BACK } from './devices.ts';
import { type GoldenExchange, toDevice, withDevice } from './golden-exchange.ts';

/** Fifteen hundred on April 15 and eleven hundred on April 18 in New York, as the contract writes them. */
export const STAY = { from: Date.UTC(2026, 3, 15, 19), until: Date.UTC(2026, 3, 18, 15) };
const TIMES = { startDateTime: '20260415T15:00-04:00', endDateTime: '20260418T11:00-04:00' };

/** What the dog walker's code is made of. */
export const WALKER = {
  name: 'Dog walker',
  code: '0417',
  scheduleType: 'Recurring',
  scheduleDetails: {
    schedules: [{ startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] }],
  },
};
const GUEST = { name: 'Guest 12', code: '480917', scheduleType: 'Temporary', scheduleDetails: TIMES };

const listed = (...accessCodes: readonly object[]) =>
  withDevice('4', toDevice(`/locks/devices/${DEVICE_ID}/accesscodes`), 200, { accessCodes });
const ask = (name: string, data: object) => toDevice(COMMANDS, { name, data });
const taken = (name: string, asked: object, data: object) =>
  withDevice('3', ask(name, asked), 202, command(name, 'Pending', data), ACCEPTED_AT);
const ended = (name: string, state: 'Successful' | 'Failed', data: object) =>
  withDevice('3', READ_BACK, 200, command(name, state, data));

const ID = { accessCodeId: '{accessCodeId}' };
const NAMED = { ...ID, friendlyName: 'Guest 12', error: null };
const NO_CODE = { accessCodeId: null, friendlyName: null, error: null };
const NO_ERROR = { deviceId: DEVICE_ID, error: null };
const STORED = { ...ID, readOnly: false };

export const CODES = {
  none: listed(),
  list: listed({
    ...STORED,
    ...WALKER,
    accessCodeLength: 4,
    scheduleDetails: { startDateTime: null, endDateTime: null, ...WALKER.scheduleDetails },
  }),
  add: taken('AddAccessCode', GUEST, NAMED),
  added: ended('AddAccessCode', 'Successful', NAMED),
  addedToList: listed({
    ...STORED,
    ...GUEST,
    accessCodeLength: 6,
    scheduleDetails: { ...TIMES, schedules: [] },
  }),
  notAdded: ended('AddAccessCode', 'Failed', {
    accessCodeId: null,
    friendlyName: 'Guest 12',
    error: { statusCode: 500, errorCode: 5, errorMessage: 'Failed to add the access code to the device' },
  }),
  update: taken('UpdateAccessCode', { ...ID, code: '480918' }, NAMED),
  updated: ended('UpdateAccessCode', 'Successful', NAMED),
  remove: taken('DeleteAccessCode', ID, NO_CODE),
  removed: ended('DeleteAccessCode', 'Successful', NO_CODE),
  removeAll: taken('DeleteAllAccessCodes', {}, NO_ERROR),
  removedAll: ended('DeleteAllAccessCodes', 'Successful', NO_ERROR),
} as const satisfies Readonly<Record<string, GoldenExchange>>;

const refused = (name: string, data: object, status: number, errorCode: number, Description: string) =>
  withDevice('4', ask(name, data), status, { errorCode, Description });
const always = { scheduleType: 'Always' };

export const CODE_REFUSALS = {
  sameCode: refused(
    'AddAccessCode',
    { name: 'Other', code: '480917', ...always },
    409,
    2,
    'Access code already exists',
  ),
  sameName: refused(
    'AddAccessCode',
    { name: 'Guest 12', code: '5561', ...always },
    409,
    4,
    'An access code with this name already exists',
  ),
  idUnknown: refused('DeleteAccessCode', { accessCodeId: 'nobodys' }, 404, 31, 'Access code ID is not valid'),
} as const satisfies Readonly<Record<string, GoldenExchange>>;
