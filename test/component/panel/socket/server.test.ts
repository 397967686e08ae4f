// The owner's end of the local socket: nothing that arrives there harms the account, and closing is bounded.
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NotBegunError } from '../../../../src/panel/socket/not-begun.ts';
import { caller, echo, held, never, owner, rawCaller, rejection } from './ends.ts';

describe("the owner's end", () => {
  it.each([
    ['bad JSON', 'GET / HTTP/1.1\r\n\r\n'],
    ['JSON that is no call', '{"id":1}\n'],
    ['a list', '[1]\n'],
    ['null', 'null\n'],
    ['a fractional id', '{"id":0.5,"operation":"echo"}\n'],
    ['binary', Buffer.from([0, 255, 254, 10])],
    ['deep nesting', `${'['.repeat(100_000)}\n`],
    ['a line without end', 'x'.repeat(300_000)],
  ])('answers %s with one error and hangs up, and other callers are not affected', async (_, bytes) => {
    const { path } = await owner({ echo });
    const other = await caller(path);
    const { socket, received } = await rawCaller(path);
    socket.write(bytes);

    expect(JSON.parse(await received)).toMatchObject({
      id: null,
      error: { disposition: 'final', code: 'bad-request' },
    });
    expect(await other.call('echo', 1)).toBe(1);
  });

  it('carries out the calls before the invalid bytes', async () => {
    const asked: unknown[] = [];
    const { path } = await owner({ note: async (input) => asked.push(input) });
    const { socket, received } = await rawCaller(path);
    socket.write(
      '{"id":1,"operation":"note","input":"first"}\nnonsense\n{"id":2,"operation":"note","input":"never"}\n',
    );

    await received;
    expect(asked).toEqual(['first']);
  });

  it('goes on when a caller disconnects in the middle of a call', async () => {
    const slow = held();
    const { path, errors } = await owner({ slow: slow.operation, echo });
    const { socket, received } = await rawCaller(path);
    socket.write('{"id":1,"operation":"slow"}\n');
    await slow.started;
    socket.destroy();
    await received;
    slow.end('to nobody');

    expect(await (await caller(path)).call('echo', 1)).toBe(1);
    expect(errors).toEqual([]);
  });

  it('asks a caller with too many calls under way to wait', async () => {
    const { path } = await owner({ never });
    const client = await caller(path);
    for (let count = 0; count < 32; count += 1) {
      client.call('never').catch(() => {});
    }
    expect(await rejection(client.call('never'))).toMatchObject({
      disposition: 'wait',
      code: 'rate-limited',
    });
  });

  it('cuts off a caller that never reads', async () => {
    const { server, path } = await owner({ echo });
    const { socket, received } = await rawCaller(path);
    socket.pause();
    const other = await caller(path);
    await other.call('echo');
    const event = 'x'.repeat(4 * 1024 * 1024);
    for (let count = 0; count < 12; count += 1) {
      server.publish(event);
      await other.call('echo');
    }
    socket.resume();

    expect((await received).length).toBeLessThan(12 * event.length);
    expect(await other.call('echo', 1)).toBe(1);
  });

  it('lets calls under way end when it closes, takes no new ones, and leaves no file', async () => {
    const slow = held();
    const { server, path } = await owner({ slow: slow.operation, echo });
    const client = await caller(path);
    const call = client.call('slow');
    await client.call('echo');
    const closed = server.close(1_000, 'none');

    expect(await rejection(client.call('echo'))).toBeInstanceOf(NotBegunError);
    slow.end('done');
    expect(await call).toBe('done');
    await closed;
    expect(await client.closed).toBe('none');
    expect(existsSync(path)).toBe(false);
    expect(await rejection(caller(path))).toMatchObject({ disposition: 'retry', code: 'unreachable' });
  });

  it('begins none of the calls that were sent before the caller heard that it closes, and says so', async () => {
    const begun: unknown[] = [];
    const { server, path } = await owner({ echo: async (input) => begun.push(input) });
    const client = await caller(path);
    await client.call('echo', 'before');
    const closed = server.close(1_000, 'expected');
    const calls = ['one', 'two'].map(async (input) => rejection(client.call('echo', input)));
    expect(await Promise.all(calls)).toEqual([expect.any(NotBegunError), expect.any(NotBegunError)]);
    await closed;
    expect(await rejection(client.call('echo', 'after'))).toBeInstanceOf(NotBegunError);
    expect(begun).toEqual(['before']);
  });

  it('closes although a caller does not read its answers', async () => {
    const { server, path, clock } = await owner({ echo });
    const { socket } = await rawCaller(path);
    socket.pause();
    await (await caller(path)).call('echo');
    server.publish('x'.repeat(4 * 1024 * 1024));
    let ended = false;
    const closed = server.close(1_000, 'none').finally(() => {
      ended = true;
    });
    await clock.advance(1_000);
    expect([ended, existsSync(path), clock.pendingTimers]).toEqual([true, false, 0]);
    await closed;
  });

  it('waits no longer than a second for a call that does not end', async () => {
    const { server, path, clock } = await owner({ never, echo });
    const client = await caller(path);
    const call = rejection(client.call('never'));
    await client.call('echo');
    const closed = server.close(1_000, 'none');
    await clock.advance(1_000);

    await closed;
    expect(await call).toMatchObject({ disposition: 'uncertain' });
    expect(clock.pendingTimers).toBe(0);
  });
});
