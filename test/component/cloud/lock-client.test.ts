// The lock gateway against a service that fails in every way: the calls that are repeated, and those that never are.
import { describe, expect, it } from 'vitest';
import type { AccessTokens } from '../../../src/cloud/account/token-session.ts';
import type { DeviceInterface } from '../../../src/cloud/device-interface.ts';
import { lockClient } from '../../../src/cloud/lock-client.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { LockGateway } from '../../../src/domain/ports.ts';
import { FinalError, RelinkError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import {
  type Answerer,
  json,
  type LoopbackService,
  startLoopbackService,
} from '../../stand-ins/service/loopback.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { deviceInterfaceAt, tokensFrom, WANTED } from '../../support/service-clients.ts';
import { everythingOf, failureOf } from './failure-of.ts';

const door = lockId('door-1');
const pending = { commandId: 'c-1', deviceId: 'door-1', state: 'Pending', data: { error: null } };

/** Hands out `token-1` until that is refused, then `token-2`, and so on. */
class CountedTokens implements AccessTokens {
  #count = 1;
  async accessToken(): Promise<string> {
    return Promise.resolve(`token-${String(this.#count)}`);
  }
  accepted(): void {}
  invalidate(token: string): void {
    if (token === `token-${String(this.#count)}`) {
      this.#count += 1;
    }
  }
}

interface Fixture {
  readonly service: LoopbackService;
  readonly clock: ManualClock;
  readonly locks: LockGateway;
  readonly device: DeviceInterface;
  readonly warnings: readonly string[];
}

interface FixtureOptions {
  readonly keys?: readonly string[];
  readonly tokens?: AccessTokens;
  readonly assertOwned?: () => void;
}

async function fixture(
  answer: Answerer,
  { keys = ['key-1', 'key-2'], ...parts }: FixtureOptions = {},
): Promise<Fixture> {
  const service = await startLoopbackService(answer);
  const clock = new ManualClock();
  const warnings: string[] = [];
  const device = deviceInterfaceAt(`${service.url}/api`, {
    subscriptionKeys: () => keys,
    tokens: new CountedTokens(),
    clock,
    ...parts,
  });
  const log = { ...silentLog, warn: (line: string) => warnings.push(line) };
  const locks = lockClient(device, { productSegment: 'locks', commandStyle: 'commands', log });
  return { service, clock, locks, device, warnings };
}

const cut: Answerer = (_, response) => {
  response.socket?.resetAndDestroy();
};

function answering(status: number, body: unknown, headers: object = {}): Answerer {
  return (_, response) => {
    json(response, status, body, headers);
  };
}

/** Answers in turn; the last answer is repeated. */
function inTurn(...answers: readonly Answerer[]): Answerer {
  let turn = 0;
  return (...asked) => {
    answers[Math.min(turn, answers.length - 1)]?.(...asked);
    turn += 1;
  };
}

const silent: Answerer = () => {};
const accept = answering(202, pending);
const noLocks = answering(200, []);
const refuseToken = answering(
  401,
  { statusCode: 401, message: 'Access token is missing or not valid.' },
  { 'www-authenticate': 'Bearer error="invalid_token"' },
);
const refuseKey = answering(401, {
  statusCode: 401,
  message: 'Access denied: subscription key is not valid.',
});

describe('a command', () => {
  it('is sent on a connection that carried nothing before, so that no idle one can lose it (faults#78)', async () => {
    const { locks, service } = await fixture((request, ...asked) => {
      (request.method === 'GET' ? noLocks : accept)(request, ...asked);
    });
    for (let count = 0; count < 8; count += 1) {
      await locks.list();
    }
    await locks.command(door, 'secured', WANTED);
    const earlier = service.seen.map(({ earlierOnConnection }) => earlierOnConnection);
    expect([Math.max(...earlier) > 0, earlier.at(-1)]).toEqual([true, 0]);
  });

  it.each([
    ['a busy lock', 409, { errorCode: 36 }, 'wait', 'lock-busy', null],
    ['a jam found at once', 409, { errorCode: 32 }, 'final', 'refused', 'bolt-jammed'],
    ['a number as text', 409, { errorCode: '36' }, 'wait', 'lock-busy', null],
    ['a bad body', 400, { errorCode: 20 }, 'final', 'refused', 'parameters-invalid'],
    ['a bad body without a number', 400, '<html>', 'final', 'refused', 'unrecognised'],
    ['a role that may not', 403, { errorCode: 1 }, 'final', 'not-permitted', null],
    ['an unknown lock', 404, { errorCode: 1 }, 'final', 'not-found', null],
    ['a redirect for good', 301, '', 'uncertain', 'reply-lost', null],
    ['a redirect', 302, '', 'uncertain', 'reply-lost', null],
    ['a page to see instead', 303, '', 'uncertain', 'reply-lost', null],
    ['a redirect of the same request', 307, '', 'uncertain', 'reply-lost', null],
    ['a fault', 500, { errorCode: 1 }, 'uncertain', 'reply-lost', null],
    ['a bad gateway', 502, '<html>', 'uncertain', 'reply-lost', null],
    ['a late gateway', 504, { errorCode: 13 }, 'uncertain', 'reply-lost', null],
    ['a request that timed out there', 408, '', 'uncertain', 'reply-lost', null],
    ['an overload, which processed nothing', 503, { errorCode: 1 }, 'retry', 'server-fault', null],
  ])('that meets %s (%i) is sent once and says so', async (_, status, body, disposition, code, reason) => {
    const { locks, service } = await fixture(answering(status, body));
    const error = await failureOf(locks.command(door, 'unsecured', WANTED));
    expect(error).toMatchObject({ disposition, code, ...(reason === null ? {} : { reason }) });
    expect(service.seen).toHaveLength(1);
  });

  it('that fails at once with 36 waits like the other form of it (faults#27)', async () => {
    const body = { ...pending, state: 'Failed', data: { error: { errorCode: 36 } } };
    const { locks } = await fixture(answering(202, body));
    expect(await failureOf(locks.command(door, 'secured', WANTED))).toMatchObject({ code: 'lock-busy' });
  });

  it.each<[string, Answerer, ((home: Fixture) => Promise<void>) | null]>([
    ['cut', cut, null],
    ['not there at its deadline', silent, async ({ clock }) => clock.advance(32_000)],
    ['not there when the process ends', silent, async ({ device }) => device.close()],
  ])('whose reply is %s is uncertain, and sent once (faults#30)', async (_, answer, meanwhile) => {
    const home = await fixture(answer);
    const sent = failureOf(home.locks.command(door, 'unsecured', WANTED));
    await home.service.arrived(1);
    await meanwhile?.(home);
    expect(await sent).toMatchObject({ disposition: 'uncertain', code: 'reply-lost' });
    expect([home.service.seen.length, home.clock.pendingTimers]).toEqual([1, 0]);
  });

  it('to an address where no program listens certainly did not happen', async () => {
    const { locks, service } = await fixture(silent);
    await service.close();
    expect(await failureOf(locks.command(door, 'unsecured', WANTED))).toMatchObject({
      disposition: 'retry',
      code: 'unreachable',
    });
  });

  it.each<[string, Record<string, string>, string | null]>([
    ['', { location: 'https://api.example/locks/devices/door-1/commands/c-7' }, 'c-7'],
    ['{"comm', { location: '/locks/devices/door-1/commands/c-7' }, 'c-7'],
    ['null', { location: '/locks/devices/door-1/commands/c-7' }, 'c-7'],
    ['', {}, null],
    ['<html>', {}, null],
    ['{}', {}, null],
    ['[]', {}, null],
  ])(
    'accepted with the body %j and the headers %j is followed as %s, or uncertain',
    async (text, headers, id) => {
      const { locks } = await fixture((_, response) => {
        response.writeHead(202, headers).end(text);
      });
      const outcome = await locks.command(door, 'secured', WANTED).catch((error: unknown) => error);
      expect(outcome).toMatchObject(
        id === null ? { disposition: 'uncertain' } : { reading: { state: 'pending', commandId: id } },
      );
    },
  );

  it('whose token was refused was not processed, and is sent once more with a new one, and no third time', async () => {
    const { locks, service } = await fixture(inTurn(refuseToken, accept, refuseToken));
    await locks.command(door, 'unsecured', WANTED);
    expect((await failureOf(locks.command(door, 'unsecured', WANTED))).disposition).toBe('retry');
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
      'Bearer token-2',
      'Bearer token-3',
    ]);
  });

  it.each([
    ['no token comes in time: an unlock is never late', 10_000, false, 'timed-out'],
    ['a later request overtook it while it waited for its token', 8_000, true, 'aborted'],
  ])('is not sent when %s (faults#29)', async (_, waitedMs, isOvertaken, code) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { locks, service, clock } = await fixture(accept, { tokens: tokensFrom(async () => promise) });
    let overtaken = false;
    const sent = failureOf(locks.command(door, 'unsecured', { ...WANTED, stillWanted: () => !overtaken }));
    await clock.advance(waitedMs);
    overtaken = isOvertaken;
    resolve('token-late');
    expect(await sent).toMatchObject({ disposition: 'retry', code });
    await clock.advance(60_000);
    expect([service.seen, clock.pendingTimers]).toEqual([[], 0]);
  });

  it.each([
    ['token', refuseToken],
    ['key', refuseKey],
  ])(
    'that a later request overtook while its first %s was refused is not sent with the second',
    async (_, refuse) => {
      let overtaken = false;
      const { locks, service } = await fixture((...asked) => {
        overtaken = true;
        refuse(...asked);
      });
      const sent = failureOf(locks.command(door, 'unsecured', { ...WANTED, stillWanted: () => !overtaken }));
      expect(await sent).toMatchObject({ disposition: 'retry', code: 'aborted' });
      expect(service.seen).toHaveLength(1);
    },
  );

  // Before the token, before the connection, and when that is there.
  it.each([1, 2, 3])(
    'that is no longer wanted at moment %i, or of a process that lost the account then, is not sent',
    async (moment) => {
      for (const lost of ['aborted', 'not-owner'] as const) {
        let asked = 0;
        let tokens = 0;
        const isOver = (): boolean => {
          asked += 1;
          return asked >= moment;
        };
        const { locks, service, clock } = await fixture(accept, {
          tokens: tokensFrom(async () => Promise.resolve(`token-${String(++tokens)}`)),
          assertOwned: () => {
            if (lost === 'not-owner' && isOver()) {
              throw new FinalError('not-owner', 'Another process owns the account.');
            }
          },
        });
        const guard = { ...WANTED, stillWanted: () => lost !== 'aborted' || !isOver() };
        expect(await failureOf(locks.command(door, 'secured', guard))).toMatchObject({ code: lost });
        expect([asked, tokens, service.seen]).toEqual([moment, moment === 1 ? 0 : 1, []]);
        expect(clock.pendingTimers).toBe(0);
      }
    },
  );

  it('without a link says that a person must act', async () => {
    const tokens = tokensFrom(async () => Promise.reject(new RelinkError('revoked', 'Link again.')));
    const { locks, service, clock } = await fixture(silent, { tokens });
    expect((await failureOf(locks.command(door, 'secured', WANTED))).disposition).toBe('relink');
    expect(service.seen).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});

