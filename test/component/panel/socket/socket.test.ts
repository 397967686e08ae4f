// The local socket between its two ends: every request is answered, and errors arrive unchanged.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newSocketPath } from '../../../../src/panel/socket/path.ts';
import { type Clock, systemClock } from '../../../../src/support/clock.ts';
import {
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  UncertainError,
  WaitError,
} from '../../../../src/support/errors.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { caller, echo, held, owner, rawOwner, rejection } from './ends.ts';

describe('a call over the local socket', () => {
  it('carries any JSON there and back, across the border of chunks and beyond ASCII', async () => {
    const { path } = await owner({ echo });
    const client = await caller(path);
    const input = { name: 'Haustür 正面玄関 🔐\n', list: [1, null, true], long: 'ü'.repeat(100_000) };

    expect(await client.call('echo', input)).toEqual(input);
    expect(await client.call('echo')).toBeUndefined();
  });

  it('is answered when its own operation ends, not in the order of calls', async () => {
    const ends = new Map<unknown, (result: unknown) => void>();
    const wait = async (input: unknown): Promise<unknown> =>
      new Promise((resolve) => {
        ends.set(input, resolve);
        if (ends.size === 2) {
          ends.get('second')?.('B');
        }
      });
    const client = await caller((await owner({ wait })).path);
    const first = client.call('wait', 'first');
    expect(await client.call('wait', 'second')).toBe('B');

    ends.get('first')?.('A');
    expect(await first).toBe('A');
  });

  it.each<LatchkeyError>([
    new RetryError('storage-failed', 'The disk is full.'),
    new WaitError('rate-limited', 'Later.', 12_500),
    new WaitError('lock-busy', 'Busy.', null),
    new RelinkError('revoked', 'Link again.'),
    new UncertainError('Perhaps.'),
    new FinalError('refused', 'The lock said no.', { reason: 'jammed' }),
    new FinalError('bad-request', 'Not so.'),
  ])('rejects with the error that the operation threw: %o', async (error) => {
    const fail = async (): Promise<unknown> => {
      throw error;
    };
    const client = await caller((await owner({ fail })).path);
    const arrived = await rejection(client.call('fail'));

    expect(arrived).toBeInstanceOf(error.constructor);
    expect(Object.entries(arrived as LatchkeyError)).toEqual(Object.entries(error));
    expect(arrived).toHaveProperty('message', error.message);
  });

  it('is uncertain when the operation failed in an unexpected way, whose details stay in the log', async () => {
    const fail = async (): Promise<unknown> => {
      throw new TypeError('secret detail');
    };
    const { path, errors } = await owner({ fail });
    const client = await caller(path);

    expect(await rejection(client.call('fail'))).toMatchObject({
      disposition: 'uncertain',
      message: expect.not.stringContaining('secret detail') as unknown,
    });
    expect(errors).toEqual(['The operation fail failed: secret detail']);
  });

  it.each(['nothing', 'toString', '__proto__', 'constructor'])(
    'is final for the unknown operation "%s"',
    async (name) => {
      const client = await caller((await owner({ echo })).path);
      expect(await rejection(client.call(name))).toMatchObject({ disposition: 'final', code: 'not-found' });
      expect(await client.call('echo', 1)).toBe(1);
    },
  );

  it('is uncertain when the answer cannot be sent, and later calls go on', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const { path } = await owner({ circular: async () => circular, echo });
    const client = await caller(path);

    expect(await rejection(client.call('circular'))).toMatchObject({ disposition: 'uncertain' });
    expect(await client.call('echo', 1)).toBe(1);
  });

  it('is uncertain when no answer comes in time, and a late answer belongs to no other call', async () => {
    const slow = held();
    const { path } = await owner({ slow: slow.operation, echo });
    const clock = new ManualClock();
    const client = await caller(path, clock);
    const call = rejection(client.call('slow', null, 5_000));
    expect(await client.call('echo', 1)).toBe(1);

    await clock.advance(5_000);
    expect(await call).toMatchObject({ disposition: 'uncertain', code: 'reply-lost' });
    slow.end('late');
    expect(await client.call('echo', 2)).toBe(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is uncertain when the owner ends before it answers, and a retry when it had ended before', async () => {
    const path = await rawOwner((socket) => {
      socket.once('data', () => socket.destroy());
    });
    const client = await caller(path);

    expect(await rejection(client.call('anything'))).toMatchObject({ disposition: 'uncertain' });
    await client.closed;
    expect(await rejection(client.call('anything'))).toMatchObject({
      disposition: 'retry',
      code: 'unreachable',
    });
  });

  it.each(['no JSON\n', '{"id": "1"}\n', '[]\n', 'null\n', '{"id": null, "error": {}}\n', '{"id": null}\n'])(
    'survives an owner that answers %j',
    async (answer) => {
      const path = await rawOwner((socket) => {
        socket.once('data', () => socket.write(answer));
      });
      const client = await caller(path);
      expect(await rejection(client.call('anything'))).toMatchObject({
        disposition: 'uncertain',
        cause: { disposition: 'final' },
      });
    },
  );

  it('takes an unknown error of a newer version as final', async () => {
    const path = await rawOwner((socket) => {
      socket.once('data', () =>
        socket.write('{"id":1,"error":{"disposition":"retry","code":"toString","message":"New."}}\n'),
      );
    });
    const client = await caller(path);
    expect(await rejection(client.call('anything'))).toMatchObject({ disposition: 'final', message: 'New.' });
  });

  it('is refused when it is too long, before anything is sent', async () => {
    const client = await caller((await owner({ echo })).path);
    expect(await rejection(client.call('echo', 'x'.repeat(300_000)))).toMatchObject({ code: 'bad-request' });
    expect(await client.call('echo', 1)).toBe(1);
  });
});

