// The eleven operations of the credentialing interface over HTTP (wire contract 8 and 11).
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { OPERATIONS } from '../../src/credentialing/operations.ts';
import { CredentialingHarness, FIRST_ID, OTHER_CLIENT_KEY, PASSWORD, SECOND_KEY } from './harness.ts';

const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const SECOND_USER = '2b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c22';
const UNKNOWN_ID = '99999999-9999-4999-8999-999999999999';
const CARD = {
  userId: USER,
  mobileNumber: '+15550100123',
  cardFormat: '26A',
  facilityCode: 12,
  issueCode: 0,
  attributes: { siteId: '7', siteName: 'North block' },
};
const RAW = { userId: USER, mobileNumber: '+15550100123', rawCredential: '1f00aa55c3', bitLength: 37 };
const RECORD = {
  credentialId: FIRST_ID,
  userId: USER,
  mobileNumber: '+15550100123',
  payloadType: 'Basic',
  cardFormat: '26A',
  cardNumber: 1,
  facilityCode: 12,
  issueCode: 0,
  isDownloaded: false,
  attributes: { siteId: '7', siteName: 'North block' },
};

/** The one form of error body besides the gateway's. */
const errorOf = z.strictObject({ error: z.string() });

let smc: CredentialingHarness;
let token: string;
beforeEach(async () => {
  smc = await CredentialingHarness.start();
  token = await smc.logIn();
});

const create = (changes: Readonly<Record<string, unknown>> = {}) =>
  smc.call('POST', '/credentials/mobile', { token, body: { ...CARD, ...changes } });

describe('Wire contract 8, Authentication Token', () => {
  test.each([
    ['a wrong password', { username: 'site-admin', password: 'wrong' }, 401],
    ['an unknown name', { username: 'nobody', password: PASSWORD }, 401],
    ["another client's user", { username: 'other-admin', password: PASSWORD }, 401],
    ['a pair that is not text', { username: 'site-admin' }, 400],
  ])('answers %s with {error} and echoes nothing', async (_case, body, status) => {
    const answer = await smc.call('POST', '/authentication/token', { body });
    const error = status === 401 ? 'The username or password is wrong.' : 'password must be text.';
    expect([answer.status, answer.json]).toEqual([status, { error }]);
  });
});

describe('Wire contract 0 and 11, order of checks', () => {
  const LIST = '/credentials/mobile';

  test("a bad key is the gateway's business and shows no rate headers", async () => {
    const answer = await smc.call('GET', LIST, { key: 'wrong', token });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      statusCode: 401,
      message: 'Access denied: subscription key is not valid.',
    });
    expect('x-rate-limit' in answer.headers).toBe(false);
  });

  test.each([
    ['missing', null],
    ['unknown', 'no-such-token'],
  ])(
    "a bearer token that is %s is answered by the gateway's 401 with the rate headers",
    async (_case, bad) => {
      const answer = await smc.call('GET', LIST, { token: bad });
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({ statusCode: 401, message: 'Access token is missing or not valid.' });
      expect(answer.headers['www-authenticate'] ?? null).toBe('Bearer error="invalid_token"');
      expect(answer.headers['x-rate-limit'] ?? null).toBe('100');
      expect(answer.headers['x-rate-limit-remaining'] ?? null).toBe('99');
    },
  );

  test('a token ends after 3600 seconds to the millisecond, or when the service ends it', async () => {
    const status = async (): Promise<number> => (await smc.call('GET', LIST, { token })).status;
    await smc.clock.advance(3_600_000 - 1);
    expect(await status()).toBe(200);
    await smc.clock.advance(1);
    expect(await status()).toBe(401);
    const renewed = await smc.logIn();
    expect(await status()).toBe(401);
    token = renewed;
    expect(await status()).toBe(200);
    await smc.control('end-credentialing-tokens');
    expect(await status()).toBe(401);
  });

  test("a token works with both keys of its client and not with another client's", async () => {
    expect((await smc.call('GET', LIST, { token, key: SECOND_KEY })).status).toBe(200);
    expect((await smc.call('GET', LIST, { token, key: OTHER_CLIENT_KEY })).status).toBe(401);
  });

  test('an unknown route is found out after the key and the bearer', async () => {
    const path = '/credentials/plastic';
    expect((await smc.call('GET', path, { key: null, token })).json).toEqual({
      statusCode: 401,
      message: 'Access denied: subscription key is missing.',
    });
    expect((await smc.call('GET', path)).status).toBe(401);
    const answer = await smc.call('GET', path, { token });
    expect([answer.status, answer.json]).toEqual([404, { error: 'There is no such operation.' }]);
    expect('x-rate-limit' in answer.headers).toBe(false);
  });

  test.each(['site-manager', 'site-operator'])(
    '%s may log in, and gets 403 from every other operation',
    async (name) => {
      const weak = await smc.logIn(name);
      for (const [operation, { method, path }] of Object.entries(OPERATIONS)) {
        if (operation === 'Authentication Token') {
          continue;
        }
        const concrete = path.replace(/:\w+/g, UNKNOWN_ID);
        const body = method === 'POST' ? '{not json' : undefined;
        const answer = await smc.call(method, concrete, { token: weak, body });
        expect([operation, answer.status]).toEqual([operation, 403]);
        expect(errorOf.parse(answer.json).error).toMatch(/^The role (Manager|Operator) may not do this\.$/);
      }
    },
  );

  test('the credential is looked for before the body is read', async () => {
    const path = `/credentials/mobile/${UNKNOWN_ID}/notourpayloads`;
    expect((await smc.call('POST', path, { token, body: '{not json' })).status).toBe(404);
  });

  test.each([
    ['{not json', 400, 'The body must be JSON.'],
    ['', 400, 'The body must be JSON.'],
    ['null', 400, 'The body is not valid.'],
    ['[]', 400, 'The body is not valid.'],
    ['"text"', 400, 'The body is not valid.'],
    [' '.repeat(1_100_000), 413, 'The body is too large.'],
  ])(
    'a body of another form is answered in the interface’s own form (case %#)',
    async (rawBody, status, error) => {
      const answer = await smc.call('POST', '/credentials/mobile', { token, body: rawBody });
      expect([answer.status, answer.json]).toEqual([status, { error }]);
    },
  );
});

