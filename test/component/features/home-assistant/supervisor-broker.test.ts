// The broker that the Supervisor hands to an add-on, over real HTTP.
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { withSupervisorBroker } from '../../../../src/features/home-assistant/commands/supervisor-broker.ts';
import { freePort } from '../../../harness/free-port.ts';
import { keptLog } from '../../../support/kept-log.ts';

const DATA = { host: 'core-mosquitto', port: 1_883, ssl: false, username: 'addons', password: 'hush' };
const GIVEN = { result: 'ok', data: DATA };
const WANTED = { name: 'Latchkey', mqtt: { homeAssistant: true } };

/** What a block becomes, the lines of the log, and the number of requests; the Supervisor answers only to our token. */
async function asked(answer: object, token: string | undefined = 'our-token', block: object = WANTED) {
  let requests = 0;
  const server = createServer(({ headers }, response) => {
    requests += 1;
    const isOurs = headers.authorization === 'Bearer our-token';
    response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isOurs ? answer : { result: 'error', message: 'Unauthorized' }));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return { ...(await askedAt(port, token, block)), requests };
}

async function askedAt(port: number, token: string | undefined, block: object = WANTED) {
  const lines: string[] = [];
  const read = await withSupervisorBroker(
    { ...block },
    token === undefined ? {} : { SUPERVISOR_TOKEN: token },
    keptLog(lines),
    `http://127.0.0.1:${String(port)}/services/mqtt`,
  );
  return { read, lines };
}

it('an add-on gets the broker and its login for its token, and neither is logged', async () => {
  const { read, lines } = await asked(GIVEN);
  const login = { username: 'addons', password: 'hush' };
  expect(read).toEqual({
    name: 'Latchkey',
    mqtt: { homeAssistant: true, url: 'mqtt://core-mosquitto:1883', ...login },
  });
  expect(lines.join()).not.toMatch(/hush|our-token/);
});

it('an add-on reaches the broker over TLS, and without a login, where the Supervisor says so', async () => {
  const { read } = await asked({ ...GIVEN, data: { ...DATA, ssl: true, username: '' } });
  expect(read['mqtt']).toEqual({ homeAssistant: true, url: 'mqtts://core-mosquitto:1883' });
});

it.each([
  ['has a broker of its own', { mqtt: { homeAssistant: true, url: 'mqtt://other' } }],
  ['does not want Home Assistant', { mqtt: {} }],
  ['has no MQTT', {}],
])('a block that %s is left as it is, and nobody is asked', async (_, block) => {
  expect(await asked(GIVEN, 'our-token', block)).toEqual({ read: block, lines: [], requests: 0 });
});

it.each([
  ['has no broker', { result: 'error', message: 'Service not enabled' }, 'our-token', /knows no broker/],
  ['does not know the token', GIVEN, 'another', /knows no broker/],
  ['says more than any answer', { result: 'ok', data: 'x'.repeat(100_000) }, 'our-token', /too long/],
])('an add-on leaves MQTT off, with a line, where the Supervisor %s', async (_, answer, token, words) => {
  const { read, lines } = await asked(answer, token);
  expect([read, lines]).toEqual([WANTED, [expect.stringMatching(words)]]);
});

it('an add-on leaves MQTT off where the Supervisor does not answer, and without a word where there is none', async () => {
  const port = await freePort();
  expect(await askedAt(port, 'our-token')).toEqual({
    read: WANTED,
    lines: [expect.stringMatching(/MQTT is off/)],
  });
  expect(await askedAt(port, undefined)).toEqual({ read: WANTED, lines: [] });
});
