// Devices and commands, and every refusal of the device interface that a lock can meet (wire contract 0, 2, 3, 4, 11).
import type { GoldenExchange, GoldenRequest } from './golden-exchange.ts';

/** The device of the contract's example. */
export const DEVICE_ID = '6c1d3a52-0d0e-4a58-9a55-0c9f2e7a1b10';

/** Specification, Endpoints: both headers are required. */
const HEADERS = { authorization: 'Bearer {accessToken}', 'vendor-subscription-key': '{subscriptionKey}' };
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

const LIST: GoldenRequest = { method: 'GET', path: '/locks/devices', headers: HEADERS };

const COMMANDS = `/locks/devices/${DEVICE_ID}/commands`;

function move(lockState: 'Locked' | 'Unlocked'): GoldenRequest {
  return {
    method: 'POST',
    path: COMMANDS,
    headers: JSON_HEADERS,
    json: { name: 'ChangeLockState', data: { lockState } },
  };
}

const READ_BACK: GoldenRequest = { method: 'GET', path: `${COMMANDS}/{commandId}`, headers: HEADERS };

/** The Command object in one of its states (wire contract 3, `data` by state). */
function command(state: string, lockState: string, error: unknown = null): unknown {
  return {
    commandId: '{commandId}',
    deviceId: DEVICE_ID,
    state,
    name: 'ChangeLockState',
    data: { lockState, error },
  };
}

const ACCEPTED = {
  status: 202,
  headers: { location: `{baseUrl}${COMMANDS}/{commandId}` },
  json: command('Pending', 'Unknown'),
};

export const DEVICES = {
  list: {
    section: 'wire contract 2',
    server: 'device',
    request: LIST,
    answer: {
      status: 200,
      headers: {},
      json: [
        {
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
        },
      ],
    },
  },
  noLocks: {
    section: 'wire contract 2',
    server: 'device',
    request: LIST,
    answer: { status: 200, headers: {}, json: [] },
  },
  unlock: { section: 'wire contract 3', server: 'device', request: move('Unlocked'), answer: ACCEPTED },
  lock: { section: 'wire contract 3', server: 'device', request: move('Locked'), answer: ACCEPTED },
  unlockAlias: {
    section: 'wire contract 4',
    server: 'device',
    request: {
      method: 'POST',
      path: `/locks/devices/${DEVICE_ID}/unlock`,
      headers: JSON_HEADERS,
      json: { lockState: 'Unlocked' },
    },
    answer: ACCEPTED,
  },
  pending: {
    section: 'wire contract 3',
    server: 'device',
    request: READ_BACK,
    answer: { status: 200, headers: {}, json: command('Pending', 'Unknown') },
  },
  unlocked: {
    section: 'wire contract 3',
    server: 'device',
    request: READ_BACK,
    answer: { status: 200, headers: {}, json: command('Successful', 'Unlocked') },
  },
  jammed: {
    section: 'wire contract 3',
    server: 'device',
    request: READ_BACK,
    answer: {
      status: 200,
      headers: {},
      json: command('Failed', 'Unknown', {
        statusCode: 409,
        errorCode: 32,
        errorMessage: 'Bolt is jammed',
      }),
    },
  },
  silent: {
    section: 'wire contract 3',
    server: 'device',
    request: READ_BACK,
    answer: {
      status: 200,
      headers: {},
      json: command('Failed', 'Unknown', {
        statusCode: 504,
        errorCode: 13,
        errorMessage: 'Lost connection while waiting for a response',
      }),
    },
  },
} as const satisfies Readonly<Record<string, GoldenExchange>>;

const NOT_FOUND = { errorCode: 1, Description: 'Device not found' };

export const REFUSALS = {
  keyMissing: {
    section: 'wire contract 0',
    server: 'device',
    request: { ...LIST, headers: { authorization: 'Bearer {accessToken}' } },
    answer: {
      status: 401,
      headers: {},
      json: { statusCode: 401, message: 'Access denied: subscription key is missing.' },
    },
  },
  keyWrong: {
    section: 'wire contract 0',
    server: 'device',
    request: { ...LIST, headers: { ...HEADERS, 'vendor-subscription-key': 'wrong' } },
    answer: {
      status: 401,
      headers: {},
      json: { statusCode: 401, message: 'Access denied: subscription key is not valid.' },
    },
  },
  tokenWrong: {
    section: 'wire contract 0',
    server: 'device',
    request: { ...LIST, headers: { ...HEADERS, authorization: 'Bearer wrong' } },
    answer: {
      status: 401,
      headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
      json: { statusCode: 401, message: 'Access token is missing or not valid.' },
    },
  },
  routeUnknown: {
    section: 'wire contract 0',
    server: 'device',
    request: { ...LIST, path: '/keys/devices' },
    answer: { status: 404, headers: {}, json: { statusCode: 404, message: 'Resource not found' } },
  },
  deviceUnknown: {
    section: 'wire contract 0',
    server: 'device',
    request: { ...move('Locked'), path: '/locks/devices/nobodys/commands' },
    answer: { status: 404, headers: {}, json: NOT_FOUND },
  },
  commandUnknown: {
    section: 'wire contract 0',
    server: 'device',
    request: { ...READ_BACK, path: `${COMMANDS}/nobodys` },
    answer: { status: 404, headers: {}, json: NOT_FOUND },
  },
  roleMayNot: {
    section: 'wire contract 0 and 11, Roles',
    server: 'device',
    request: move('Unlocked'),
    answer: {
      status: 403,
      headers: {},
      json: { errorCode: 1, Description: 'Not permitted for this role' },
    },
  },
  bodyNotJson: {
    section: 'wire contract 0',
    server: 'device',
    request: { method: 'POST', path: COMMANDS, headers: JSON_HEADERS, text: '{"name"' },
    answer: { status: 400, headers: {}, json: { errorCode: 15, Description: 'JSON parser error occurred' } },
  },
  nameUnknown: {
    section: 'wire contract 3, Rules',
    server: 'device',
    request: { ...move('Locked'), json: { name: 'OpenSesame', data: {} } },
    answer: { status: 400, headers: {}, json: { errorCode: 25, Description: 'Command type is not valid' } },
  },
  busy: {
    section: 'wire contract 3, Rules, and 10.1',
    server: 'device',
    request: move('Locked'),
    answer: {
      status: 409,
      headers: {},
      json: { errorCode: 36, Description: 'Cannot process multiple device commands simultaneously' },
    },
  },
  overloaded: {
    section: 'wire contract 0 and 11, 503',
    server: 'device',
    request: move('Locked'),
    answer: {
      status: 503,
      headers: { 'retry-after': '30' },
      json: { errorCode: 1, Description: 'General failure during the operation' },
    },
  },
  lateGateway: {
    section: 'wire contract 0',
    server: 'device',
    request: move('Locked'),
    answer: {
      status: 504,
      headers: {},
      json: { errorCode: 13, Description: 'Lost connection while waiting for a response' },
    },
  },
} as const satisfies Readonly<Record<string, GoldenExchange>>;