describe('Wire contract 8, Create Credential', () => {
  test('attributes may be left out, and unknown members are ignored', async () => {
    const { attributes: _left, ...plain } = CARD;
    await smc.call('POST', '/credentials/mobile', { token, body: { ...plain, colour: 'blue' } });
    const shown = await smc.call('GET', `/credentials/mobile/${FIRST_ID}`, { token });
    expect(shown.json).toEqual({ ...RECORD, attributes: {} });
  });

  test('a second credential for the same user is a clash, whatever the case of the id', async () => {
    await create();
    for (const userId of [USER, USER.toUpperCase()]) {
      const answer = await create({ userId });
      expect([answer.status, answer.json]).toEqual([409, { error: 'This user has a credential already.' }]);
    }
  });

  test.each([
    ['userId', undefined],
    ['userId', 'not-a-uuid'],
    ['userId', '00000000-0000-0000-0000-000000000000'],
    ['userId', '1b0f3c9e-7a44-1f0e-9d5e-2f6b8f0a9c11'],
    ['mobileNumber', undefined],
    ['mobileNumber', ''],
    ['mobileNumber', 15550100123],
    ['cardFormat', undefined],
    ['cardFormat', '26B'],
    ['facilityCode', undefined],
    ['facilityCode', -1],
    ['facilityCode', 1.5],
    ['issueCode', undefined],
    ['issueCode', '0'],
    ['issueCode', 64],
    ['issueCode', -1],
    ['cardNumber', 0],
    ['cardNumber', 'next'],
    ['attributes', []],
    ['attributes', { siteId: 7 }],
  ])('%s = %j answers 400 and names the member', async (member, value) => {
    const answer = await create({ [member]: value });
    expect(answer.status).toBe(400);
    expect(errorOf.parse(answer.json).error).toMatch(new RegExp(`^${member} must .*\\.$`));
  });

  test('48X takes exactly the issue code 20, every other format 0', async () => {
    for (const [index, cardFormat] of ['26A', '34S', '35X', '37H', '37X'].entries()) {
      const userId = USER.replace('1b', `a${String(index)}`);
      expect((await create({ userId, cardFormat })).status).toBe(201);
    }
    for (const issueCode of [0, 19, 21, 63]) {
      const answer = await create({ cardFormat: '48X', issueCode });
      expect([answer.status, answer.json]).toEqual([400, { error: 'issueCode must be 20 for 48X.' }]);
    }
    expect((await create({ cardFormat: '48X', issueCode: 20 })).status).toBe(201);
  });

  test.each([1, 63])('issue code %d needs a permission: 403 without, 201 with', async (issueCode) => {
    const refused = await create({ issueCode });
    expect(refused.status).toBe(403);
    expect(refused.json).toEqual({ error: 'Restricted formats need a permission that this caller lacks.' });
    const permitted = await smc.logIn('restricted-admin');
    const answer = await smc.call('POST', '/credentials/mobile', {
      token: permitted,
      body: { ...CARD, issueCode },
    });
    expect(answer.status).toBe(201);
  });
});

