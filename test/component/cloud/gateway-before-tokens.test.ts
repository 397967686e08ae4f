// A gateway that answers for the authorization server, which rotates refresh tokens and ends a link when a spent one comes again.
import { describe, expect, it, onTestFinished } from 'vitest';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import { lossWords } from '../../../src/words/account.ts';
import { MemoryVault } from '../../stand-ins/database/vault.ts';
import { type Answerer, json, startLoopbackService } from '../../stand-ins/service/loopback.ts';
import { HOUR_MS, pair } from '../../stand-ins/service/tokens.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { oauthClientAt } from '../../support/service-clients.ts';
import { random } from './token-fixture.ts';

const DAY_MS = 24 * HOUR_MS;

/** What a gateway says while the service behind it is being restarted. */
const GATEWAYS: readonly (readonly [string, number, object | string])[] = [
  ['401 without a body', 401, ''],
  ['401 with a page', 401, '<html><body>Unauthorized</body></html>'],
  ['401 with a sentence of a gateway', 401, { statusCode: 401, message: 'Unauthorized' }],
  ['401 with an error of the gateway', 401, { error: 'unauthorized' }],
  ['401 with a member that is no word', 401, { error: { code: 'invalid_grant' } }],
  ['401 with null', 401, 'null'],
  ['403 without a body', 403, ''],
  ['403 with a page', 403, '<html><body>Forbidden</body></html>'],
  ['403 with the words of the service', 403, { error: 'invalid_grant' }],
  ['200 with a page to sign in', 200, '<html><body>Sign in</body></html>'],
  ['400 with a page', 400, '<html><body>Bad Request</body></html>'],
  ['400 without a body', 400, ''],
];

/** A linked account, an hour old, whose authorization server has reuse detection. */
async function account() {
  const clock = new ManualClock();
  const vault = new MemoryVault('linked', pair(1, clock.now() - HOUR_MS));
  const lines: string[] = [];
  const spent: string[] = [];
  let current = 1;
  let isEnded = false;
  /** In place of the server while it is set. */
  let gateway: Answerer | null = null;
  const service = await startLoopbackService((request, response, socket) => {
    const token = new URLSearchParams(request.body).get('refresh_token') ?? '';
    if (gateway !== null) {
      gateway(request, response, socket);
      return;
    }
    spent.push(token);
    isEnded ||= token !== `r${String(current)}`;
    if (isEnded) {
      json(response, 400, { error: 'invalid_grant' });
      return;
    }
    current += 1;
    json(response, 200, answerOf(current));
  });
  const log = { debug() {}, info() {}, warn: (line: string) => lines.push(line), error() {} };
  const server = oauthClientAt(service.url, { clock });
  const session = new TokenSession({ vault, server, clock, log, random });
  onTestFinished(async () => {
    const ended = session.dispose();
    // A renewal that hangs is waited for by this clock.
    await clock.advance(HOUR_MS);
    await ended;
  });
  return {
    clock,
    vault,
    lines,
    spent,
    service,
    session,
    during: (answer: Answerer | null) => {
      gateway = answer;
    },
    /** Rotates as the server does, with an answer that this writes. */
    rotated: () => {
      spent.push(`r${String(current)}`);
      current += 1;
      return answerOf(current);
    },
    /** Asks for an access token every ten seconds, as polling does. */
    pollFor: async (durationMs: number, everyMs = 10_000): Promise<void> => {
      for (let waited = 0; waited < durationMs; waited += everyMs) {
        session.accessToken().catch(() => {});
        await settled(clock, everyMs);
      }
    },
  };
}

function answerOf(count: number): object {
  return {
    access_token: `a${String(count)}`,
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: `r${String(count)}`,
  };
}

function saying(status: number, body: object | string): Answerer {
  return (_, response) => {
    if (typeof body === 'string') {
      response.writeHead(status, { 'content-type': 'text/html' }).end(body);
    } else {
      json(response, status, body);
    }
  };
}

/** Moves the clock in steps between which answers on loopback arrive. */
async function settled(clock: ManualClock, durationMs: number): Promise<void> {
  for (let step = 0; step < 5; step += 1) {
    await clock.advance(durationMs / 5);
    await settle();
  }
}

describe('a gateway that answers a renewal', () => {
  it.each(GATEWAYS)('with %s for six seconds or two hours loses no link (faults#141)', async (...gateway) => {
    const [, status, body] = gateway;
    for (const lastsMs of [6_000, 2 * HOUR_MS]) {
      const { clock, session, vault, lines, during, pollFor } = await account();
      during(saying(status, body));
      await pollFor(lastsMs, 60_000);
      expect([session.link.state(), vault.link.tokens?.refreshToken]).toEqual(['linked', 'r1']);
      during(null);
      await pollFor(70_000);
      await settled(clock, 5_000);
      expect(await session.accessToken()).toBe('a2');
      expect(lines).toEqual([]);
    }
  });

  it('with a bare 401 for less than a day loses no link, and soon costs a call a minute (faults#141)', async () => {
    const { session, service, during, pollFor } = await account();
    during(saying(401, ''));
    await pollFor(HOUR_MS, 15_000);
    expect(service.seen.length).toBeLessThan(90);
    await pollFor(DAY_MS - 1.5 * HOUR_MS, 600_000);
    expect(session.link.state()).toBe('linked');
    during(null);
    await pollFor(70_000);
    expect(await session.accessToken()).toBe('a2');
  });

  it('with a bare 401 again after a day of silence has said it twice, not for a day', async () => {
    const { session, clock, during, pollFor } = await account();
    during(saying(401, ''));
    await pollFor(60_000);
    await clock.advance(DAY_MS);
    await pollFor(60_000);
    expect(session.link.state()).toBe('linked');
  });

  it('with a bare 401 between other answers has not gone on for a day', async () => {
    const { session, during, pollFor } = await account();
    for (let day = 0; day < 2; day += 1) {
      during(saying(401, ''));
      await pollFor(DAY_MS - HOUR_MS, 600_000);
      during(saying(502, '<html>'));
      await pollFor(120_000);
    }
    expect(session.link.state()).toBe('linked');
  });
});

