// Faults on request, one kind after the other, over loopback HTTP.
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { settle } from '../../support/manual-clock.ts';
import { type Answer, COMMANDS, DEVICE, DEVICES, FAILED_COMMAND, FaultHarness } from './harness.ts';

const COMMAND_BODY = { name: 'ChangeLockState', data: { lockState: 'Locked' } };

const bodyOf = ({ text }: Answer): unknown => JSON.parse(text);

test('without a fault nothing is changed', async () => {
  const service = await FaultHarness.start();
  const answer = await service.call('GET', DEVICES);
  expect([answer.status, bodyOf(answer)]).toEqual([200, [DEVICE]]);
});

describe('status: wire contract 0, error bodies', () => {
  test.each([
    [400, { errorCode: 20, Description: 'Parameters provided are not valid' }],
    [401, { statusCode: 401, message: 'Access token is missing or not valid.' }],
    [403, { errorCode: 1, Description: 'General failure during the operation' }],
    [409, { errorCode: 36, Description: 'Cannot process multiple device commands simultaneously' }],
    [500, { errorCode: 1, Description: 'General failure during the operation' }],
    [502, { errorCode: 7, Description: 'Network error occurred while updating storage' }],
    [503, { errorCode: 1, Description: 'General failure during the operation' }],
    [504, { errorCode: 13, Description: 'Lost connection while waiting for a response' }],
  ])('%d on the device interface', async (status, body) => {
    const service = await FaultHarness.start({ kind: 'status', status, often: 'once' });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, bodyOf(answer)]).toEqual([status, body]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test.each([
    ['GET', '/credentials/SMC/credentials/mobile', 500, { error: 'The request could not be handled.' }],
    [
      'GET',
      '/credentials/SMC/credentials/mobile',
      401,
      { statusCode: 401, message: 'Access token is missing or not valid.' },
    ],
    ['POST', '/auth/OAuth2/token', 400, { error: 'invalid_request' }],
    ['POST', '/auth/OAuth2/token', 401, { error: 'invalid_grant' }],
    ['POST', '/auth/OAuth2/token', 503, { error: 'server_error' }],
  ])('%s %s answers %d in the form of its own interface', async (method, path, status, body) => {
    const service = await FaultHarness.start({ kind: 'status', status, often: 'once' });
    const answer = await service.call(method, path);
    expect([answer.status, bodyOf(answer)]).toEqual([status, body]);
  });

  test('a body of one’s own takes the place of the usual one', async () => {
    const body = { error: 'invalid_grant', hint: ['x', 1, null] };
    const service = await FaultHarness.start({ kind: 'status', status: 400, body, often: 'once' });
    expect(bodyOf(await service.call('POST', '/auth/OAuth2/token'))).toEqual(body);
  });
});

describe('status: wire contract 11, 503 was not processed unless the fault says "lost reply"', () => {
  test('before the work: neither the gateway nor the work saw the call', async () => {
    const service = await FaultHarness.start({ kind: 'status', status: 503, often: 'once' });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect([service.entered, service.worked]).toEqual([0, 0]);
  });

  test('after the work: it was done, and the caller hears that it was not', async () => {
    const service = await FaultHarness.start({
      kind: 'status',
      status: 503,
      when: 'after-work',
      often: 'once',
    });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, bodyOf(answer)]).toEqual([
      503,
      { errorCode: 1, Description: 'General failure during the operation' },
    ]);
    expect(service.worked).toBe(1);
  });
});