describe('Wire contract 8, card numbers', () => {
  const user = (index: number): string => `1b0f3c9e-7a44-4f0e-9d5e-${String(index).padStart(12, '0')}`;
  const created = z.object({ cardNumber: z.number() });
  const cardNumberOf = async (
    index: number,
    changes: Readonly<Record<string, unknown>> = {},
  ): Promise<number> => {
    const { json } = await create({ userId: user(index), ...changes });
    return created.parse(json).cardNumber;
  };

  test('count up per (format, facility code)', async () => {
    expect(await cardNumberOf(1)).toBe(1);
    expect(await cardNumberOf(2)).toBe(2);
    expect(await cardNumberOf(3, { facilityCode: 13 })).toBe(1);
    expect(await cardNumberOf(4, { cardFormat: '34S' })).toBe(1);
    expect(await cardNumberOf(5)).toBe(3);
  });

  test('a requested number is kept, skipped by the count, and refused when it is in use', async () => {
    expect(await cardNumberOf(1, { cardNumber: 2 })).toBe(2);
    expect(await cardNumberOf(2)).toBe(1);
    expect(await cardNumberOf(3)).toBe(3);
    const clash = await create({ userId: user(4), cardNumber: 2 });
    expect([clash.status, clash.json]).toEqual([409, { error: 'This card number is in use.' }]);
    expect((await smc.call('GET', `/credentials/mobile/users/${user(4)}`, { token })).status).toBe(404);
  });

  test('the number of a deleted credential can be requested, and is not handed out by itself', async () => {
    await cardNumberOf(1);
    await smc.call('DELETE', `/credentials/mobile/users/${user(1)}`, { token });
    expect(await cardNumberOf(2)).toBe(2);
    expect(await cardNumberOf(3, { cardNumber: 1 })).toBe(1);
  });
});

describe('Wire contract 8, Create Raw Credential', () => {
  const createRaw = (changes: Readonly<Record<string, unknown>> = {}) =>
    smc.call('POST', '/credentials/mobile/raw', { token, body: { ...RAW, ...changes } });

  test('answers 201 with the id alone, and never shows the bits again', async () => {
    const answer = await createRaw();
    expect([answer.status, answer.json]).toEqual([201, { credentialId: FIRST_ID }]);
    const shown = await smc.call('GET', `/credentials/mobile/${FIRST_ID}`, { token });
    expect(shown.json).toEqual({
      ...RECORD,
      payloadType: 'Raw',
      cardFormat: null,
      cardNumber: null,
      facilityCode: null,
      issueCode: null,
      attributes: {},
    });
    expect(shown.text).not.toContain(RAW.rawCredential);
  });

  test('counts as the one credential of its user', async () => {
    await createRaw();
    expect((await createRaw()).status).toBe(409);
    expect((await create()).status).toBe(409);
  });

  test.each([
    ['rawCredential', 'xyz'],
    ['rawCredential', ''],
    ['rawCredential', undefined],
    ['bitLength', 0],
    ['bitLength', '37'],
    ['userId', 'x'],
    ['mobileNumber', ''],
  ])('%s = %j answers 400', async (member, value) => {
    const answer = await createRaw({ [member]: value });
    expect(answer.status).toBe(400);
    expect(errorOf.parse(answer.json).error).toMatch(new RegExp(`^${member} must `));
  });

  test('more bits than the hexadecimal holds answer 400', async () => {
    expect((await createRaw({ bitLength: 40 })).status).toBe(201);
    const answer = await createRaw({ userId: SECOND_USER, bitLength: 41 });
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'bitLength must not exceed the bits of rawCredential.' },
    ]);
  });
});

