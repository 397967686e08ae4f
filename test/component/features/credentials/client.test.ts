// The credentialing client against the simulator: every operation, its login, and the waits it is asked for.

import { describe, expect, it } from 'vitest';
import { credentialId } from '../../../../src/features/credentials/policy/credential.ts';
import { CredentialingHome } from '../../../homes/credentialing-home.ts';
import { cardOf, type OpenedProcess, userOf } from '../../../support/credentialing-process.ts';

type Client = OpenedProcess['credentialing']['client'];

/** A service with those settings, and the client of one process. */
async function opened(settings: Readonly<Record<string, unknown>> = {}) {
  const stand = await CredentialingHome.ofTest(settings);
  return { stand, client: stand.process().credentialing.client };
}

/** Raw bits of the second user. */
const rawOf = (bitLength: number) => ({
  kind: 'raw' as const,
  userId: userOf(2),
  mobileNumber: '+15550100123',
  rawCredential: '1f00aa55c3',
  bitLength,
});

describe('a bad field', () => {
  it.each([
    ['create', async (client: Client) => client.create(cardOf(1, { cardFormat: '99' }))],
    ['get', async (client: Client) => client.get(credentialId(''))],
    ['getByUser', async (client: Client) => client.getByUser('')],
    ['delete', async (client: Client) => client.delete(credentialId('a/b'))],
    ['deleteByUser', async (client: Client) => client.deleteByUser('nobody')],
    ['saveNoTour', async (client: Client) => client.saveNoTour(credentialId('c'), [])],
    ['deleteNoTour', async (client: Client) => client.deleteNoTour(credentialId('.'))],
    ['deleteNoTourOfLock', async (client: Client) => client.deleteNoTourOfLock(credentialId('c'), '')],
    ['login', async (client: Client) => client.login({ username: 'x', password: '' })],
  ])('of %s is refused before a call, by name', async (_, call) => {
    const { stand, client } = await opened();
    await expect(call(client)).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(/^Nothing was sent: \S+ /u) as string,
    });
    expect(await stand.calls()).toEqual([]);
  });
});

describe('the other reading of ambiguous documentation', () => {
  it('is followed wherever a service does so', async () => {
    const { stand, client } = await opened({
      trailingSlash: 'id',
      rawRecord: 'echoed',
      resetForm: 'iso-8601',
      secondCredential: 'issued',
      rateWindow: 'clock-minute',
    });
    await client.create(cardOf(1, { mobileNumber: 'call me' }));
    await client.create(rawOf(8));
    expect(await client.getByUser(userOf(1))).toMatchObject({ mobileNumber: 'call me' });
    expect(await client.getByUser(userOf(2))).toMatchObject({ rawCredential: '1f00aa55c3', bitLength: 8 });
    const urls = (await stand.calls()).map(({ url }) => url);
    expect(urls.filter((url) => url.endsWith('/'))).toEqual([]);
  });

  it.each([
    [
      'a mobile number',
      { mobileNumber: 'international' },
      cardOf(1, { mobileNumber: 'call me' }),
      'mobileNumber',
    ],
    ['a bitLength', { bitLength: 'exact-digits' }, rawOf(8), 'bitLength'],
  ] as const)('that refuses %s is reported by the name of the field', async (_, settings, draft, field) => {
    const { client } = await opened(settings);
    await expect(client.create(draft)).rejects.toMatchObject({
      code: 'refused',
      message: `The service refused a field (HTTP 400), and names ${field}.`,
    });
  });
});