describe('status: wire contract 9, how a throttled caller learns how long to wait', () => {
  const said = async (
    how: 'retry-after' | 'x-retry-after' | 'reset-epoch' | 'reset-iso' | 'text' | 'nothing',
  ) => {
    const service = await FaultHarness.start({
      kind: 'status',
      status: 429,
      wait: { seconds: 37, said: how },
      often: 'once',
    });
    const { status, headers, text } = await service.call('GET', DEVICES);
    expect(status).toBe(429);
    expect(service.worked).toBe(0);
    return {
      'retry-after': headers.get('retry-after'),
      'x-retry-after': headers.get('x-retry-after'),
      reset: headers.get('x-rate-limit-reset'),
      body: JSON.parse(text) as unknown,
    };
  };
  const nowhere = { 'retry-after': null, 'x-retry-after': null, reset: null };
  const sentence = { error: 'Rate limit reached. Try again in 37 seconds.' };
  const bare = { error: 'Rate limit reached.' };

  test('Retry-After', async () => {
    expect(await said('retry-after')).toEqual({ ...nowhere, 'retry-after': '37', body: sentence });
  });
  test('x-retry-after, which is what a 429 says by default', async () => {
    expect(await said('x-retry-after')).toEqual({ ...nowhere, 'x-retry-after': '37', body: sentence });
    const service = await FaultHarness.start({ kind: 'status', status: 429, often: 'once' });
    expect((await service.call('GET', DEVICES)).headers.get('x-retry-after')).toBe('30');
  });
  test('x-rate-limit-reset in epoch seconds alone', async () => {
    expect(await said('reset-epoch')).toEqual({ ...nowhere, reset: '1776168037', body: bare });
  });
  test('x-rate-limit-reset in ISO 8601 alone', async () => {
    expect(await said('reset-iso')).toEqual({ ...nowhere, reset: '2026-04-14T12:00:37.000Z', body: bare });
  });
  test('the text alone', async () => {
    expect(await said('text')).toEqual({ ...nowhere, body: sentence });
  });
  test('nothing at all', async () => {
    expect(await said('nothing')).toEqual({ ...nowhere, body: bare });
  });
});

describe('cut', () => {
  test('before the work: the connection is reset and nothing was done', async () => {
    const service = await FaultHarness.start({ kind: 'cut', when: 'before-work', often: 'once' });
    const answer = service.outcome('POST', COMMANDS, COMMAND_BODY);
    expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(await answer);
    expect([service.entered, service.worked]).toEqual([0, 0]);
    expect(await service.outcome('POST', COMMANDS, COMMAND_BODY)).toBe(202);
  });

  test('after the work: the connection is reset and the work was done (lost reply)', async () => {
    const service = await FaultHarness.start({ kind: 'cut', when: 'after-work', often: 'once' });
    const answer = service.outcome('POST', COMMANDS, COMMAND_BODY);
    expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(await answer);
    expect(service.worked).toBe(1);
  });

  test('in the middle of the answer: the status arrives and half of what it announced', async () => {
    const service = await FaultHarness.start({ kind: 'cut', when: 'mid-answer', often: 'once' });
    const whole = JSON.stringify([DEVICE]);
    const received = await new Promise<{
      readonly status: number;
      readonly length: string;
      readonly text: string;
    }>((resolve, reject) => {
      get(`${service.url}${DEVICES}`, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('error', () => {
          resolve({
            status: response.statusCode ?? 0,
            length: response.headers['content-length'] ?? '',
            text,
          });
        });
        response.on('end', () => {
          reject(new Error('The answer came whole'));
        });
      }).on('error', reject);
    });
    expect(received).toEqual({
      status: 200,
      length: String(whole.length),
      text: whole.slice(0, Math.floor(whole.length / 2)),
    });
    expect(service.worked).toBe(1);
  });
});

