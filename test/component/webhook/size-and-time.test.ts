// How large, how deep and how slow a request to the listener may be, over real connections.
import { describe, expect, it } from 'vitest';
import { bodyOf, openListener, PATH, post, pssOf } from './fixture.ts';
import { exchangeRaw, Sender } from './sender.ts';

describe('size and time', () => {
  it('takes 64 kB and refuses one byte more, announced or not (faults#50)', async () => {
    const { url, received } = await openListener();
    const filled = (length: number): Buffer => {
      const empty = bodyOf({ filler: '' }).length;
      return bodyOf({ filler: 'x'.repeat(length - empty) });
    };
    expect(await post(url, filled(65_536))).toMatchObject({ status: 204 });
    const larger = filled(65_537);
    const announced = await post(url, larger);
    expect([announced.status, await announced.text()]).toEqual([413, 'too-large']);

    const streamed = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-signature': pssOf(larger) },
      body: ReadableStream.from([larger.subarray(0, 40_000), larger.subarray(40_000)]),
      duplex: 'half',
    });
    expect(streamed.status).toBe(413);
    expect(received).toHaveLength(1);
  });

  it('cuts off a body of a gigabyte after the first 64 kB of it, in under 20 MB (faults#50)', async () => {
    const { listener } = await openListener();
    const before = process.memoryUsage().rss;
    const { socket, closed } = await Sender.to(listener.address);
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    let sent = 0;
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    const signature = pssOf(bodyOf());
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nwebhook-signature: ${signature}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const pump = (): void => {
      while (sent < 1_073_741_824 && !socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(20 * 1_048_576);
    expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1_048_576);
  });

  it('refuses 33 levels and takes 32, brackets in texts not counted (faults#50)', async () => {
    const { url } = await openListener();
    const nested = (levels: number): Buffer =>
      Buffer.from(
        `{"eventId":"e-${String(levels)}","text":"\\"[[[{{{","deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
      );
    expect(await post(url, nested(32))).toMatchObject({ status: 204 });
    expect(await post(url, nested(33))).toMatchObject({ status: 400 });
    expect(await post(url, nested(30_000))).toMatchObject({ status: 400 });
  });

  it.each([
    ['its head', `POST ${PATH} HTTP/1.1\r\nhost:`],
    [
      'its body',
      `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nwebhook-signature: ${pssOf(bodyOf())}\r\ncontent-length: 300\r\n\r\n{`,
    ],
    ['anything at all', ''],
  ])('cuts off a sender who never ends %s (faults#50)', async (_, start) => {
    const { listener } = await openListener({ slowestRequestMs: 200 });
    const answer = await exchangeRaw(listener.address, start);
    expect(answer === '' || answer.startsWith('HTTP/1.1 408 ')).toBe(true);
    expect(listener.counts()['too-slow']).toBe(1);
  });
});
