// The golden messages against the client: its requests are those of the contract, and so are its readings of each answer.
import { afterEach, describe, expect, it } from 'vitest';
import { OAuthClient } from '../../src/cloud/account/oauth-client.ts';
import { DeviceInterface } from '../../src/cloud/device-interface.ts';
import { historyClient } from '../../src/cloud/history-client.ts';
import { ServiceTime } from '../../src/cloud/http/service-time.ts';
import { lockClient } from '../../src/cloud/lock-client.ts';
import { commandId } from '../../src/domain/commands/command.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { LockGateway, LockHistory, SendGuard } from '../../src/domain/ports.ts';
import { silentLog } from '../../src/support/log.ts';
import { deviceListDecoder } from '../../src/wire/device-codec.ts';
import type { CommandStyle } from '../../src/wire/endpoints.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { DEVICE_ID, DEVICES, REFUSALS } from './golden/devices.ts';
import { type GoldenExchange, namesOf } from './golden/golden-exchange.ts';
import { HISTORY, WALKED_AT } from './golden/history.ts';
import { LINKING } from './golden/linking.ts';
import { playGolden } from './golden-service.ts';
import { type Bindings, differences } from './unify.ts';

const CALLBACK = 'https://home.example/callback';
const COMMAND_ID = '0b6f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) {
    await end();
  }
});

function valuesOf(baseUrl: string): Bindings {
  return new Map([
    ['baseUrl', baseUrl],
    ['clientId', 'client-1'],
    ['clientSecret', 'secret-1'],
    ['redirectUri', CALLBACK],
    ['encodedRedirectUri', encodeURIComponent(CALLBACK)],
    ['code', 'code-1'],
    ['accessToken', 'eyJ-1'],
    ['refreshToken', 'r-1'],
    ['secondAccessToken', 'eyJ-2'],
    ['secondRefreshToken', 'r-2'],
    ['subscriptionKey', 'key-1'],
    ['commandId', COMMAND_ID],
    ['entryId', 'h-01'],
    ['timeConnected', '2026-04-14T12:00:01.000Z'],
  ]);
}

async function playing(
  ...goldens: readonly [GoldenExchange, ...GoldenExchange[]]
): Promise<{ url: string; found: string[] }> {
  const service = await playGolden(goldens, valuesOf);
  endings.push(service.close);
  return service;
}

function oauthOf(authUrl: string): OAuthClient {
  const oauth = new OAuthClient({
    authUrl,
    allowInsecureLoopback: true,
    client: () => ({ clientId: 'client-1', clientSecret: 'secret-1' }),
    redirectUri: CALLBACK,
    clock: new ManualClock(),
  });
  endings.push(() => oauth.close());
  return oauth;
}

