// The golden messages against the client: its requests are those of the contract, and so are its readings of each answer.
import { describe, expect, it } from 'vitest';
import { accessCodeClient } from '../../src/cloud/access-code-client.ts';
import type { OAuthClient } from '../../src/cloud/account/oauth-client.ts';
import type { DeviceInterface } from '../../src/cloud/device-interface.ts';
import { historyClient } from '../../src/cloud/history-client.ts';
import { lockClient } from '../../src/cloud/lock-client.ts';
import { accessCodeId } from '../../src/domain/codes/access-code.ts';
import type { AccessCodeGateway, CodeCommand } from '../../src/domain/codes/ports.ts';
import { commandId } from '../../src/domain/commands/command.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { LockGateway, LockHistory } from '../../src/domain/ports.ts';
import { silentLog } from '../../src/support/log.ts';
import { deviceListDecoder } from '../../src/wire/device-codec.ts';
import {
  CLIENT,
  deviceInterfaceAt,
  oauthClientAt,
  REDIRECT_URI,
  tokensFrom,
  WANTED,
} from '../support/service-clients.ts';
import { CODE_REFUSALS, CODES, STAY } from './golden/codes.ts';
import { DEVICE_ID, DEVICES, REFUSALS } from './golden/devices.ts';
import { type GoldenExchange, namesOf } from './golden/golden-exchange.ts';
import { HISTORY, WALKED_AT } from './golden/history.ts';
import { LINKING } from './golden/linking.ts';
import { playGolden } from './golden-service.ts';
import { type Bindings, differences } from './unify.ts';

const ZONE = 'America/New_York';
const DOOR = lockId(DEVICE_ID);
const COMMAND = commandId('0b6f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11');
const CODE = accessCodeId('a71e');

const valuesOf = (baseUrl: string): Bindings =>
  new Map([
    ['baseUrl', baseUrl],
    ['clientId', CLIENT.clientId],
    ['clientSecret', CLIENT.clientSecret],
    ['redirectUri', REDIRECT_URI],
    ['encodedRedirectUri', encodeURIComponent(REDIRECT_URI)],
    ['code', 'code-1'],
    ['accessToken', 'eyJ-1'],
    ['refreshToken', 'r-1'],
    ['secondAccessToken', 'eyJ-2'],
    ['secondRefreshToken', 'r-2'],
    ['subscriptionKey', 'key-1'],
    ['commandId', COMMAND],
    ['accessCodeId', CODE],
    ['entryId', 'h-01'],
    ['timeConnected', '2026-04-14T12:00:01.000Z'],
  ]);

const oauthOf = (url: string): OAuthClient => oauthClientAt(url);
const deviceOf = (url: string): DeviceInterface =>
  deviceInterfaceAt(url, { tokens: tokensFrom(async () => Promise.resolve('eyJ-1')) });

const PRODUCT = { productSegment: 'locks', commandStyle: 'commands', log: silentLog } as const;
const locksOf = (url: string): LockGateway => lockClient(deviceOf(url), PRODUCT);
const aliasesOf = (url: string): LockGateway =>
  lockClient(deviceOf(url), { ...PRODUCT, commandStyle: 'rest' });
const historyOf = (url: string): LockHistory => historyClient(deviceOf(url), PRODUCT);
const codesOf = (url: string): AccessCodeGateway => accessCodeClient(deviceOf(url), PRODUCT);

/** The act of the client and its expected result: a value, or an error with these members. */
interface ClientSide<Client> {
  readonly does: (client: Client) => Promise<unknown>;
  readonly gets?: object;
  readonly fails?: object;
  /** True when the client itself never asks this way: then only its reading of the answer is held. */
  readonly neverAsks?: boolean;
}

/** The act of the client while the golden answers come, and how its questions differed from the golden ones. */
async function played<Client>(
  goldens: readonly [GoldenExchange, ...GoldenExchange[]],
  does: (client: Client) => Promise<unknown>,
  connect: (url: string) => Client,
): Promise<{ readonly result: unknown; readonly found: readonly string[] }> {
  const { url, found } = await playGolden(goldens, valuesOf);
  const result = await does(connect(url)).catch((failure: unknown) => ({ failure }));
  return { result, found };
}