describe('answers that are not the service’s', () => {
  test('html, as from a proxy, without the work', async () => {
    const service = await FaultHarness.start({ kind: 'html', often: 'once' });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
    expect(answer.text).toMatch(/^<!DOCTYPE html>/);
    expect(service.worked).toBe(0);
  });

  test("html with a page of one's own, or none", async () => {
    for (const page of ['<p>Sign in to the network</p>', '']) {
      const service = await FaultHarness.start({ kind: 'html', status: 400, page, often: 'once' });
      const answer = await service.call('GET', DEVICES);
      expect([answer.status, answer.text]).toEqual([400, page]);
    }
  });

  test('html with a good status, after the work', async () => {
    const service = await FaultHarness.start({
      kind: 'html',
      status: 200,
      when: 'after-work',
      often: 'once',
    });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(service.worked).toBe(1);
  });

  test('truncated JSON keeps the status, and its length agrees with what is sent', async () => {
    const service = await FaultHarness.start({ kind: 'truncated-json', often: 'once' });
    const answer = await service.call('GET', DEVICES);
    expect(answer.status).toBe(200);
    expect(JSON.stringify([DEVICE]).startsWith(answer.text)).toBe(true);
    expect(() => bodyOf(answer)).toThrow(SyntaxError);
    expect(answer.headers.get('content-length')).toBe(String(answer.text.length));
  });

  test.each([
    ['before-work', 0],
    ['after-work', 1],
  ] as const)('a huge body of exactly so many bytes (%s)', async (when, worked) => {
    const service = await FaultHarness.start({ kind: 'huge-body', bytes: 1_000_000, when, often: 'once' });
    const answer = await service.call('GET', DEVICES);
    expect([answer.status, answer.text.length]).toEqual([200, 1_000_000]);
    expect(bodyOf(answer)).toHaveProperty('filler');
    expect(service.worked).toBe(worked);
  });

  test('a compressed bomb is small on the wire and huge when unpacked', async () => {
    const service = await FaultHarness.start({
      kind: 'huge-body',
      bytes: 5_000_000,
      compressed: true,
      often: 'once',
    });
    const wireBytes = new Promise<number>((resolve) => {
      service.server.server.once('request', (_request, response) => {
        const { socket } = response;
        response.once('close', () => {
          resolve(socket?.bytesWritten ?? 0);
        });
      });
    });
    const answer = await service.call('GET', DEVICES);
    expect([answer.headers.get('content-encoding'), answer.text.length]).toEqual(['gzip', 5_000_000]);
    expect(await wireBytes).toBeLessThan(50_000);
  });

  test.each([301, 302, 303, 307, 308] as const)('a redirect with %d, without the work', async (status) => {
    const location = 'https://elsewhere.example/devices';
    const service = await FaultHarness.start({ kind: 'redirect', status, location, often: 'once' });
    const answer = await service.call('GET', DEVICES);
    expect([answer.status, answer.headers.get('location'), answer.text]).toEqual([status, location, '']);
    expect(service.worked).toBe(0);
  });
});

describe('latency', () => {
  test.each([
    ['before-work', 0],
    ['after-work', 1],
  ] as const)('%s: the answer comes so much later', async (when, workedMeanwhile) => {
    const service = await FaultHarness.start({ kind: 'latency', delayMs: 30_000, when, often: 'once' });
    let status = 0;
    const answer = service.call('GET', DEVICES).then((got) => {
      status = got.status;
      return got;
    });
    while (service.clock.pendingTimers === 0) {
      await settle();
    }
    await service.clock.advance(29_999);
    expect([status, service.worked]).toEqual([0, workedMeanwhile]);
    await service.clock.advance(1);
    expect(bodyOf(await answer)).toEqual([DEVICE]);
    expect(service.worked).toBe(1);
  });
});

test('a service that closes answers at once what a latency was holding up, and leaves no timer', async () => {
  const service = await FaultHarness.start({ kind: 'latency', delayMs: 30_000, often: 'once' });
  const answer = service.outcome('GET', DEVICES);
  while (service.clock.pendingTimers === 0) {
    await settle();
  }
  const closed = service.server.close();
  expect(await answer).toBe(200);
  await closed;
  expect(service.clock.pendingTimers).toBe(0);
});

describe('old forms: specification, Device and Command', () => {
  test('an integer lockState, in lists and commands', async () => {
    const service = await FaultHarness.start({
      kind: 'old-forms',
      forms: ['integer-lock-state'],
      often: 'always',
    });
    expect(bodyOf(await service.call('GET', DEVICES))).toEqual([{ ...DEVICE, lockState: 1 }]);
    expect(bodyOf(await service.call('GET', `${COMMANDS}/77aa`))).toEqual({
      ...FAILED_COMMAND,
      data: { ...FAILED_COMMAND.data, lockState: 0 },
    });
  });

  test('errorMesage, with integers as strings in error objects and nowhere else', async () => {
    const service = await FaultHarness.start({
      kind: 'old-forms',
      forms: ['misspelt-error-message', 'integers-as-strings'],
      often: 'always',
    });
    const error = { statusCode: '409', errorCode: '32', errorMesage: 'Bolt is jammed' };
    expect(bodyOf(await service.call('GET', `${COMMANDS}/77aa`))).toEqual({
      ...FAILED_COMMAND,
      data: { lockState: 'Unknown', error },
    });
    expect(bodyOf(await service.call('GET', DEVICES))).toEqual([DEVICE]);
  });
});