describe('a refresh token that is past its life', () => {
  it('is answered with a bare 401 for a day, which ends the link, in one line (faults#16)', async () => {
    const { session, service, vault, lines, during, pollFor } = await account();
    during(saying(401, ''));
    await pollFor(DAY_MS + HOUR_MS, 600_000);
    expect(session.link.state()).toBe('expired');
    expect(lines).toEqual([lossWords('expired')]);
    const calls = service.seen.length;
    await pollFor(HOUR_MS, 60_000);
    expect(service.seen).toHaveLength(calls);
    expect(vault.link.tokens?.refreshToken).toBe('r1');
  });
});

describe('the refresh token of a link that has ended', () => {
  it('is kept, and renews the link when a person has it tried once more (faults#141)', async () => {
    const { session, vault, lines, during, pollFor } = await account();
    during(saying(400, { error: 'invalid_grant' }));
    await pollFor(20_000);
    expect([session.link.state(), lines]).toEqual(['revoked', [lossWords('revoked')]]);
    expect(vault.link).toMatchObject({ state: 'revoked', tokens: { refreshToken: 'r1' } });
    expect(session.isRevivable).toBe(true);
    during(null);
    session.revive();
    await pollFor(10_000);
    expect(await session.accessToken()).toBe('a2');
    expect(vault.link).toMatchObject({ state: 'linked', tokens: { refreshToken: 'r2' } });
  });

  it('that is refused again ends the link again, after two calls and with its line', async () => {
    const { session, service, lines, during, pollFor } = await account();
    during(saying(400, { error: 'invalid_grant' }));
    await pollFor(20_000);
    session.revive();
    await pollFor(60_000);
    expect(session.link.state()).toBe('revoked');
    expect(service.seen).toHaveLength(4);
    expect(lines).toHaveLength(2);
  });

  it('goes with the link that a person ends, and with the next one', async () => {
    const { session, vault, clock, during, pollFor } = await account();
    during(saying(400, { error: 'invalid_grant' }));
    await pollFor(20_000);
    session.adopt(pair(7, clock.now()));
    expect(vault.link.tokens?.refreshToken).toBe('r7');
    session.unlink();
    expect([vault.link.tokens, session.isRevivable]).toEqual([null, false]);
  });
});

describe('an answer to a renewal that is whole', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

  it.each([
    ['whose last chunk never comes, on a connection that stays open', false, 1],
    ['whose connection is cut before its last chunk', true, 1],
    ['in two pieces, whose connection is cut before its last chunk', true, 2],
  ])('%s, is taken; the spent token is never sent again (faults#180)', async (_, isCut, pieces) => {
    const { session, vault, spent, during, rotated, pollFor } = await account();
    during((_request, _response, socket) => {
      const text = JSON.stringify(rotated());
      const middle = pieces === 1 ? text.length : text.length / 2;
      const chunks = [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '').map(chunk);
      socket.write(head + chunks.join(''), () => {
        if (isCut) {
          socket.destroy();
        }
      });
      during(null);
    });
    await pollFor(20_000);
    expect(vault.link.tokens?.refreshToken).toBe('r2');
    expect(await session.accessToken()).toBe('a2');
    await pollFor(HOUR_MS, 60_000);
    expect(session.link.state()).toBe('linked');
    expect(spent).toEqual([...new Set(spent)]);
  });

  it.each([
    ['begins to name', 'refresh_token'],
    ['has named', '"r2"'],
  ])(
    'is awaited while a first part of it %s both tokens: the spent one is not sent meanwhile (faults#180)',
    async (_, until) => {
      const { session, vault, spent, during, rotated, pollFor } = await account();
      let sendRest = (): void => {};
      during((_request, _response, socket) => {
        const text = JSON.stringify(rotated());
        const middle = text.indexOf(until) + until.length;
        socket.write(head + chunk(text.slice(0, middle)));
        sendRest = () => socket.write(chunk(text.slice(middle)));
        during(null);
      });
      await pollFor(100_000);
      expect(spent).toEqual(['r1']);
      sendRest();
      await pollFor(10_000);
      expect(vault.link.tokens?.refreshToken).toBe('r2');
      expect(await session.accessToken()).toBe('a2');
      expect(spent).toEqual(['r1']);
    },
  );

  it('is not taken from a half of it', async () => {
    const { session, spent, during, rotated, pollFor } = await account();
    during((_request, _response, socket) => {
      const text = JSON.stringify(rotated());
      socket.write(head + chunk(text.slice(0, -3)), () => socket.destroy());
      during(null);
    });
    await pollFor(20_000);
    expect(spent[1]).toBe('r1');
    expect(session.link.state()).toBe('revoked');
  });
});