function itHolds<Name extends string, Client>(
  when: string,
  goldens: Readonly<Record<Name, GoldenExchange>>,
  sides: Readonly<Record<Name, ClientSide<Client>>>,
  connect: (url: string) => Client,
): void {
  it.each(namesOf(sides))(`${when}: %s`, async (name) => {
    const { does, gets = {}, fails, neverAsks = false } = sides[name];
    const { result, found } = await played([goldens[name]], does, connect);
    expect(result).toMatchObject(fails === undefined ? gets : { failure: fails });
    expect(neverAsks ? [] : found).toEqual([]);
  });
}

const refresh = async (oauth: OAuthClient): Promise<unknown> => oauth.refresh('r-1');
const exchange = async (oauth: OAuthClient): Promise<unknown> => oauth.exchange('code-1', null);
const list = async (locks: LockGateway): Promise<unknown> => locks.list();
const lock = async (locks: LockGateway): Promise<unknown> => locks.command(DOOR, 'secured', WANTED);
const unlock = async (locks: LockGateway): Promise<unknown> => locks.command(DOOR, 'unsecured', WANTED);
const readBack = async (locks: LockGateway): Promise<unknown> => locks.outcome(DOOR, COMMAND);

const badConfiguration = { disposition: 'final', code: 'bad-configuration' };

const { consent, ...links } = LINKING;
const linking: Readonly<Record<keyof typeof links, ClientSide<OAuthClient>>> = {
  exchange: { does: exchange, gets: { accessToken: 'eyJ-1', refreshToken: 'r-1', expiresInMs: 3_600_000 } },
  codeSpent: { does: exchange, fails: { disposition: 'final', code: 'refused' } },
  renewal: { does: refresh, gets: { accessToken: 'eyJ-2', refreshToken: 'r-2', expiresInMs: 3_600_000 } },
  tokenSpentOrRevoked: { does: refresh, fails: { disposition: 'relink', code: 'revoked' } },
  tokenExpired: { does: refresh, fails: { disposition: 'relink', code: 'expired' } },
  clientUnknown: { does: refresh, fails: badConfiguration, neverAsks: true },
  grantUnknown: { does: refresh, fails: badConfiguration, neverAsks: true },
  tokenMissing: { does: refresh, fails: badConfiguration, neverAsks: true },
};

const pending = { reading: { state: 'pending', commandId: COMMAND } };
const successful = { reading: { state: 'successful', commandId: COMMAND } };

const frontDoor = {
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
};

const { unlockAlias, ...atTheDoor } = DEVICES;
const devices: Readonly<Record<keyof typeof atTheDoor, ClientSide<LockGateway>>> = {
  list: { does: list, gets: { unread: 0, locks: [frontDoor] } },
  noLocks: { does: list, gets: { unread: 0, locks: [] } },
  unlock: { does: unlock, gets: pending },
  lock: { does: lock, gets: pending },
  pending: { does: readBack, gets: pending },
  unlocked: { does: readBack, gets: successful },
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
    does: async (locks) => locks.command(lockId('nobodys'), 'secured', WANTED),
    fails: notFound,
  },
  commandUnknown: { does: async (locks) => locks.outcome(DOOR, commandId('nobodys')), fails: notFound },
  roleMayNot: { does: unlock, fails: { disposition: 'final', code: 'not-permitted' } },
  bodyNotJson: { does: lock, fails: { code: 'refused', reason: 'json-parsing' }, neverAsks: true },
  nameUnknown: { does: lock, fails: { code: 'refused', reason: 'command-unknown' }, neverAsks: true },
  busy: { does: lock, fails: { disposition: 'wait', code: 'lock-busy' } },
  overloaded: { does: lock, fails: { disposition: 'wait', waitMs: 30_000 } },
  lateGateway: { does: lock, fails: { disposition: 'uncertain' } },
};

const ask = (limit: number, deviceTime: boolean) => async (client: LockHistory) =>
  client.history(DOOR, { limit, deviceTime });
const walker = {
  id: 'h-01',
  at: WALKED_AT,
  what: 'unsecured',
  by: { method: 'access-code', id: 'a71e', name: 'Dog walker' },
};

