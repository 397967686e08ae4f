// Devices and commands, and every refusal of the device interface that a lock can meet (wire contract 0, 2, 3, 4, 11).
import { type GoldenExchange, HEADERS, toDevice, withDevice } from './golden-exchange.ts';

/** The device of the contract's example. */
export const DEVICE_ID = '6c1d3a52-0d0e-4a58-9a55-0c9f2e7a1b10';

export const COMMANDS = `/locks/devices/${DEVICE_ID}/commands`;

const LIST = toDevice('/locks/devices');
export const READ_BACK = toDevice(`${COMMANDS}/{commandId}`);
const move = (lockState: 'Locked' | 'Unlocked') =>
  toDevice(COMMANDS, { name: 'ChangeLockState', data: { lockState } });

/** The Command object in one of its states (wire contract 3, `data` by state). */
export function command(name: string, state: string, data: unknown): unknown {
  return { commandId: '{commandId}', deviceId: DEVICE_ID, state, name, data };
}

const moved = (state: string, lockState: string, error: unknown = null) =>
  command('ChangeLockState', state, { lockState, error });

/** A command is accepted, with the address at which it is read back. */
export const ACCEPTED_AT = { location: `{baseUrl}${COMMANDS}/{commandId}` };
const accepted = (section: string, request: ReturnType<typeof toDevice>) =>
  withDevice(section, request, 202, moved('Pending', 'Unknown'), ACCEPTED_AT);

const FRONT_DOOR = {
  role: 'owner',
  id: DEVICE_ID,
  name: 'Front door',
  type: 'WifiDeadbolt',
  lockState: 'Locked',
  batteryState: 'Normal',
  modelName: 'Model-D1',
  serialNumber: '0000A1B2C3',
  percentageBatteryLevel: 87,
  connected: true,
  lastConnectedToCloud: '{timeConnected}',
  lastUpdated: '{timeUpdated}',
  created: '{timeCreated}',
  timezoneOffset: '-04:00',
  firmwareVersion: '10.21.0',
  wifiRssi: -58,
  features: { vlac: true, activityAlarm: false },
};

const JAMMED = { statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' };
const LOST = 'Lost connection while waiting for a response';

export const DEVICES = {
  list: withDevice('2', LIST, 200, [FRONT_DOOR] as const),
  noLocks: withDevice('2', LIST, 200, []),
  unlock: accepted('3', move('Unlocked')),
  lock: accepted('3', move('Locked')),
  unlockAlias: accepted('4', toDevice(`/locks/devices/${DEVICE_ID}/unlock`, { lockState: 'Unlocked' })),
  pending: withDevice('3', READ_BACK, 200, moved('Pending', 'Unknown')),
  unlocked: withDevice('3', READ_BACK, 200, moved('Successful', 'Unlocked')),
  jammed: withDevice('3', READ_BACK, 200, moved('Failed', 'Unknown', JAMMED)),
  silent: withDevice(
    '3',
    READ_BACK,
    200,
    moved('Failed', 'Unknown', { statusCode: 504, errorCode: 13, errorMessage: LOST }),
  ),
} as const satisfies Readonly<Record<string, GoldenExchange>>;

const NOT_FOUND = { errorCode: 1, Description: 'Device not found' };
const denied = (message: string) => ({ statusCode: 401, message });

export const REFUSALS = {
  keyMissing: withDevice(
    '0',
    { ...LIST, headers: { authorization: HEADERS.authorization } },
    401,
    denied('Access denied: subscription key is missing.'),
  ),
  keyWrong: withDevice(
    '0',
    { ...LIST, headers: { ...HEADERS, 'vendor-subscription-key': 'wrong' } },
    401,
    denied('Access denied: subscription key is not valid.'),
  ),
  tokenWrong: withDevice(
    '0',
    { ...LIST, headers: { ...HEADERS, authorization: 'Bearer wrong' } },
    401,
    denied('Access token is missing or not valid.'),
    { 'www-authenticate': 'Bearer error="invalid_token"' },
  ),
  routeUnknown: withDevice('0', toDevice('/keys/devices'), 404, {
    statusCode: 404,
    message: 'Resource not found',
  }),
  deviceUnknown: withDevice(
    '0',
    { ...move('Locked'), path: '/locks/devices/nobodys/commands' },
    404,
    NOT_FOUND,
  ),
  commandUnknown: withDevice('0', toDevice(`${COMMANDS}/nobodys`), 404, NOT_FOUND),
  roleMayNot: withDevice('0 and 11, Roles', move('Unlocked'), 403, {
    errorCode: 1,
    Description: 'Not permitted for this role',
  }),
  bodyNotJson: withDevice('0', { ...move('Locked'), json: undefined, text: '{"name"' }, 400, {
    errorCode: 15,
    Description: 'JSON parser error occurred',
  }),
  nameUnknown: withDevice('3, Rules', toDevice(COMMANDS, { name: 'OpenSesame', data: {} }), 400, {
    errorCode: 25,
    Description: 'Command type is not valid',
  }),
  busy: withDevice('3, Rules, and 10.1', move('Locked'), 409, {
    errorCode: 36,
    Description: 'Cannot process multiple device commands simultaneously',
  }),
  overloaded: withDevice(
    '0 and 11, 503',
    move('Locked'),
    503,
    { errorCode: 1, Description: 'General failure during the operation' },
    { 'retry-after': '30' },
  ),
  lateGateway: withDevice('0', move('Locked'), 504, { errorCode: 13, Description: LOST }),
} as const satisfies Readonly<Record<string, GoldenExchange>>;
