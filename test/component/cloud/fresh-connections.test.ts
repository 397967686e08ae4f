// A connection that waits for the next command: never one that could lose it, and never one for two.
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpRequest } from '../../../src/cloud/http/exchange.ts';
import { HttpClient } from '../../../src/cloud/http/http-client.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { howOften } from '../../harness/how-often.ts';
import {
  type Answerer,
  json,
  type LoopbackService,
  startLoopbackService,
} from '../../stand-ins/service/loopback.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

const COMMAND: HttpRequest = {
  method: 'POST',
  path: '/commands',
  headers: {},
  body: '{}',
  ownConnection: true,
};

const accept: Answerer = (_, response) => {
  json(response, 202, { by: 'the service' });
};

async function open(
  answer: Answerer = accept,
): Promise<{ service: LoopbackService; client: HttpClient; clock: ManualClock }> {
  const clock = new ManualClock();
  const service = await startLoopbackService(answer);
  const client = new HttpClient({ baseUrl: service.url, allowInsecureLoopback: true, clock });
  onTestFinished(() => client.close());
  return { service, client, clock };
}

describe('after a command', () => {
  it('a connection waits for the next one, which carried nothing before', async () => {
    const { service, client } = await open();
    await client.send(COMMAND);
    await settle();
    expect([service.opened(), service.open.size]).toEqual([2, 1]);
    await client.send(COMMAND);
    expect(service.seen.map(({ earlierOnConnection }) => earlierOnConnection)).toEqual([0, 0]);
    // The second was sent on what stood open; the third connection waits for a third command.
    await settle();
    expect(service.opened()).toBe(3);
  });

  it('no connection waits longer than four seconds, nor do two of them wait, however many commands there were', async () => {
    const { service, client, clock } = await open();
    await Promise.all([client.send(COMMAND), client.send(COMMAND), client.send(COMMAND)]);
    await settle();
    expect(service.open.size).toBe(1);
    await clock.advance(3_999);
    expect(service.open.size).toBe(1);
    await clock.advance(1);
    expect([service.open.size, clock.pendingTimers]).toEqual([0, 0]);
  });

  it('no connection waits when the command was not answered, or the client was closed', async () => {
    const { service, client, clock } = await open((_, __, socket) => {
      socket.destroy();
    });
    expect((await client.send(COMMAND)).kind).toBe('failure');
    await settle();
    expect([service.opened(), clock.pendingTimers]).toEqual([1, 0]);

    const other = await open();
    await other.client.send(COMMAND);
    await other.client.close();
    await settle();
    expect([other.service.open.size, other.clock.pendingTimers]).toEqual([0, 0]);
  });
});

const TAPS = { closedBefore: howOften(100, 1_000), closedMeanwhile: howOften(30, 100) };

describe('a connection that waited', () => {
  const WAYS: readonly [string, (socket: Socket) => unknown][] = [
    ['closed', (socket) => socket.destroy()],
    ['reset', (socket) => socket.resetAndDestroy()],
    ['half closed', (socket) => socket.end()],
  ];

  it.each(WAYS)(
    'and was %s just as a command came, or while it was written down, loses none, in torture none of 1,100 (faults#78)',
    async (_, part) => {
      const { service, client } = await open();
      const partAll = (): void => {
        for (const socket of service.open) {
          part(socket);
        }
      };
      const outcomes = new Set<string>();
      for (let tap = 0; tap < TAPS.closedBefore; tap += 1) {
        partAll();
        outcomes.add((await client.send(COMMAND)).kind);
      }
      for (let tap = 0; tap < TAPS.closedMeanwhile; tap += 1) {
        outcomes.add((await client.send({ ...COMMAND, notBefore: settle().then(partAll) })).kind);
      }
      expect([...outcomes]).toEqual(['answer']);
      expect(service.seen).toHaveLength(TAPS.closedBefore + TAPS.closedMeanwhile);
    },
  );

  it('and received bytes unasked carries no command', async () => {
    const { service, client } = await open();
    await client.send(COMMAND);
    await settle();
    for (const socket of service.open) {
      socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\n{}');
    }
    await settle();
    expect(service.open.size).toBe(0);
    const outcome = await client.send(COMMAND);
    expect(outcome).toMatchObject({ kind: 'answer', text: '{"by":"the service"}' });
    expect(service.seen).toHaveLength(2);
  });
});

describe('a service that is gone', () => {
  /** Resolves after the refusal of every connection that was tried before. */
  async function refused(service: LoopbackService): Promise<void> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await new Promise((resolve) => {
      socket.on('error', resolve);
    });
    await settle();
  }

  it('fails the command that is being written down, and no other', async () => {
    const { service, client } = await open();
    await service.close();
    const outcome = await client.send({ ...COMMAND, notBefore: refused(service) });
    expect(outcome).toMatchObject({ kind: 'failure', written: false });
  });

  it('is no fault when a connection cannot be opened ahead', async () => {
    const { service, client, clock } = await open();
    await client.send(COMMAND);
    await service.close();
    await refused(service);
    expect((await client.send(COMMAND)).kind).toBe('failure');
    await clock.advance(4_000);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('a command whose journal row is being written', () => {
  it('has its connection opened meanwhile, and is sent when the row is written', async () => {
    const { service, client } = await open();
    const written = Promise.withResolvers<void>();
    const sent = client.send({ ...COMMAND, notBefore: written.promise });
    await settle();
    expect([service.open.size, service.seen.length]).toEqual([1, 0]);
    written.resolve();
    expect((await sent).kind).toBe('answer');
  });

  it('is not sent when the row could not be written, and fails for that reason', async () => {
    const { service, client, clock } = await open();
    const cause = new RetryError('storage-failed', 'The disk is full.');
    const outcome = await client.send({ ...COMMAND, notBefore: Promise.reject(cause) });
    expect(outcome).toMatchObject({ kind: 'failure', why: 'cancelledBeforeSend', written: false, cause });
    await settle();
    expect([service.open.size, service.seen.length, clock.pendingTimers]).toEqual([0, 0, 0]);
  });

  it('is not sent when its time is over before that', async () => {
    const { service, client, clock } = await open();
    const written = Promise.withResolvers<void>();
    const sent = client.send({ ...COMMAND, notBefore: written.promise, startWithinMs: 10_000 });
    await clock.advance(10_000);
    written.resolve();
    expect(await sent).toMatchObject({ kind: 'failure', why: 'timed-out', written: false });
    await settle();
    expect([service.open.size, service.seen.length]).toEqual([0, 0]);
  });
});
