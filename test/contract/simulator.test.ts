// The golden messages against the simulator's own answers, over real HTTP: the judge is held to the same contract.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../src/simulator/partner-server.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { DEVICE_ID, DEVICES, REFUSALS } from './golden/devices.ts';
import { type GoldenExchange, namesOf } from './golden/golden-exchange.ts';
import { HISTORY, WALKED_AT } from './golden/history.ts';
import { LINKING } from './golden/linking.ts';
import { replayGolden } from './replay-golden.ts';
import { type Bindings } from './unify.ts';

const CALLBACK = 'http://127.0.0.1:8765/callback';

let simulator: Simulator;
let bindings: Bindings;

beforeEach(async () => {
  simulator = await startSimulator({
    clock: new ManualClock(),
    scenario: {
      clients: [{ clientId: 'client-1', clientSecret: 'secret-1', redirectUris: [CALLBACK] }],
      users: [
        { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
        { userId: 'visitor', friendlyName: 'Visitor', email: 'visitor@home.example' },
      ],
      // The device of wire contract 2's example.
      locks: [
        {
          deviceId: DEVICE_ID,
          name: 'Front door',
          type: 'WifiDeadbolt',
          serialNumber: '0000A1B2C3',
          batteryPercent: 87,
          roles: { resident: 'owner' },
          settings: {
            timeZone: 'America/New_York',
            modelName: 'Model-D1',
            firmwareVersion: '10.21.0',
            wifiRssi: -58,
            vlac: true,
          },
        },
      ],
      settings: { authorization: { autoApproveUserId: 'resident' } },
    },
  });
  bindings = new Map([
    ['clientId', 'client-1'],
    ['clientSecret', 'secret-1'],
    ['redirectUri', CALLBACK],
    ['encodedRedirectUri', encodeURIComponent(CALLBACK)],
    ['subscriptionKey', simulator.clients[0]?.subscriptionKeys[1] ?? ''],
    ['baseUrl', simulator.baseUrl],
  ]);
});

afterEach(async () => {
  await simulator.close();
});

/** Sends a golden request and says how the answer differs from the golden one. */
async function replay(golden: GoldenExchange): Promise<string[]> {
  return replayGolden(golden, golden.server === 'device' ? simulator.baseUrl : simulator.authUrl, bindings);
}

/** Does something to the simulated house. */
async function arrange(action: string, details: object = {}): Promise<void> {
  await control(simulator.controlUrl, action, details);
}

const passTime = async (ms: number): Promise<void> => arrange('time/advance', { ms });
const atTheDoor = async (action: string, details: object = {}): Promise<void> =>
  arrange(`locks/${DEVICE_ID}/${action}`, details);

/** Something to do, or something to say and hear. */
type Step = GoldenExchange | (() => Promise<void>);

/** Follows the steps of a link and then these; says how what was heard differs from the golden answers. */
async function linkAnd(...steps: readonly Step[]): Promise<string[]> {
  const found: string[] = [];
  for (const step of [LINKING.consent, LINKING.exchange, ...steps]) {
    if (typeof step === 'function') {
      await step();
    } else {
      found.push(...(await replay(step)).map((difference) => `${step.section}: ${difference}`));
    }
  }
  return found;
}

/** What goes before a golden exchange, for each of them. */
type Beforehand<Table> = Readonly<Record<keyof Table, readonly Step[]>>;

const TEN_YEARS_MS = 3_650 * 86_400_000;

const beforeLinking: Beforehand<Omit<typeof LINKING, 'consent' | 'exchange'>> = {
  codeSpent: [],
  renewal: [],
  tokenSpentOrRevoked: [async () => arrange('house/revoke', { userId: 'resident' })],
  tokenExpired: [async () => passTime(TEN_YEARS_MS)],
  clientUnknown: [],
  grantUnknown: [],
  tokenMissing: [],
};

const travel = async (): Promise<void> => passTime(5_000);

const beforeDevices: Beforehand<typeof DEVICES> = {
  list: [],
  noLocks: [async () => atTheDoor('remove')],
  unlock: [],
  lock: [],
  unlockAlias: [],
  pending: [DEVICES.lock],
  unlocked: [DEVICES.unlock, travel],
  jammed: [async () => atTheDoor('jam'), DEVICES.unlock, travel],
  silent: [
    async () => atTheDoor('cut-wifi', { noticeAfterMs: 3_600_000 }),
    DEVICES.unlock,
    // Wire contract 3, Rules: no answer from the lock in 60 s.
    async () => passTime(61_000),
  ],
};

const meet = (fault: object) => async (): Promise<void> =>
  arrange('house/inject-fault', { kind: 'status', often: 'always', ...fault });

const beforeRefusals: Beforehand<typeof REFUSALS> = {
  keyMissing: [],
  keyWrong: [],
  tokenWrong: [],
  routeUnknown: [],
  deviceUnknown: [],
  commandUnknown: [],
  roleMayNot: [async () => atTheDoor('set-role', { userId: 'resident', role: 'visitor' })],
  bodyNotJson: [],
  nameUnknown: [],
  busy: [DEVICES.unlock],
  overloaded: [meet({ status: 503, wait: { seconds: 30, said: 'retry-after' } })],
  lateGateway: [meet({ status: 504 })],
};

const walk = async (): Promise<void> =>
  atTheDoor('write-history', {
    eventCode: 'UnlockedByKeypad',
    at: WALKED_AT,
    accessor: { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' },
  });

const beforeHistory: Beforehand<typeof HISTORY> = {
  deviceTime: [walk],
  serviceTime: [walk, walk],
  tooMany: [],
};

describe('the simulator answers in the words of the contract', () => {
  it.each(namesOf(beforeLinking))('when it links: %s', async (name) => {
    expect(await linkAnd(...beforeLinking[name], LINKING[name])).toEqual([]);
  });

  it('when a refresh token was spent', async () => {
    expect(await linkAnd(LINKING.renewal, LINKING.tokenSpentOrRevoked)).toEqual([]);
  });

  it.each(namesOf(beforeDevices))('at the door: %s', async (name) => {
    expect(await linkAnd(...beforeDevices[name], DEVICES[name])).toEqual([]);
  });

  it.each(namesOf(beforeHistory))('when it is asked what happened: %s', async (name) => {
    expect(await linkAnd(...beforeHistory[name], HISTORY[name])).toEqual([]);
  });

  it.each(namesOf(beforeRefusals))('when it refuses: %s', async (name) => {
    expect(await linkAnd(...beforeRefusals[name], REFUSALS[name])).toEqual([]);
  });

  it('and a word out of place would be noticed', async () => {
    const wrong = { ...DEVICES.list, answer: { ...DEVICES.list.answer, json: [] } };
    expect(await linkAnd(wrong)).not.toEqual([]);
  });
});
