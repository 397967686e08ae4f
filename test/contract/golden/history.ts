// The service's history of a lock (wire contract 5).
import { DEVICE_ID } from './devices.ts';
import { type GoldenExchange, toDevice, withDevice } from './golden-exchange.ts';

/** When the contract's dog walker came. */
export const WALKED_AT = Date.UTC(2026, 3, 14, 12, 15, 30, 250);

const question = (query: string) => toDevice(`/locks/devices/${DEVICE_ID}/history?${query}`);

const walker = (timestamp: string): object => ({
  id: '{entryId}',
  timestamp,
  eventCode: 'UnlockedByKeypad',
  accessor: { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' },
});

export const HISTORY = {
  deviceTime: withDevice('5', question('limit=50&deviceLocalTime=true'), 200, [
    walker('2026-04-14T08:15:30.250-04:00'),
  ]),
  serviceTime: withDevice('5', question('limit=1&deviceLocalTime=false'), 200, [
    walker('2026-04-14T12:15:30.250Z'),
  ]),
  tooMany: withDevice('5', question('limit=101&deviceLocalTime=true'), 400, {
    errorCode: 20,
    Description: 'Parameters provided are not valid',
  }),
} as const satisfies Readonly<Record<string, GoldenExchange>>;