const { tooMany, ...histories } = HISTORY;
const history: Readonly<Record<keyof typeof histories, ClientSide<LockHistory>>> = {
  deviceTime: { does: ask(50, true), gets: { entries: [{ ...walker, offsetMinutes: -240 }], limit: 50 } },
  serviceTime: { does: ask(1, false), gets: { entries: [{ ...walker, offsetMinutes: null }], limit: 1 } },
};

const send =
  (command: CodeCommand) =>
  async (codes: AccessCodeGateway): Promise<unknown> =>
    codes.send(DOOR, command, ZONE, WANTED);
const add = (name: string, pin: string) =>
  send({ kind: 'add', draft: { name, pin, schedule: { kind: 'always' } } });
const listCodes = async (codes: AccessCodeGateway): Promise<unknown> => codes.codes(DOOR, ZONE);
const readCode = async (codes: AccessCodeGateway): Promise<unknown> => codes.codeOutcome(DOOR, COMMAND);
const draft = { name: 'Guest 12', pin: '480917', schedule: { kind: 'temporary', ...STAY } } as const;
const windows = [{ days: ['Monday', 'Wednesday'], from: '09:00', until: '17:30' }];
const walkersCode = {
  id: CODE,
  name: 'Dog walker',
  pin: '0417',
  readOnly: false,
  schedule: { kind: 'recurring', windows },
};

const codes: Readonly<Record<keyof typeof CODES, ClientSide<AccessCodeGateway>>> = {
  none: { does: listCodes, gets: [] },
  list: { does: listCodes, gets: [walkersCode] },
  add: { does: send({ kind: 'add', draft }), gets: { ...pending, codeId: CODE } },
  added: { does: readCode, gets: { ...successful, codeId: CODE } },
  addedToList: { does: listCodes, gets: [{ id: CODE, ...draft }] },
  notAdded: { does: readCode, gets: { reading: { state: 'failed', reason: 'code-not-added' } } },
  update: { does: send({ kind: 'update', codeId: CODE, changes: { pin: '480918' } }), gets: pending },
  updated: { does: readCode, gets: { ...successful, codeId: CODE } },
  remove: { does: send({ kind: 'remove', codeId: CODE }), gets: { ...pending, codeId: null } },
  removed: { does: readCode, gets: { ...successful, codeId: null } },
  removeAll: { does: send({ kind: 'remove-all' }), gets: pending },
  removedAll: { does: readCode, gets: successful },
};

const codeRefusals: Readonly<Record<keyof typeof CODE_REFUSALS, ClientSide<AccessCodeGateway>>> = {
  sameCode: { does: add('Other', '480917'), fails: { code: 'refused', reason: 'code-exists' } },
  sameName: { does: add('Guest 12', '5561'), fails: { code: 'refused', reason: 'code-name-exists' } },
  idUnknown: {
    does: send({ kind: 'remove', codeId: accessCodeId('nobodys') }),
    fails: { code: 'refused', reason: 'code-id-invalid' },
  },
};

describe('the client speaks the contract', () => {
  it('when it sends a browser to the consent page', () => {
    const url = oauthOf('https://auth.example').authorizeUrl({ state: 'xyz', challenge: null });
    expect(differences(`https://auth.example${consent.request.path}`, url, valuesOf(''))).toEqual([]);
  });

  itHolds('when it links', links, linking, oauthOf);
  itHolds('at the door', atTheDoor, devices, locksOf);
  itHolds('at the door, in the older form', { unlockAlias }, { unlockAlias: devices.unlock }, aliasesOf);
  itHolds('when it is refused', REFUSALS, refusals, locksOf);
  itHolds('when it asks what happened', histories, history, historyOf);
  itHolds('about access codes', CODES, codes, codesOf);
  itHolds('when an access code is refused', CODE_REFUSALS, codeRefusals, codesOf);

  it('when it asks for more of what happened than the service gives at once, and then for less', async () => {
    const { result, found } = await played([tooMany, HISTORY.deviceTime], ask(101, true), historyOf);
    expect(result).toMatchObject(history.deviceTime.gets ?? {});
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
    const { found } = await played([DEVICES.lock], unlock, locksOf);
    expect(found).toEqual(['body/data/lockState: "Locked" became "Unlocked"']);
  });
});
