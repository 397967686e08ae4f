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
  test.each([
    ['no-operation', null],
    ['id', '100'],
  ] as const)('a trailing slash, read as %s, has the limit %s', async (trailingSlash, limit) => {
    const { get } = await started({ trailingSlash });
    for (const path of ['/credentials/mobile/', '/credentials/mobile/users/']) {
      const answer = await get(path);
      expect([answer.status, answer.headers['x-rate-limit'] ?? null]).toEqual([404, limit]);
    }
  });

  test.each([
    [{ mobileNumber: 'any-text' }, '', { ...CARD, mobileNumber: 'call me' }, 201],
    [{ mobileNumber: 'international' }, '', { ...CARD, mobileNumber: 'call me' }, 400],
    [{ bitLength: 'up-to-digits' }, '/raw', RAW, 201],
    [{ bitLength: 'exact-digits' }, '/raw', RAW, 400],
  ] as const)('with %o, POST %s of %o is answered with %i', async (settings, path, body, status) => {
    const { post } = await started(settings);
    expect((await post(`/credentials/mobile${path}`, body)).status).toBe(status);
  });

  test.each([
    ['hidden', {}],
    ['echoed', { rawCredential: '1f00aa55c3', bitLength: 8 }],
  ] as const)('a raw record has its bits %s', async (rawRecord, shown) => {
    const { post, get } = await started({ rawRecord });
    await post('/credentials/mobile/raw', RAW);
    const { json } = await get(`/credentials/mobile/users/${USER}`);
    expect(json).toMatchObject(shown);
    expect(Object.keys(json as object).includes('rawCredential')).toBe(rawRecord === 'echoed');
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
