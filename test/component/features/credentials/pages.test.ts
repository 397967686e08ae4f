// A list of credentials of which only one page is read: whoever is missing on it may have a credential, so none is issued.
import { expect, it } from 'vitest';
import { CredentialingClient } from '../../../../src/features/credentials/client/credentialing-client.ts';
import { json, startLoopbackService } from '../../../stand-ins/service/loopback.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

it.each([
  ['names a next page', { link: '</SMC/credentials/mobile?page=2>; rel="next"' }],
  ['is a range of the whole', { 'content-range': 'items 0-0/2' }],
])(
  'a list that %s is no list to import against (faults#183)',
  async (_, headers: Readonly<Record<string, string>>) => {
    const service = await startLoopbackService((__, response) => {
      for (const [name, value] of Object.entries(headers)) {
        response.setHeader(name, value);
      }
      json(response, 200, []);
    });
    const clock = new ManualClock();
    const client = new CredentialingClient({
      credentialsUrl: service.url,
      allowInsecureLoopback: true,
      subscriptionKeys: () => ['key'],
      login: () => ({ username: 'admin', password: 'secret' }),
      tokens: {
        read: () => ({ token: 'token', username: 'admin', expiresAt: clock.now() + 3_600_000 }),
        write: () => {},
      },
      windows: {
        reserve: () => ({ kind: 'go', id: 1 }),
        answer: () => {},
        cancel: () => {},
        refuse: () => {},
        read: () => {
          throw new Error('Nobody asks for it');
        },
      },
      clock,
    });
    await expect(client.list()).rejects.toMatchObject({ code: 'wire-mismatch' });
    await client.close();
  },
);
