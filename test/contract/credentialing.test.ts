// The golden messages of the credentialing interface against both sides: the simulator's answers and the client's questions.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSimulator } from '../../simulator/src/partner-server.ts';
import { credentialId } from '../../src/features/credentials/policy/credential.ts';
import { cardOf, type OpenedProcess, openProcess } from '../support/credentialing-process.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { CREDENTIAL_REFUSALS, OPERATIONS, RAW_USER_ID, USER_ID } from './golden/credentialing.ts';
import { type GoldenExchange, namesOf } from './golden/golden-exchange.ts';
import { playGolden } from './golden-service.ts';
import { replayGolden } from './replay-golden.ts';
import type { Bindings } from './unify.ts';

/** Values that no later answer has to repeat. */
const FREE = ['remaining', 'reset', 'sentence', 'wait'];

/** Sends golden requests to a new simulator, in order; says how its answers differ from the golden ones. */
async function simulated(exchanges: readonly GoldenExchange[]): Promise<string[]> {
  const simulator = await startSimulator({ clock: new ManualClock() });
  onTestFinished(async () => simulator.close());
  const [user] = simulator.credentialingUsers;
  const bindings: Bindings = new Map([
    ['subscriptionKey', simulator.clients[0]?.subscriptionKeys[0] ?? ''],
    ['username', user?.username ?? ''],
    ['password', user?.password ?? ''],
  ]);
  const found: string[] = [];
  for (const exchange of exchanges) {
    found.push(...(await replayGolden(exchange, simulator.credentialsBaseUrl, bindings)));
    for (const name of FREE) {
      bindings.delete(name);
    }
  }
  return found;
}

const { login, create, saveNoTour, deleteNoTourOfLock, deleteNoTour, list } = OPERATIONS;

/** What happens before a refusal. */
const BEFORE: Readonly<Record<keyof typeof CREDENTIAL_REFUSALS, readonly GoldenExchange[]>> = {
  keyWrong: [login],
  tokenWrong: [login],
  loginWrong: [],
  secondCredential: [login, create],
  formatUnknown: [login],
  noPayloads: [login, create, saveNoTour, deleteNoTourOfLock],
  unknown: [login],
  rateExceeded: Array.from({ length: 10 }, () => CREDENTIAL_REFUSALS.loginWrong),
};

describe('the simulator answers in the words of the contract', () => {
  it('through the life of a credential', async () => {
    const life = Object.values(OPERATIONS).filter((operation) => operation !== deleteNoTour);
    expect(await simulated(life)).toEqual([]);
    expect(await simulated([login, create, saveNoTour, deleteNoTour])).toEqual([]);
  });

  it.each(namesOf(CREDENTIAL_REFUSALS))('when it refuses: %s', async (name) => {
    expect(await simulated([...BEFORE[name], CREDENTIAL_REFUSALS[name]])).toEqual([]);
  });

  it('and a word out of place would be noticed', async () => {
    const wrong = { ...list, answer: { ...list.answer, json: [{}] } };
    expect(await simulated([login, wrong])).not.toEqual([]);
  });
});

const CREDENTIAL = credentialId('c-1');

type Client = OpenedProcess['credentialing']['client'];

/** The act of the client and its expected result. */
interface ClientSide {
  readonly does: (client: Client) => Promise<unknown>;
  readonly gets?: unknown;
}

const CARD = { userId: USER_ID, mobileNumber: '+15550100123' };
const PAYLOAD = { deviceSerialNumber: '0000A1B2C3', payload: 'AAEC' };
const RECORD = { id: CREDENTIAL, kind: 'card', userId: USER_ID, cardFormat: '26A', cardNumber: 1 };
const issue = async (client: Client): Promise<unknown> => client.create(cardOf(1, CARD));

const CLIENT: Readonly<Record<Exclude<keyof typeof OPERATIONS, 'login'>, ClientSide>> = {
  create: { does: issue, gets: { id: CREDENTIAL, cardNumber: 1 } },
  createRaw: {
    does: async (client) =>
      client.create({
        kind: 'raw',
        userId: RAW_USER_ID,
        mobileNumber: '+15550100123',
        rawCredential: '1f00aa55c3',
        bitLength: 37,
      }),
    gets: { id: 'c-2', cardNumber: null },
  },
  get: { does: async (client) => client.get(CREDENTIAL), gets: RECORD },
  getByUser: { does: async (client) => client.getByUser(USER_ID), gets: RECORD },
  deleteByUser: { does: async (client) => client.deleteByUser(RAW_USER_ID) },
  list: { does: async (client) => client.list(), gets: { credentials: [RECORD], unreadable: 0 } },
  saveNoTour: { does: async (client) => client.saveNoTour(CREDENTIAL, [PAYLOAD]), gets: [PAYLOAD] },
  deleteNoTourOfLock: {
    does: async (client) => client.deleteNoTourOfLock(CREDENTIAL, PAYLOAD.deviceSerialNumber),
  },
  deleteNoTour: { does: async (client) => client.deleteNoTour(CREDENTIAL) },
  delete: { does: async (client) => client.delete(CREDENTIAL) },
};

const REFUSED: Readonly<Record<'secondCredential' | 'unknown' | 'noPayloads', ClientSide>> = {
  secondCredential: { does: issue, gets: { failure: { code: 'refused', reason: 'conflict' } } },
  unknown: {
    does: async (client) => client.get(credentialId('c-unknown')),
    gets: { failure: { code: 'not-found' } },
  },
  noPayloads: {
    does: async (client) => client.deleteNoTour(CREDENTIAL),
    gets: { failure: { code: 'not-found' } },
  },
};

const values = (): Bindings =>
  new Map([
    ['subscriptionKey', 'key-1'],
    ['username', 'user-1'],
    ['password', 'password-1'],
    ['credentialsToken', 'token-1'],
    ['credentialId', CREDENTIAL],
    ['rawCredentialId', 'c-2'],
    ['remaining', '7'],
    ['reset', '1776168060'],
    ['sentence', 'No.'],
  ]);

/** The client against a service that logs it in and gives one golden answer. */
async function held(
  golden: GoldenExchange,
  does: ClientSide['does'],
): Promise<{ result: unknown; found: string[] }> {
  const service = await playGolden([login, golden], values);
  const options = {
    authUrl: service.url,
    baseUrl: service.url,
    redirectUri: 'http://127.0.0.1:8765/callback',
    clientId: 'client-1',
    clientSecret: 'secret-1',
    subscriptionKeys: ['key-1'],
    credentialsUrl: service.url,
    credentialsUsername: 'user-1',
    credentialsPassword: 'password-1',
    allowInsecureLoopback: true,
  };
  const opened = openProcess(options, join(temporaryFolder(), 'latchkey.db'), new ManualClock());
  onTestFinished(async () => opened.close());
  const result = await does(opened.credentialing.client).catch((failure: unknown) => ({ failure }));
  return { result, found: service.found };
}

describe('the client asks in the words of the contract, and takes its answers', () => {
  it.each(namesOf(CLIENT))('%s', async (name) => {
    const { does, gets } = CLIENT[name];
    const { result, found } = await held(OPERATIONS[name], does);
    expect(found).toEqual([]);
    expect({ result }).toMatchObject({ result: gets });
  });

  it.each(namesOf(REFUSED))('and its refusals: %s', async (name) => {
    const { does, gets } = REFUSED[name];
    const { result, found } = await held(CREDENTIAL_REFUSALS[name], does);
    expect(found).toEqual([]);
    expect(result).toMatchObject(gets as object);
  });
});
