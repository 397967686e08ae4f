// The golden messages against the simulator's own answers, over real HTTP: the judge is held to the same contract.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/src/partner-server.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { CODE_REFUSALS, CODES, WALKER } from './golden/codes.ts';
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

/** Something to do to the simulated house, or something to say and hear. */
type Step = GoldenExchange | readonly [action: string, details: object];

const atTheDoor = (action: string, details: object = {}): Step => [`locks/${DEVICE_ID}/${action}`, details];
const passed = (ms: number): Step => ['time/advance', { ms }];

/** Follows the steps of a link and then these; says how what was heard differs from the golden answers. */
async function linkAnd(...steps: readonly Step[]): Promise<string[]> {
  const found: string[] = [];
  for (const step of [LINKING.consent, LINKING.exchange, ...steps]) {
    if ('section' in step) {
      const base = step.server === 'device' ? simulator.baseUrl : simulator.authUrl;
      found.push(...(await replayGolden(step, base, bindings)).map((one) => `${step.section}: ${one}`));
      // Each command has an id of its own.
      if (step.request.method === 'GET') {
        bindings.delete('commandId');
      }
    } else {
      await control(simulator.controlUrl, ...step);
    }
  }
  return found;
}

/** What goes before a golden exchange, for each of them. */
type Beforehand<Table> = Readonly<Record<keyof Table, readonly Step[]>>;

const TEN_YEARS_MS = 3_650 * 86_400_000;
const TRAVEL = passed(5_000);

const beforeLinking: Beforehand<Omit<typeof LINKING, 'consent' | 'exchange'>> = {
  codeSpent: [],
  renewal: [],
  tokenSpentOrRevoked: [['house/revoke', { userId: 'resident' }]],
  tokenExpired: [passed(TEN_YEARS_MS)],
  clientUnknown: [],
  grantUnknown: [],
  tokenMissing: [],
};

const beforeDevices: Beforehand<typeof DEVICES> = {
  list: [],
  noLocks: [atTheDoor('remove')],
  unlock: [],
  lock: [],
  unlockAlias: [],
  pending: [DEVICES.lock],
  unlocked: [DEVICES.unlock, TRAVEL],
  jammed: [atTheDoor('jam'), DEVICES.unlock, TRAVEL],
  // Wire contract 3, Rules: no answer from the lock in 60 s.
  silent: [atTheDoor('cut-wifi', { noticeAfterMs: 3_600_000 }), DEVICES.unlock, passed(61_000)],
};

const fault = (details: object): Step => [
  'house/inject-fault',
  { kind: 'status', often: 'always', ...details },
];

const beforeRefusals: Beforehand<typeof REFUSALS> = {
  keyMissing: [],
  keyWrong: [],
  tokenWrong: [],
  routeUnknown: [],
  deviceUnknown: [],
  commandUnknown: [],
  roleMayNot: [atTheDoor('set-role', { userId: 'resident', role: 'visitor' })],
  bodyNotJson: [],
  nameUnknown: [],
  busy: [DEVICES.unlock],
  overloaded: [fault({ status: 503, wait: { seconds: 30, said: 'retry-after' } })],
  lateGateway: [fault({ status: 504 })],
};

const WALK = atTheDoor('write-history', {
  eventCode: 'UnlockedByKeypad',
  at: WALKED_AT,
  accessor: { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' },
});

const beforeHistory: Beforehand<typeof HISTORY> = {
  deviceTime: [WALK],
  serviceTime: [WALK, WALK],
  tooMany: [],
};

const WALKERS_CODE = atTheDoor('put-access-code', { side: 'both', accessCode: WALKER });
const ADDED = [CODES.add, TRAVEL, CODES.added] as const;
const LEAVES = atTheDoor('fail-next-commands', { errorCode: 5, count: 1 });

const beforeCodes: Beforehand<typeof CODES> = {
  none: [],
  list: [WALKERS_CODE],
  add: [],
  added: [CODES.add, TRAVEL],
  addedToList: ADDED,
  notAdded: [LEAVES, CODES.add, TRAVEL],
  update: ADDED,
  updated: [...ADDED, CODES.update, TRAVEL],
  remove: ADDED,
  removed: [...ADDED, CODES.remove, TRAVEL],
  removeAll: ADDED,
  removedAll: [...ADDED, CODES.removeAll, TRAVEL],
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

  it.each(namesOf(beforeCodes))('about access codes: %s', async (name) => {
    expect(await linkAnd(...beforeCodes[name], CODES[name])).toEqual([]);
  });

  it.each(['notAdded', 'removed', 'removedAll'] as const)('about no access code: %s', async (name) => {
    expect(await linkAnd(...beforeCodes[name], CODES[name], CODES.none)).toEqual([]);
  });

  it.each(namesOf(CODE_REFUSALS))('when it refuses an access code: %s', async (name) => {
    expect(await linkAnd(...ADDED, CODE_REFUSALS[name])).toEqual([]);
  });

  it('and a word out of place would be noticed', async () => {
    const wrong = { ...DEVICES.list, answer: { ...DEVICES.list.answer, json: [] } };
    expect(await linkAnd(wrong)).not.toEqual([]);
  });
});