/** Wire contract 0. */
const ROLE_REFUSED = { errorCode: 1, Description: 'Not permitted for this role' };

describe('a read', () => {
  it.each([
    ['a fault', 500, {}, 'retry', 'server-fault'],
    ['a bad gateway', 502, '<html>', 'retry', 'server-fault'],
    ['an overload', 503, {}, 'retry', 'server-fault'],
    ['a role that may not', 403, ROLE_REFUSED, 'final', 'not-permitted'],
    ['the page of a gateway', 403, '<html>', 'final', 'wire-mismatch'],
    ['the page of a gateway', 404, '<html>', 'final', 'wire-mismatch'],
    ['a redirect', 302, '', 'final', 'wire-mismatch'],
    ['a page instead of data', 200, '<html>', 'final', 'wire-mismatch'],
    ['another shape', 200, { devices: [] }, 'final', 'wire-mismatch'],
  ])('that meets %s (%i) says so', async (_, status, body, disposition, code) => {
    const { locks } = await fixture(answering(status, body));
    expect(await failureOf(locks.list())).toMatchObject({ disposition, code });
  });

  it('of all locks at an unknown address says which options to check', async () => {
    const { locks } = await fixture(answering(404, { statusCode: 404, message: 'Resource not found' }));
    const error = await failureOf(locks.list());
    expect(error).toMatchObject({ disposition: 'final', code: 'not-found' });
    expect(error.message).toContain('check partner.baseUrl');
  });

  it('of all locks that is refused does not speak of one lock', async () => {
    const { locks } = await fixture(answering(403, ROLE_REFUSED));
    expect((await failureOf(locks.list())).message).toContain('does not let this account see its locks');
  });

  it.each([
    ['a link to the next page', 200, { link: '</devices?page=2>; rel="last next"' }],
    ['a part of the content', 206, { 'content-range': 'items 0-0/2' }],
  ])('of all locks that is answered with %s is no whole list, and says so', async (_, status, headers) => {
    const { locks, warnings } = await fixture(answering(status, [{ id: 'door-1' }], headers));
    expect(await locks.list()).toMatchObject({ unread: Number.POSITIVE_INFINITY, locks: [{ id: 'door-1' }] });
    expect(warnings.join()).toContain('a list of several pages');
  });

  it('of all locks that links to the page itself is a whole list', async () => {
    const { locks } = await fixture(
      answering(200, [], { link: '</devices>; rel="self", </next>; rel="help"' }),
    );
    expect(await locks.list()).toMatchObject({ unread: 0 });
  });

  it('whose answer is truncated is no empty house (faults#34)', async () => {
    const { locks } = await fixture((_, response) => {
      response.writeHead(200).end('[{"id":"door-1","lockState":"Lock');
    });
    expect(await failureOf(locks.list())).toMatchObject({ code: 'wire-mismatch' });
  });

  it.each([['cut', cut] as const, ['never coming', silent] as const])(
    'whose answer is %s may be repeated',
    async (_, answer) => {
      const { locks, service, clock } = await fixture(answer);
      const read = failureOf(locks.list());
      await service.arrived(1);
      await clock.advance(32_000);
      expect(await read).toMatchObject({ disposition: 'retry', code: 'timed-out' });
    },
  );

  it.each([
    ['a day behind our own clock at once', 'Mon, 13 Apr 2026 12:00:00 GMT', 0],
    ['a day ahead of it when a second answer agrees (faults#106)', 'Wed, 15 Apr 2026 12:00:00 GMT', 1],
  ])('is dated by the service when it was sent, %s', async (_when, date, before) => {
    const { locks, clock } = await fixture(answering(200, [], { date }));
    for (let asked = 0; asked < before; asked += 1) {
      await locks.list();
      await clock.advance(10);
    }
    const { askedAt } = await locks.list();
    expect(Math.abs(askedAt - Date.parse(date))).toBeLessThanOrEqual(1_000);
  });

  it('names the word of a command that has no known state, and takes it as pending', async () => {
    const { locks, warnings } = await fixture(answering(200, { ...pending, state: 'Completed' }));
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await locks.outcome(door, commandId('c-1'))).reading.state).toBe('pending');
    }
    expect(warnings).toEqual([expect.stringContaining('state "Completed"')]);
  });

  it('names a word that it does not know once, on one line (faults#24, faults#65)', async () => {
    const device = { id: 'a', lockState: 'Ajar\n\u001b[31mERROR' };
    const { locks, warnings } = await fixture(answering(200, [device]));
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await locks.list()).locks[0]?.bolt).toBe('unknown');
    }
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^[^\p{Cc}]+$/u);
  });

  it('of a command that is answered with another one is a mismatch', async () => {
    const { locks } = await fixture(answering(200, { ...pending, commandId: 'c-2', state: 'Successful' }));
    expect(await failureOf(locks.outcome(door, commandId('c-1')))).toMatchObject({ code: 'wire-mismatch' });
  });
});