function deviceOf(baseUrl: string): DeviceInterface {
  const clock = new ManualClock();
  const device = new DeviceInterface({
    baseUrl,
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
  endings.push(() => device.close());
  return device;
}

function locksOf(baseUrl: string, commandStyle: CommandStyle): LockGateway {
  return lockClient(deviceOf(baseUrl), { productSegment: 'locks', commandStyle, log: silentLog });
}

function historyOf(baseUrl: string): LockHistory {
  return historyClient(deviceOf(baseUrl), { productSegment: 'locks', log: silentLog });
}

/** The act of the client and its expected result: a value, or an error with these members. */
interface ClientSide<Client> {
  readonly does: (client: Client) => Promise<unknown>;
  readonly gets?: object;
  readonly fails?: object;
  /** True when the client itself never asks this way: then only its reading of the answer is held. */
  readonly neverAsks?: boolean;
}

interface Held {
  readonly result: unknown;
  readonly expected: object;
  /** How its question differed from the golden one. */
  readonly found: readonly string[];
}

async function hold<Client>(
  golden: GoldenExchange,
  { does, gets = {}, fails, neverAsks = false }: ClientSide<Client>,
  connect: (url: string) => Client,
): Promise<Held> {
  const { url, found } = await playing(golden);
  const result = await does(connect(url)).catch((failure: unknown) => ({ failure }));
  return {
    result,
    expected: fails === undefined ? gets : { failure: fails },
    found: neverAsks ? [] : found,
  };
}

const wanted: SendGuard = {
  written: Promise.resolve(),
  withinMs: 10_000,
  stillWanted: () => true,
  left() {},
};
const door = lockId(DEVICE_ID);
const command = commandId(COMMAND_ID);
const refresh = async (oauth: OAuthClient): Promise<unknown> => oauth.refresh('r-1');
const exchange = async (oauth: OAuthClient): Promise<unknown> => oauth.exchange('code-1', null);
const list = async (locks: LockGateway): Promise<unknown> => locks.list();
const lock = async (locks: LockGateway): Promise<unknown> => locks.command(door, 'secured', wanted);
const unlock = async (locks: LockGateway): Promise<unknown> => locks.command(door, 'unsecured', wanted);
const readBack = async (locks: LockGateway): Promise<unknown> => locks.outcome(door, command);

const badConfiguration = { disposition: 'final', code: 'bad-configuration' };

const linking: Readonly<Record<Exclude<keyof typeof LINKING, 'consent'>, ClientSide<OAuthClient>>> = {
  exchange: { does: exchange, gets: { accessToken: 'eyJ-1', refreshToken: 'r-1', expiresInMs: 3_600_000 } },
  codeSpent: { does: exchange, fails: { disposition: 'final', code: 'refused' } },
  renewal: { does: refresh, gets: { accessToken: 'eyJ-2', refreshToken: 'r-2', expiresInMs: 3_600_000 } },
  tokenSpentOrRevoked: { does: refresh, fails: { disposition: 'relink', code: 'revoked' } },
  tokenExpired: { does: refresh, fails: { disposition: 'relink', code: 'expired' } },
  clientUnknown: { does: refresh, fails: badConfiguration, neverAsks: true },
  grantUnknown: { does: refresh, fails: badConfiguration, neverAsks: true },
  tokenMissing: { does: refresh, fails: badConfiguration, neverAsks: true },
};

const pending = { reading: { state: 'pending', commandId: COMMAND_ID } };

const devices: Readonly<Record<Exclude<keyof typeof DEVICES, 'unlockAlias'>, ClientSide<LockGateway>>> = {
  list: {
    does: list,
    gets: {
      complete: true,
      locks: [
        {
          id: DEVICE_ID,
          description: {
            name: 'Front door',
            model: 'Model-D1',
            serial: '0000A1B2C3',
            firmware: '10.21.0',
            role: 'owner',
          },
          bolt: 'secured',
          connected: true,
          lastConnectedAt: null,
          battery: { grade: 'normal', percent: 87 },
        },
      ],
    },
  },
  noLocks: { does: list, gets: { complete: true, locks: [] } },
  unlock: { does: unlock, gets: pending },
  lock: { does: lock, gets: pending },
  pending: { does: readBack, gets: pending },
  unlocked: { does: readBack, gets: { reading: { state: 'successful', commandId: COMMAND_ID } } },
  jammed: { does: readBack, gets: { reading: { state: 'failed', reason: 'bolt-jammed' } } },
  silent: { does: readBack, gets: { reading: { state: 'failed', reason: 'lock-silent' } } },
};

const notFound = { disposition: 'final', code: 'not-found' };

const refusals: Readonly<Record<keyof typeof REFUSALS, ClientSide<LockGateway>>> = {
  keyMissing: { does: list, fails: badConfiguration, neverAsks: true },
  keyWrong: { does: list, fails: badConfiguration, neverAsks: true },
  tokenWrong: { does: list, fails: { disposition: 'retry', code: 'server-fault' }, neverAsks: true },
  routeUnknown: { does: list, fails: notFound, neverAsks: true },
  deviceUnknown: {
    does: async (locks) => locks.command(lockId('nobodys'), 'secured', wanted),
    fails: notFound,
  },
  commandUnknown: { does: async (locks) => locks.outcome(door, commandId('nobodys')), fails: notFound },
  roleMayNot: { does: unlock, fails: { disposition: 'final', code: 'not-permitted' } },
  bodyNotJson: { does: lock, fails: { code: 'refused', reason: 'json-parsing' }, neverAsks: true },
  nameUnknown: { does: lock, fails: { code: 'refused', reason: 'command-unknown' }, neverAsks: true },
  busy: { does: lock, fails: { disposition: 'wait', code: 'lock-busy' } },
  overloaded: { does: lock, fails: { disposition: 'wait', waitMs: 30_000 } },
  lateGateway: { does: lock, fails: { disposition: 'uncertain' } },
};

const ask = (limit: number, deviceTime: boolean) => async (client: LockHistory) =>
  client.history(door, { limit, deviceTime });
const walker = {
  id: 'h-01',
  at: WALKED_AT,
  what: 'unsecured',
  by: { method: 'access-code', id: 'a71e', name: 'Dog walker' },
};

const history: Readonly<Record<Exclude<keyof typeof HISTORY, 'tooMany'>, ClientSide<LockHistory>>> = {
  deviceTime: { does: ask(50, true), gets: { entries: [{ ...walker, offsetMinutes: -240 }], limit: 50 } },
  serviceTime: { does: ask(1, false), gets: { entries: [{ ...walker, offsetMinutes: null }], limit: 1 } },
};

describe('the client speaks the contract', () => {
  it('when it sends a browser to the consent page', () => {
    const url = oauthOf('https://auth.example').authorizeUrl({ state: 'xyz', challenge: null });
    const { path } = LINKING.consent.request;
    expect(differences(`https://auth.example${path}`, url, valuesOf(''))).toEqual([]);
  });

  it.each(namesOf(linking))('when it links: %s', async (name) => {
    const { result, expected, found } = await hold(LINKING[name], linking[name], oauthOf);
    expect(result).toMatchObject(expected);
    expect(found).toEqual([]);
  });

  it.each(namesOf(devices))('at the door: %s', async (name) => {
    const connect = (url: string): LockGateway => locksOf(url, 'commands');
    const { result, expected, found } = await hold(DEVICES[name], devices[name], connect);
    expect(result).toMatchObject(expected);
    expect(found).toEqual([]);
  });

  it('at the door, in the older form: unlockAlias', async () => {
    const connect = (url: string): LockGateway => locksOf(url, 'rest');
    const { result, found } = await hold(DEVICES.unlockAlias, { does: unlock }, connect);
    expect(result).toMatchObject(pending);
    expect(found).toEqual([]);
  });

  it.each(namesOf(history))('when it asks what happened: %s', async (name) => {
    const { result, expected, found } = await hold(HISTORY[name], history[name], historyOf);
    expect(result).toMatchObject(expected);
    expect(found).toEqual([]);
  });

  it('when it asks for more of what happened than the service gives at once, and then for less', async () => {
    const { url, found } = await playing(HISTORY.tooMany, HISTORY.deviceTime);
    expect(await ask(101, true)(historyOf(url))).toMatchObject(history.deviceTime.gets ?? {});
    expect(found).toEqual([]);
  });

  it.each(namesOf(refusals))('when it is refused: %s', async (name) => {
    const connect = (url: string): LockGateway => locksOf(url, 'commands');
    const { result, expected, found } = await hold(REFUSALS[name], refusals[name], connect);
    expect(result).toMatchObject(expected);
    expect(found).toEqual([]);
  });

  it('at the door, and reads no member of a lock that the contract does not show', () => {
    const [device] = DEVICES.list.answer.json;
    const read = new Set<PropertyKey>();
    const watched = new Proxy(device, {
      // `JSON.stringify` looks for `toJSON` and then for no member at all: what is left was asked for by its name.
      ownKeys: () => [],
      get: (target, name) => {
        read.add(name);
        const value: unknown = Reflect.get(target, name);
        return value;
      },
    });
    expect(deviceListDecoder()([watched])?.locks).toHaveLength(1);
    expect(read).toContain('lockState');
    expect([...read].filter((name) => name !== 'toJSON' && !(name in device))).toEqual([]);
  });

  it('and a question out of place would be noticed', async () => {
    const connect = (url: string): LockGateway => locksOf(url, 'commands');
    const { found } = await hold(DEVICES.lock, { does: unlock }, connect);
    expect(found).toEqual(['body/data/lockState: "Locked" became "Unlocked"']);
  });
});