describe('the login', () => {
  const logins = async (stand: CredentialingHome): Promise<number> =>
    (await stand.calls()).filter(({ url }) => url.endsWith('/authentication/token')).length;

  it('serves every process of the machine, until its token ends', async () => {
    const stand = await CredentialingHome.ofTest();
    await Promise.all(
      [stand.process(), stand.process()].map(async ({ credentialing }) => credentialing.client.list()),
    );
    const before = await logins(stand);
    await stand.process().credentialing.client.list();
    expect(await logins(stand)).toBe(before);
    await stand.clock.advance(3_600_000);
    await stand.process().credentialing.client.list();
    expect(await logins(stand)).toBe(before + 1);
  });

  it('is made again when the service has forgotten the token', async () => {
    const { stand, client } = await opened();
    await client.list();
    await stand.control('house/end-credentialing-tokens');
    await client.create(cardOf(1));
    expect(await logins(stand)).toBe(2);
    expect((await client.list()).credentials.length).toBe(1);
  });

  it('that is refused is not tried again, and its words hold no secret', async () => {
    const { stand, client } = await opened();
    const login = { username: 'someone', password: 'a wrong password' };
    await expect(client.login(login)).rejects.toMatchObject({
      code: 'bad-configuration',
      message: expect.not.stringContaining('a wrong password') as string,
    });
    expect(await logins(stand)).toBe(1);
  });

  it('without the necessary role gets that reason', async () => {
    const stand = await CredentialingHome.ofTest();
    const manager = stand.simulator.credentialingUsers.find(({ role }) => role === 'Manager');
    const { client } = stand.process({
      credentialsUsername: manager?.username,
      credentialsPassword: manager?.password,
    }).credentialing;
    await expect(client.list()).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('uses the second subscription key when the first is refused', async () => {
    const stand = await CredentialingHome.ofTest();
    const [client] = stand.simulator.clients;
    const keys = ['a key that is none', client?.subscriptionKeys[0]];
    const { credentialing } = stand.process({ subscriptionKeys: keys });
    expect((await credentialing.client.list()).credentials).toEqual([]);
  });
});

describe('the queue', () => {
  it('reports when it goes on, and ends with its signal', async () => {
    const { stand, client } = await opened({ limits: { 'Get All Credentials': 1 } });
    await client.list();
    const stop = new AbortController();
    const waits: number[] = [];
    const waiting = client.list({
      signal: stop.signal,
      onWait: ({ until }) => waits.push(until - stand.clock.now()),
    });
    waiting.catch(() => {});
    await stand.clock.advance(1_000);
    expect(waits.length).toBe(1);
    expect(waits[0]).toBeGreaterThan(50_000);
    expect(waits[0]).toBeLessThanOrEqual(60_250);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    expect((await stand.calls()).filter(({ url }) => url.endsWith('/mobile')).length).toBe(1);
  });

  it('refuses to wait longer than the caller allows, and does not send', async () => {
    const { stand, client } = await opened({ limits: { 'Get All Credentials': 1 } });
    await client.list();
    await expect(client.list({ longestWaitMs: 3_000 })).rejects.toMatchObject({
      code: 'rate-limited',
      disposition: 'wait',
    });
    expect((await stand.calls()).filter(({ url }) => url.endsWith('/mobile')).length).toBe(1);
  });

  it('keeps the order in which calls were made, and calls of other kinds do not wait', async () => {
    const { stand, client } = await opened({ limits: { 'Create Credential': 1 } });
    await client.create(cardOf(1));
    const done: number[] = [];
    const creates = [2, 3, 4].map(async (number) => {
      await client.create(cardOf(number));
      done.push(number);
    });
    await client.list();
    await stand.until(Promise.all(creates));
    expect(done).toEqual([2, 3, 4]);
    expect((await stand.calls()).filter(({ status }) => status === 429)).toEqual([]);
  });

  it('waits a minute where a refusal names no time (faults#38)', async () => {
    const { stand, client } = await opened();
    await client.list();
    await stand.control('house/inject-fault', {
      kind: 'status',
      status: 429,
      wait: { seconds: 20, said: 'nothing' },
      path: '**/SMC/credentials/mobile',
      often: { times: 1 },
    });
    const began = stand.clock.now();
    await stand.until(client.list());
    expect(stand.clock.now() - began).toBeGreaterThanOrEqual(55_000);
  });
});
