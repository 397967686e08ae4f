// Faults on request, one kind after the other, over loopback HTTP.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { settle } from '../../../test/support/manual-clock.ts';
import { type Answer, COMMANDS, DEVICE, DEVICES, FAILED_COMMAND, FaultHarness } from './harness.ts';

const COMMAND_BODY = { name: 'ChangeLockState', data: { lockState: 'Locked' } };

const bodyOf = ({ text }: Answer): unknown => JSON.parse(text);

/** Until so many timers of the service run. */
async function timersOf({ clock }: FaultHarness, count = 1): Promise<void> {
  while (clock.pendingTimers < count) {
    await settle();
  }
}

test('without a fault nothing is changed', async () => {
  const service = await FaultHarness.start();
  const answer = await service.call('GET', DEVICES);
  expect([answer.status, bodyOf(answer)]).toEqual([200, [DEVICE]]);
});

describe('status: wire contract 0, error bodies', () => {
  const gateway = { statusCode: 401, message: 'Access token is missing or not valid.' };
  const general = { errorCode: 1, Description: 'General failure during the operation' };
  const LIST = '/credentials/SMC/credentials/mobile';
  const TOKEN = '/auth/OAuth2/token';

  test.each([
    ['POST', COMMANDS, 400, { errorCode: 20, Description: 'Parameters provided are not valid' }],
    ['POST', COMMANDS, 401, gateway],
    ['POST', COMMANDS, 403, general],
    [
      'POST',
      COMMANDS,
      409,
      { errorCode: 36, Description: 'Cannot process multiple device commands simultaneously' },
    ],
    ['POST', COMMANDS, 500, general],
    ['POST', COMMANDS, 502, { errorCode: 7, Description: 'Network error occurred while updating storage' }],
    ['POST', COMMANDS, 503, general],
    ['POST', COMMANDS, 504, { errorCode: 13, Description: 'Lost connection while waiting for a response' }],
    ['GET', LIST, 500, { error: 'The request could not be handled.' }],
    ['GET', LIST, 401, gateway],
    ['POST', TOKEN, 400, { error: 'invalid_request' }],
    ['POST', TOKEN, 401, { error: 'invalid_grant' }],
    ['POST', TOKEN, 503, { error: 'server_error' }],
  ])('%s %s answers %d in the form of its own interface', async (method, path, status, body) => {
    const service = await FaultHarness.start({ kind: 'status', status, often: 'once' });
    const answer = await service.call(method, path);
    expect([answer.status, bodyOf(answer)]).toEqual([status, body]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('a body of one’s own takes the place of the usual one', async () => {
    const body = { error: 'invalid_grant', hint: ['x', 1, null] };
    const service = await FaultHarness.start({ kind: 'status', status: 400, body, often: 'once' });
    expect(bodyOf(await service.call('POST', '/auth/OAuth2/token'))).toEqual(body);
  });
});

describe('status: wire contract 11, 503 was not processed unless the fault says "lost reply"', () => {
  test.each([
    ['before-work', [0, 0]],
    ['after-work', [1, 1]],
  ] as const)('%s: gateway and work saw the call so often: %j', async (when, seen) => {
    const service = await FaultHarness.start({ kind: 'status', status: 503, when, often: 'once' });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(bodyOf(answer)).toMatchObject({ errorCode: 1 });
    expect([service.entered, service.worked]).toEqual(seen);
  });
});

describe('status: wire contract 9, how a throttled caller learns how long to wait', () => {
  const sentence = { error: 'Rate limit reached. Try again in 37 seconds.' };
  const bare = { error: 'Rate limit reached.' };

  test.each([
    ['retry-after', { 'retry-after': '37' }, sentence],
    ['x-retry-after', { 'x-retry-after': '37' }, sentence],
    ['reset-epoch', { 'x-rate-limit-reset': '1776168037' }, bare],
    ['reset-iso', { 'x-rate-limit-reset': '2026-04-14T12:00:37.000Z' }, bare],
    ['text', {}, sentence],
    ['nothing', {}, bare],
  ] as const)('%s says it in %o and %o alone', async (said, expected, body) => {
    const wait = { seconds: 37, said };
    const service = await FaultHarness.start({ kind: 'status', status: 429, wait, often: 'once' });
    const answer = await service.call('GET', DEVICES);
    const names = ['retry-after', 'x-retry-after', 'x-rate-limit-reset'];
    const shown = names.filter((name) => answer.headers.has(name));
    expect(Object.fromEntries(shown.map((name) => [name, answer.headers.get(name)]))).toEqual(expected);
    expect([answer.status, bodyOf(answer), service.worked]).toEqual([429, body, 0]);
  });

  test('x-retry-after is what a 429 says by default', async () => {
    const service = await FaultHarness.start({ kind: 'status', status: 429, often: 'once' });
    expect((await service.call('GET', DEVICES)).headers.get('x-retry-after')).toBe('30');
  });
});

describe('cut', () => {
  test.each([
    ['before-work', [0, 0]],
    ['after-work', [1, 1]],
  ] as const)('%s: the connection is reset, and the work was seen so often: %j', async (when, seen) => {
    const service = await FaultHarness.start({ kind: 'cut', when, often: 'once' });
    const answer = service.outcome('POST', COMMANDS, COMMAND_BODY);
    expect(['ECONNRESET', 'UND_ERR_SOCKET']).toContain(await answer);
    expect([service.entered, service.worked]).toEqual(seen);
    expect(await service.outcome('POST', COMMANDS, COMMAND_BODY)).toBe(202);
  });

  test('in the middle of the answer: the status arrives and half of what it announced', async () => {
    const service = await FaultHarness.start({ kind: 'cut', when: 'mid-answer', often: 'once' });
    const whole = JSON.stringify([DEVICE]);
    const received = await new Promise<unknown>((resolve, reject) => {
      get(`${service.url}${DEVICES}`, (response) => {
        const { statusCode: status, headers } = response;
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('error', () => {
          resolve({ status, length: headers['content-length'], text });
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
  test.each([
    [{}, 502, /^<!DOCTYPE html>/u, 0],
    [{ status: 400, page: '<p>Sign in to the network</p>' }, 400, /^<p>Sign in to the network<\/p>$/u, 0],
    [{ status: 400, page: '' }, 400, /^$/u, 0],
    [{ status: 200, when: 'after-work' }, 200, /^<!DOCTYPE html>/u, 1],
  ] as const)('html as from a proxy, with %o', async (details, status, page, worked) => {
    const service = await FaultHarness.start({ kind: 'html', ...details, often: 'once' });
    const answer = await service.call('POST', COMMANDS, COMMAND_BODY);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.text).toMatch(page);
    expect(service.worked).toBe(worked);
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
    await timersOf(service);
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
  await timersOf(service);
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
    await timersOf(service);
    expect(socket.destroyed).toBe(false);
    const closed = once(socket, 'close');
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
    await timersOf(service, 2);
    await service.clock.advance(60_000);
    expect((await second).socket).toBe(first.socket);
    agent.destroy();
  });

  test('a caller that goes away first leaves no timer behind', async () => {
    const service = await FaultHarness.start({ kind: 'close-idle', withinMs: 5000, often: 'once' });
    const agent = new Agent({ keepAlive: true });
    await callOver(agent, `${service.url}${DEVICES}`);
    await timersOf(service);
    agent.destroy();
    await expect.poll(() => service.clock.pendingTimers).toBe(0);
  });
});
