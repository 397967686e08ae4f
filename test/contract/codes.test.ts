// The golden messages of access codes against both sides: the simulator's answers and the client's questions.

import { describe, expect, it, onTestFinished } from 'vitest';
import { accessCodeClient } from '../../src/cloud/access-code-client.ts';
import { DeviceInterface } from '../../src/cloud/device-interface.ts';
import { ServiceTime } from '../../src/cloud/http/service-time.ts';
import { accessCodeId } from '../../src/domain/codes/access-code.ts';
import type { AccessCodeGateway, CodeCommand } from '../../src/domain/codes/ports.ts';
import { commandId } from '../../src/domain/commands/command.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { SendGuard } from '../../src/domain/ports.ts';
import { startSimulator } from '../../src/simulator/partner-server.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { CODE_REFUSALS, CODES, STAY } from './golden/codes.ts';
import { DEVICE_ID } from './golden/devices.ts';
import { type GoldenExchange, namesOf } from './golden/golden-exchange.ts';
import { LINKING } from './golden/linking.ts';
import { playGolden } from './golden-service.ts';
import { replayGolden } from './replay-golden.ts';
import type { Bindings } from './unify.ts';

const ZONE = 'America/New_York';
const CALLBACK = 'http://127.0.0.1:8765/callback';

/** Something to do at the lock, or something to say and hear. */
type Step = GoldenExchange | readonly [path: string, details: object];

const TRAVEL: Step = ['time/advance', { ms: 5_000 }];
const LEAVES: Step = [`locks/${DEVICE_ID}/fail-next-commands`, { errorCode: 5, count: 1 }];
const WALKER: Step = [
  `locks/${DEVICE_ID}/put-access-code`,
  {
    side: 'both',
    accessCode: {
      name: 'Dog walker',
      code: '0417',
      scheduleType: 'Recurring',
      scheduleDetails: {
        schedules: [{ startTime: '09:00', endTime: '17:30', activeWeekDays: ['Monday', 'Wednesday'] }],
      },
    },
  },
];