describe('an event of the owner', () => {
  it('reaches every caller in order, and a listener that throws harms nobody', async () => {
    const { server, path } = await owner({ echo });
    const clients = await Promise.all([caller(path), caller(path)]);
    const received: unknown[][] = [[], []];
    for (const [index, client] of clients.entries()) {
      client.subscribe(() => {
        throw new Error('a bad listener');
      });
      client.subscribe((event) => received[index]?.push(event));
      await client.call('echo');
    }
    server.publish({ type: 'lock-changed', id: 1 });
    server.publish({ type: 'lock-changed', id: 2 });

    // An answer comes after the events that were sent before it.
    await Promise.all(clients.map(async (client) => client.call('echo')));
    const both = [
      { type: 'lock-changed', id: 1 },
      { type: 'lock-changed', id: 2 },
    ];
    expect(received).toEqual([both, both]);
  });

  it.each<[string, boolean]>([
    ['in one piece', false],
    ['in one piece with the end of the conversation', true],
  ])('that follows an answer is received after it, although both come %s', async (_what, hangsUp) => {
    const lines = '{"event":"before"}\n{"id":1,"result":"answer"}\n{"event":"after"}\n{"event":"last"}\n';
    const path = await rawOwner((socket) => {
      socket.once('data', () => {
        socket.write(lines);
        if (hangsUp) {
          socket.end();
        }
      });
    });
    const client = await caller(path);
    const received: unknown[] = [];
    const last = new Promise<void>((resolve) => {
      client.subscribe((event) => {
        received.push(event);
        if (event === 'last') {
          resolve();
        }
      });
    });
    // As a page's process hands it on: the answer comes out only some promises later.
    const asked = (async () => (async () => client.call('locks'))())().then((answer) =>
      received.push(answer),
    );
    await Promise.all([asked, hangsUp ? client.closed : last]);
    expect(received).toEqual(['before', 'answer', 'after', 'last']);
  });

  it('throws nothing into the account when it cannot be sent', async () => {
    const { server, path, errors } = await owner({ echo });
    const client = await caller(path);
    await client.call('echo', 1);
    server.publish({ number: 1n });
    expect(errors).toHaveLength(1);
  });
});

describe('connecting', () => {
  it('is a retry where no process listens', async () => {
    const path = newSocketPath(temporaryFolder());
    expect(await rejection(caller(path))).toMatchObject({ disposition: 'retry', code: 'unreachable' });
    writeFileSync(path, '');
    expect(await rejection(caller(path))).toMatchObject({ disposition: 'retry', code: 'unreachable' });
  });

  it('is a retry when no process accepts the connection in time', async () => {
    const { path } = await owner({ echo });
    const hasty: Clock = {
      ...systemClock,
      after(_, callback) {
        queueMicrotask(callback);
        return () => {};
      },
    };
    expect(await rejection(caller(path, hasty))).toMatchObject({ disposition: 'retry', code: 'timed-out' });
  });
});
