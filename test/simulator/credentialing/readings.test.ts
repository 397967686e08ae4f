// The points at which the interface can be read in two ways: each switch, both ways.
import { describe, expect, test } from 'vitest';
import { CredentialingHarness } from './harness.ts';

const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const CARD = {
  userId: USER,
  mobileNumber: '+15550100123',
  cardFormat: '26A',
  facilityCode: 12,
  issueCode: 0,
};
const RAW = { userId: USER, mobileNumber: '+15550100123', rawCredential: '1f00aa55c3', bitLength: 8 };

async function started(settings: Parameters<typeof CredentialingHarness.start>[0]) {
  const smc = await CredentialingHarness.start(settings);
  const token = await smc.logIn();
  return {
    smc,
    get: async (path: string) => smc.call('GET', path, { token }),
    post: async (path: string, body: unknown) => smc.call('POST', path, { token, body }),
  };
}

describe('Wire contract 12 and what can be read otherwise', () => {
  test('a trailing slash is no operation and is not counted', async () => {
    const { get } = await started({});
    const answer = await get('/credentials/mobile/');
    expect([answer.status, answer.headers.get('x-rate-limit')]).toEqual([404, null]);
    expect((await get('/credentials/mobile/users/')).headers.get('x-rate-limit')).toBe(null);
  });

  test('a trailing slash can count as an id', async () => {
    const { get } = await started({ trailingSlash: 'id' });
    const answer = await get('/credentials/mobile/');
    expect([answer.status, answer.headers.get('x-rate-limit')]).toEqual([404, '100']);
  });

  test.each([
    ['any-text', 201],
    ['international', 400],
  ] as const)(
    'the mobile number "call me", read as %s, is answered with %i',
    async (mobileNumber, status) => {
      const { post } = await started({ mobileNumber });
      expect((await post('/credentials/mobile', { ...CARD, mobileNumber: 'call me' })).status).toBe(status);
    },
  );

  test.each([
    ['up-to-digits', 201],
    ['exact-digits', 400],
  ] as const)(
    'a bitLength that is shorter than its digits, read as %s, is answered with %i',
    async (bitLength, status) => {
      const { post } = await started({ bitLength });
      expect((await post('/credentials/mobile/raw', RAW)).status).toBe(status);
    },
  );

  test.each([
    ['hidden', {}],
    ['echoed', { rawCredential: '1f00aa55c3', bitLength: 8 }],
  ] as const)('a raw record has its bits %s', async (rawRecord, shown) => {
    const { post, get } = await started({ rawRecord });
    await post('/credentials/mobile/raw', RAW);
    const { body } = await get(`/credentials/mobile/users/${USER}`);
    expect(body).toMatchObject(shown);
    expect(Object.keys(body as object).includes('rawCredential')).toBe(rawRecord === 'echoed');
  });

  test('a second credential of one user can be issued, and each is deleted by itself', async () => {
    const { smc, post, get } = await started({ secondCredential: 'issued' });
    await post('/credentials/mobile', CARD);
    expect((await post('/credentials/mobile', CARD)).status).toBe(201);
    const token = await smc.logIn();
    await smc.call('DELETE', `/credentials/mobile/users/${USER}`, { token });
    expect((await get(`/credentials/mobile/users/${USER}`)).status).toBe(200);
    await smc.call('DELETE', `/credentials/mobile/users/${USER}`, { token });
    expect((await get(`/credentials/mobile/users/${USER}`)).status).toBe(404);
  });

  test('rate windows can begin with each minute of the clock', async () => {
    const { smc, get } = await started({ rateWindow: 'clock-minute', limits: { 'Get All Credentials': 1 } });
    await smc.clock.advance(59_000);
    expect((await get('/credentials/mobile')).status).toBe(200);
    expect((await get('/credentials/mobile')).status).toBe(429);
    await smc.clock.advance(1_000);
    expect((await get('/credentials/mobile')).status).toBe(200);
  });
});