describe('clock skew', () => {
  test('moves the Date header and every instant of the answer', async () => {
    const service = await FaultHarness.start({ kind: 'clock-skew', offsetMs: -3_600_000, often: 'always' });
    const answer = await service.call('GET', DEVICES);
    expect(answer.headers.get('date')).toBe('Tue, 14 Apr 2026 11:00:00 GMT');
    expect(bodyOf(answer)).toEqual([{ ...DEVICE, lastUpdated: '2026-04-14T11:00:03.120Z' }]);
  });

  test('keeps the offset of a local time', async () => {
    const service = await FaultHarness.start({ kind: 'clock-skew', offsetMs: 86_400_000, often: 'always' });
    expect(bodyOf(await service.call('GET', '/api/locks/devices/6c1d/history'))).toEqual([
      { timestamp: '2026-04-15T08:15:30.250-04:00' },
    ]);
  });

  test('moves the time at which a rate limit resets', async () => {
    const service = await FaultHarness.start({ kind: 'clock-skew', offsetMs: 60_000, often: 'always' });
    const answer = await service.call('GET', '/credentials/SMC/credentials/mobile');
    expect(answer.headers.get('x-rate-limit-reset')).toBe('1776168120');
  });

  test('is reported by errors too', async () => {
    const service = await FaultHarness.start(
      { kind: 'clock-skew', offsetMs: 1000, often: 'always' },
      { kind: 'status', status: 500, often: 'once' },
    );
    const answer = await service.call('GET', DEVICES);
    expect([answer.status, answer.headers.get('date')]).toEqual([500, 'Tue, 14 Apr 2026 12:00:01 GMT']);
  });
});

describe('date-header', () => {
  test('moves the Date header and no instant of the answer', async () => {
    const service = await FaultHarness.start({ kind: 'date-header', offsetMs: 50_000, often: 'always' });
    const answer = await service.call('GET', DEVICES);
    expect([answer.headers.get('date'), bodyOf(answer)]).toEqual(['Tue, 14 Apr 2026 12:00:50 GMT', [DEVICE]]);
  });

  test('takes the Date header out', async () => {
    const service = await FaultHarness.start({ kind: 'date-header', offsetMs: null, often: 'always' });
    expect((await service.call('GET', DEVICES)).headers.has('date')).toBe(false);
  });
});

describe('close-idle', () => {
  /** Calls over one agent; answers the status and the connection used. */
  const callOver = (
    agent: Agent,
    url: string,
  ): Promise<{ readonly status: number; readonly socket: Socket }> =>
    new Promise((resolve, reject) => {
      get(url, { agent }, (response) => {
        const { socket } = response;
        response.resume().on('end', () => {
          resolve({ status: response.statusCode ?? 0, socket });
        });
      }).on('error', reject);
    });

  test('closes the connection at some moment within the time, while it is idle', async () => {
    const service = await FaultHarness.start({ kind: 'close-idle', withinMs: 5000, often: 'once' });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const { socket } = await callOver(agent, `${service.url}${DEVICES}`);
    while (service.clock.pendingTimers === 0) {
      await settle();
    }
    expect(socket.destroyed).toBe(false);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
    await service.clock.advance(5000);
    await closed;
    expect((await callOver(agent, `${service.url}${DEVICES}`)).status).toBe(200);
    agent.destroy();
  });

  test('leaves a connection alone that is in use by then', async () => {
    const service = await FaultHarness.start(
      { kind: 'close-idle', withinMs: 1, often: 'once' },
      { kind: 'latency', delayMs: 60_000, path: `${DEVICES}/*`, often: 'once' },
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await callOver(agent, `${service.url}${DEVICES}`);
    const second = callOver(agent, `${service.url}${DEVICES}/6c1d`);
    while (service.clock.pendingTimers < 2) {
      await settle();
    }
    await service.clock.advance(60_000);
    expect((await second).socket).toBe(first.socket);
    agent.destroy();
  });

  test('a caller that goes away first leaves no timer behind', async () => {
    const service = await FaultHarness.start({ kind: 'close-idle', withinMs: 5000, often: 'once' });
    const agent = new Agent({ keepAlive: true });
    await callOver(agent, `${service.url}${DEVICES}`);
    while (service.clock.pendingTimers === 0) {
      await settle();
    }
    agent.destroy();
    while (service.clock.pendingTimers > 0) {
      await settle();
    }
    expect(service.clock.pendingTimers).toBe(0);
  });
});