/** Follows the steps at a new simulator, linked; says how its answers differ from the golden ones. */
async function simulated(...steps: readonly Step[]): Promise<string[]> {
  const simulator = await startSimulator({
    clock: new ManualClock(),
    scenario: {
      clients: [{ clientId: 'client-1', clientSecret: 'secret-1', redirectUris: [CALLBACK] }],
      users: [{ userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' }],
      locks: [
        {
          deviceId: DEVICE_ID,
          name: 'Front door',
          type: 'WifiDeadbolt',
          roles: { resident: 'owner' },
          settings: { timeZone: ZONE, vlac: true },
        },
      ],
      settings: { authorization: { autoApproveUserId: 'resident' } },
    },
  });
  onTestFinished(async () => simulator.close());
  const bindings: Bindings = new Map([
    ['clientId', 'client-1'],
    ['clientSecret', 'secret-1'],
    ['redirectUri', CALLBACK],
    ['encodedRedirectUri', encodeURIComponent(CALLBACK)],
    ['subscriptionKey', simulator.clients[0]?.subscriptionKeys[0] ?? ''],
    ['baseUrl', simulator.baseUrl],
  ]);
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

const ADDED = [CODES.add, TRAVEL, CODES.added] as const;

describe('the simulator answers in the words of the contract', () => {
  it('when it lists codes', async () => {
    expect(await simulated(CODES.none)).toEqual([]);
    expect(await simulated(WALKER, CODES.list)).toEqual([]);
  });

  it('through the life of a code', async () => {
    const { addedToList, update, updated, remove, removed, none } = CODES;
    expect(
      await simulated(...ADDED, addedToList, update, TRAVEL, updated, remove, TRAVEL, removed, none),
    ).toEqual([]);
  });

  it('when it removes all, and when a lock cannot store a code', async () => {
    expect(await simulated(...ADDED, CODES.removeAll, TRAVEL, CODES.removedAll, CODES.none)).toEqual([]);
    expect(await simulated(LEAVES, CODES.add, TRAVEL, CODES.notAdded, CODES.none)).toEqual([]);
  });

  it.each(namesOf(CODE_REFUSALS))('when it refuses: %s', async (name) => {
    expect(await simulated(...ADDED, CODE_REFUSALS[name])).toEqual([]);
  });

  it('and a word out of place would be noticed', async () => {
    expect(await simulated(WALKER, CODES.none)).not.toEqual([]);
  });
});

const DOOR = lockId(DEVICE_ID);
const CODE = accessCodeId('a71e');
const COMMAND = commandId('0b6f');
const WANTED: SendGuard = {
  written: Promise.resolve(),
  withinMs: 10_000,
  stillWanted: () => true,
  left() {},
};

/** The act of the client and its expected result: a value, or an error with these members. */
interface ClientSide {
  readonly does: (client: AccessCodeGateway) => Promise<unknown>;
  readonly gets: object;
}

const send =
  (command: CodeCommand) =>
  async (client: AccessCodeGateway): Promise<unknown> =>
    client.send(DOOR, command, ZONE, WANTED);
const list = async (client: AccessCodeGateway): Promise<unknown> => client.codes(DOOR, ZONE);
const readBack = async (client: AccessCodeGateway): Promise<unknown> => client.codeOutcome(DOOR, COMMAND);
const draft = { name: 'Guest 12', pin: '480917', schedule: { kind: 'temporary', ...STAY } } as const;
const pending = { reading: { state: 'pending', commandId: COMMAND } };
const successful = { reading: { state: 'successful', commandId: COMMAND } };

const CLIENT: Readonly<Record<keyof typeof CODES, ClientSide>> = {
  none: { does: list, gets: [] },
  list: {
    does: list,
    gets: [
      {
        id: CODE,
        name: 'Dog walker',
        pin: '0417',
        readOnly: false,
        schedule: {
          kind: 'recurring',
          windows: [{ days: ['Monday', 'Wednesday'], from: '09:00', until: '17:30' }],
        },
      },
    ],
  },
  add: { does: send({ kind: 'add', draft }), gets: { ...pending, codeId: CODE } },
  added: { does: readBack, gets: { ...successful, codeId: CODE } },
  addedToList: { does: list, gets: [{ id: CODE, ...draft }] },
  notAdded: { does: readBack, gets: { reading: { state: 'failed', reason: 'code-not-added' } } },
  update: { does: send({ kind: 'update', codeId: CODE, changes: { pin: '480918' } }), gets: pending },
  updated: { does: readBack, gets: { ...successful, codeId: CODE } },
  remove: { does: send({ kind: 'remove', codeId: CODE }), gets: { ...pending, codeId: null } },
  removed: { does: readBack, gets: { ...successful, codeId: null } },
  removeAll: { does: send({ kind: 'remove-all' }), gets: pending },
  removedAll: { does: readBack, gets: successful },
};

const always = { kind: 'always' } as const;

const REFUSED: Readonly<Record<keyof typeof CODE_REFUSALS, ClientSide>> = {
  sameCode: {
    does: send({ kind: 'add', draft: { name: 'Other', pin: '480917', schedule: always } }),
    gets: { failure: { code: 'refused', reason: 'code-exists' } },
  },
  sameName: {
    does: send({ kind: 'add', draft: { name: 'Guest 12', pin: '5561', schedule: always } }),
    gets: { failure: { code: 'refused', reason: 'code-name-exists' } },
  },
  idUnknown: {
    does: send({ kind: 'remove', codeId: accessCodeId('nobodys') }),
    gets: { failure: { code: 'refused', reason: 'code-id-invalid' } },
  },
};

/** The client against a service that gives one golden answer. */
async function held(
  golden: GoldenExchange,
  { does }: ClientSide,
): Promise<{ result: unknown; found: string[] }> {
  const service = await playGolden(
    [golden],
    (baseUrl) =>
      new Map([
        ['baseUrl', baseUrl],
        ['accessToken', 'eyJ-1'],
        ['subscriptionKey', 'key-1'],
        ['commandId', COMMAND],
        ['accessCodeId', CODE],
      ]),
  );
  const clock = new ManualClock();
  const device = new DeviceInterface({
    baseUrl: service.url,
    allowInsecureLoopback: true,
    subscriptionKeys: () => ['key-1'],
    tokens: {
      accessToken: async () => Promise.resolve('eyJ-1'),
      invalidate: () => {},
      accepted: () => {},
    },
    clock,
    serviceTime: new ServiceTime(clock),
  });
  onTestFinished(async () => {
    await device.close();
    await service.close();
  });
  const client = accessCodeClient(device, { productSegment: 'locks', commandStyle: 'commands' });
  const result = await does(client).catch((failure: unknown) => ({ failure }));
  return { result, found: service.found };
}

describe('the client asks in the words of the contract, and takes its answers', () => {
  it.each(namesOf(CLIENT))('%s', async (name) => {
    const { result, found } = await held(CODES[name], CLIENT[name]);
    expect(found).toEqual([]);
    expect(result).toMatchObject(CLIENT[name].gets);
  });

  it.each(namesOf(REFUSED))('and its refusals: %s', async (name) => {
    const { result, found } = await held(CODE_REFUSALS[name], REFUSED[name]);
    expect(found).toEqual([]);
    expect(result).toMatchObject(REFUSED[name].gets);
  });
});