describe('Wire contract 8 and 11, no-tour payloads', () => {
  const PATH = `/credentials/mobile/${FIRST_ID}/notourpayloads`;
  const payload = (deviceSerialNumber: string, text: string) => ({
    deviceSerialNumber,
    payload: Buffer.from(text).toString('base64'),
  });
  const save = (...payloads: readonly unknown[]) => smc.call('POST', PATH, { token, body: { payloads } });

  beforeEach(async () => {
    await create();
  });

  test('saving answers all payloads of the credential, as a bare array; a new one replaces that for its lock', async () => {
    const [first, second] = [payload('0000A1B2C3', 'one'), payload('0000A1B2C4', 'two')];
    expect(await save(first)).toMatchObject({ status: 200, json: [first] });
    expect(await save(second)).toMatchObject({ status: 200, json: [first, second] });
    const newer = payload('0000A1B2C3', 'newer');
    expect((await save(newer)).json).toEqual([newer, second]);
  });

  test.each([
    ['no list', {}, 'payloads must be an array.'],
    ['an empty list', { payloads: [] }, 'payloads must not be empty.'],
    ['no serial', { payloads: [{ payload: 'AA==' }] }, 'deviceSerialNumber must be text.'],
    [
      'a text that is not base64',
      { payloads: [{ deviceSerialNumber: 'A', payload: '%%' }] },
      'payload must be base64.',
    ],
  ])('%s answers 400', async (_case, body, error) => {
    const answer = await smc.call('POST', PATH, { token, body });
    expect([answer.status, answer.json]).toEqual([400, { error }]);
  });

  test('deleting by serial answers 204 without a body, then 404', async () => {
    await save(payload('0000A1B2C3', 'one'), payload('0000A1B2C4', 'two'));
    const gone = await smc.call('DELETE', `${PATH}/0000A1B2C3`, { token });
    expect([gone.status, gone.text]).toEqual([204, '']);
    const again = await smc.call('DELETE', `${PATH}/0000A1B2C3`, { token });
    expect([again.status, again.json]).toEqual([404, { error: 'No no-tour payload for this device.' }]);
    const left = payload('0000A1B2C4', 'two');
    expect((await save(left)).json).toEqual([left]);
  });

  test('payloads go with their credential', async () => {
    await save(payload('0000A1B2C3', 'one'));
    await smc.call('DELETE', `/credentials/mobile/${FIRST_ID}`, { token });
    expect((await save(payload('0000A1B2C3', 'one'))).status).toBe(404);
  });
});

describe('Wire contract 8, reading and deleting credentials', () => {
  test.each([`/${FIRST_ID}`, `/users/${USER}`])(
    'DELETE %s answers 204 without a body, then 404',
    async (path) => {
      await create();
      const gone = await smc.call('DELETE', `/credentials/mobile${path}`, { token });
      expect([gone.status, gone.text]).toEqual([204, '']);
      expect((await smc.call('DELETE', `/credentials/mobile${path}`, { token })).status).toBe(404);
      expect((await smc.call('GET', `/credentials/mobile${path}`, { token })).status).toBe(404);
      expect((await create()).status).toBe(201);
    },
  );

  test.each([`/${UNKNOWN_ID}`, '/not-a-uuid', '/raw', '/users', `/users/${UNKNOWN_ID}`, '/users/not-a-uuid'])(
    'an id that is unknown or malformed (%s) answers 404',
    async (path) => {
      for (const method of ['GET', 'DELETE']) {
        expect((await smc.call(method, `/credentials/mobile${path}`, { token })).status).toBe(404);
      }
    },
  );

  test("one client never sees another's credentials", async () => {
    await create();
    const other = await smc.logIn('other-admin', OTHER_CLIENT_KEY);
    const asOther = { token: other, key: OTHER_CLIENT_KEY };
    expect((await smc.call('GET', '/credentials/mobile', asOther)).json).toEqual([]);
    for (const path of [`/${FIRST_ID}`, `/users/${USER}`]) {
      expect((await smc.call('GET', `/credentials/mobile${path}`, asOther)).status).toBe(404);
      expect((await smc.call('DELETE', `/credentials/mobile${path}`, asOther)).status).toBe(404);
    }
    expect((await smc.call('GET', `/credentials/mobile/${FIRST_ID}`, { token })).status).toBe(200);
  });
});
