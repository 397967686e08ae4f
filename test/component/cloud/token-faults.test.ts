// The link of an account over real sockets, at a service that refuses good access tokens.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { json, startLoopbackService } from '../../stand-ins/service/loopback.ts';
import { deviceInterfaceAt } from '../../support/service-clients.ts';
import { failureOf } from './failure-of.ts';
import { linked } from './token-fixture.ts';

/** A linked account, and its locks asked for at a service that answers like this. */
async function listed(answer: (response: ServerResponse) => void) {
  const account = linked();
  const { url } = await startLoopbackService((_, response) => {
    answer(response);
  });
  const device = deviceInterfaceAt(url, { tokens: account.session, clock: account.clock });
  return { ...account, list: async () => device.read('/locks/devices', 'list') };
}

describe('a service that answers 401 to good tokens', () => {
  it('for an hour costs at most ten renewals, and the link stays (faults#89)', async () => {
    const { session, server, clock, list } = await listed((response) => json(response, 401, {}));
    for (let elapsedS = 0; elapsedS < 3_600; elapsedS += 10) {
      expect(await failureOf(list())).toMatchObject({ disposition: 'retry' });
      await clock.advance(10_000);
    }
    expect(server.spent.length).toBeLessThanOrEqual(10);
    expect(server.spent.length).toBeGreaterThanOrEqual(4);
    expect(session.link.state()).toBe('linked');
  });

  it('to every second token costs at most one renewal a minute (faults#89)', async () => {
    let calls = 0;
    const { server, clock, list } = await listed((response) => {
      calls += 1;
      json(response, calls % 2 === 0 ? 401 : 200, []);
    });
    for (let elapsedS = 0; elapsedS < 600; elapsedS += 10) {
      await list().catch(() => null);
      await clock.advance(10_000);
    }
    expect(server.spent.length).toBeLessThanOrEqual(10);
    expect(server.spent.length).toBeGreaterThanOrEqual(5);
  });

  it('and then recovers is used with the same token at once', async () => {
    let broken = true;
    const { server, list } = await listed((response) => json(response, broken ? 401 : 200, []));
    await failureOf(list());
    broken = false;
    expect((await list()).body).toEqual([]);
    expect(server.spent).toEqual(['r1']);
  });
});
