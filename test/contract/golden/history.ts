// The service's history of a lock (wire contract 5).
import { DEVICE_ID } from './devices.ts';
import type { GoldenExchange, GoldenRequest } from './golden-exchange.ts';

/** When the contract's dog walker came. */
export const WALKED_AT = Date.UTC(2026, 3, 14, 12, 15, 30, 250);

function question(query: string): GoldenRequest {
  return {
    method: 'GET',
    path: `/locks/devices/${DEVICE_ID}/history?${query}`,
    headers: { authorization: 'Bearer {accessToken}', 'vendor-subscription-key': '{subscriptionKey}' },
  };
}

function walker(timestamp: string): object {
  return {
    id: '{entryId}',
    timestamp,
    eventCode: 'UnlockedByKeypad',
    accessor: { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' },
  };
}

export const HISTORY = {
  deviceTime: {
    section: 'wire contract 5',
    server: 'device',
    request: question('limit=50&deviceLocalTime=true'),
    answer: { status: 200, headers: {}, json: [walker('2026-04-14T08:15:30.250-04:00')] },
  },
  serviceTime: {
    section: 'wire contract 5',
    server: 'device',
    request: question('limit=1&deviceLocalTime=false'),
    answer: { status: 200, headers: {}, json: [walker('2026-04-14T12:15:30.250Z')] },
  },
  tooMany: {
    section: 'wire contract 5',
    server: 'device',
    request: question('limit=101&deviceLocalTime=true'),
    answer: {
      status: 400,
      headers: {},
      json: { errorCode: 20, Description: 'Parameters provided are not valid' },
    },
  },
} as const satisfies Readonly<Record<string, GoldenExchange>>;