describe('the two subscription keys', () => {
  const onlyTakes =
    (good: string): Answerer =>
    (request, ...asked) => {
      (request.headers['vendor-subscription-key'] === good ? noLocks : refuseKey)(request, ...asked);
    };

  it('are tried in turn, and the one that works is tried first from then on', async () => {
    const { locks, service } = await fixture(onlyTakes('key-2'));
    await locks.list();
    await locks.list();
    const keys = service.seen.map(({ headers }) => headers['vendor-subscription-key']);
    expect(keys).toEqual(['key-1', 'key-2', 'key-2']);
    expect(new Set(service.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-1']),
    );
  });

  it('are tried in turn, too, where the gateway forbids one', async () => {
    const { locks, service } = await fixture((request, ...asked) => {
      const isGood = request.headers['vendor-subscription-key'] === 'key-2';
      (isGood ? noLocks : answering(403, { message: 'The subscription key is suspended.' }))(
        request,
        ...asked,
      );
    });
    await locks.list();
    expect(service.seen).toHaveLength(2);
  });

  it('are a matter of the configuration when both are refused', async () => {
    const { locks, service } = await fixture(onlyTakes('another'));
    expect(await failureOf(locks.list())).toMatchObject({ code: 'bad-configuration' });
    expect(service.seen).toHaveLength(2);
  });
});

describe('a wait that the service asks for', () => {
  it.each([
    ['text alone', {}, { error: 'Rate limit reached. Try again in 37 seconds.' }, 37_000],
    ['a header', { 'x-retry-after': '12' }, {}, 12_000],
    ['nothing at all', {}, {}, 60_000],
    ['a time without sense', { 'retry-after': '99999999999' }, {}, 86_400_000],
    ['a time in the past', { 'x-rate-limit-reset': '1000000000' }, {}, 60_000],
  ])('by %s is kept: no listing before its end (faults#38)', async (_, headers, body, waitMs) => {
    const { locks, service, clock } = await fixture(inTurn(answering(429, body, headers), noLocks));
    expect(await failureOf(locks.list())).toMatchObject({ code: 'rate-limited', waitMs });
    await clock.advance(waitMs / 2);
    expect(await failureOf(locks.list())).toMatchObject({ code: 'rate-limited', waitMs: waitMs / 2 });
    await clock.advance(waitMs / 2 - 1);
    expect(await failureOf(locks.list())).toMatchObject({ code: 'rate-limited', waitMs: 1 });
    expect(service.seen).toHaveLength(1);
    await clock.advance(1);
    expect(await locks.list()).toMatchObject({ unread: 0 });
  });

  it.each([
    ['is over after a sleep that was longer', 3_600_000, { unread: 0 }],
    ['is shorter by a sleep', 400_000, { waitMs: 200_000 }],
    ['is not shorter by a small correction of the wall clock', 4_000, { waitMs: 600_000 }],
    ['is not longer by a wall clock that is set back', -3_600_000, { waitMs: 600_000 }],
  ])('%s', async (_, wallGainMs, expected) => {
    const { locks, clock } = await fixture(inTurn(answering(429, {}, { 'retry-after': '600' }), noLocks));
    await failureOf(locks.list());
    clock.jumpWallTo(clock.now() + wallGainMs);
    expect(await locks.list().catch((error: unknown) => error)).toMatchObject(expected);
  });

  it('until an instant is counted from the Date of the same answer, also right after this machine slept', async () => {
    const { locks } = await fixture(
      inTurn(
        answering(200, [], { date: 'Tue, 14 Apr 2026 12:00:00 GMT' }),
        answering(
          429,
          {},
          { date: 'Tue, 14 Apr 2026 20:00:00 GMT', 'x-rate-limit-reset': '2026-04-14T20:00:30Z' },
        ),
      ),
    );
    await locks.list();
    expect(await failureOf(locks.list())).toMatchObject({ code: 'rate-limited', waitMs: 30_000 });
  });

  it('with a 503 and its Retry-After is kept alike', async () => {
    const { locks, service, clock } = await fixture(answering(503, {}, { 'retry-after': '5' }));
    expect(await failureOf(locks.command(door, 'secured', WANTED))).toMatchObject({
      disposition: 'wait',
      waitMs: 5_000,
    });
    expect(await failureOf(locks.command(door, 'secured', WANTED))).toMatchObject({ disposition: 'wait' });
    expect(service.seen).toHaveLength(1);
    await clock.advance(5_000);
    await failureOf(locks.command(door, 'secured', WANTED));
    expect(service.seen).toHaveLength(2);
  });

  it('by a read-back stops read-backs until its Retry-After, and nothing else', async () => {
    const { locks, service, clock } = await fixture(({ path }, response) => {
      json(response, path.endsWith('/c-1') ? 429 : 202, pending, { 'retry-after': '7' });
    });
    const limited = { code: 'rate-limited', waitMs: 7_000 };
    expect(await failureOf(locks.outcome(door, commandId('c-1')))).toMatchObject(limited);
    await clock.advance(6_999);
    expect(await failureOf(locks.outcome(door, commandId('c-1')))).toMatchObject({ waitMs: 1 });
    expect(service.seen).toHaveLength(1);
    expect((await locks.command(door, 'secured', WANTED)).reading.state).toBe('pending');
    await clock.advance(1);
    expect(await failureOf(locks.outcome(door, commandId('c-1')))).toMatchObject(limited);
    expect(service.seen).toHaveLength(3);
  });

  it.each([
    [429, 86_400_000],
    [503, 60_000],
  ])('with %i on the list stops neither a command nor its read-back (faults#38)', async (status, waitMs) => {
    const { locks, service, clock } = await fixture(({ path }, response) => {
      const isList = path.endsWith('/devices');
      json(response, isList ? status : 202, pending, isList ? { 'retry-after': '86400' } : {});
    });
    expect(await failureOf(locks.list())).toMatchObject({ waitMs });
    expect((await locks.command(door, 'unsecured', WANTED)).reading.state).toBe('pending');
    expect((await locks.outcome(door, commandId('c-1'))).reading.state).toBe('pending');
    await clock.advance(59_000);
    expect(await failureOf(locks.list())).toMatchObject({ waitMs: waitMs - 59_000 });
    expect(service.seen).toHaveLength(3);
  });
});

describe('what the service says in an error', () => {
  it.each([400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504])(
    'with %i never reaches a message, a stack or a cause, nor do our secrets (faults#68, faults#66)',
    async (status) => {
      const echo = {
        errorCode: 2,
        Description: 'code canary-4821',
        message: 'canary-4821',
        error: 'canary-4821',
      };
      const tokens = tokensFrom(async () => Promise.resolve('canary-token'));
      const { locks, warnings } = await fixture(answering(status, echo), { tokens, keys: ['canary-key'] });
      const errors = [await failureOf(locks.command(door, 'secured', WANTED)), await failureOf(locks.list())];
      expect(errors.map(everythingOf).join(' ') + warnings.join(' ')).not.toMatch(/canary/);
    },
  );

  it('that is no HTTP never reaches a message, a stack, a cause or what the parser left over (faults#68)', async () => {
    const { locks } = await fixture((_request, _response, socket) => {
      socket.end('HTTP/1.1 400 canary-4821\r\nno header canary-4821\r\n\r\ncanary-4821');
    });
    const errors = [await failureOf(locks.command(door, 'secured', WANTED)), await failureOf(locks.list())];
    expect(errors.map(({ name }) => name)).toEqual(['UncertainError', 'RetryError']);
    expect(errors.map(everythingOf).join(' ')).not.toMatch(/canary/);
  });
});

it('a listing that repeats the one before is evidence of its own time', async () => {
  const lastConnectedToCloud = '2026-04-14T12:00:30Z';
  const { locks, clock } = await fixture(
    answering(200, [{ id: 'door-1', connected: false, lastConnectedToCloud }]),
  );
  const first = await locks.list();
  await clock.advance(60_000);
  const second = await locks.list();
  expect(second.askedAt - first.askedAt).toBe(60_000);
  expect(second).toMatchObject({ unread: 0, locks: [{ id: door, connected: false }] });
  // The lock's clock ran ahead of the first question, and no longer does.
  expect(first.locks[0]?.lastConnectedAt).toBe(first.askedAt);
  expect(second.locks[0]?.lastConnectedAt).toBe(Date.parse(lastConnectedToCloud));
});
