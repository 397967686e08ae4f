// The Supervisor's answer about its broker, over real HTTP.
import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { askSupervisor, withSupervisorBroker } from '../../../src/cli/serve/supervisor-broker.ts';
import { freePort } from '../../harness/free-port.ts';

const DATA = { host: 'core-mosquitto', port: 1_883, ssl: false, username: 'addons', password: 'hush' };
const WANTED = { mqtt: { homeAssistant: true } };

/** Answers only to the token that it gave, as the Supervisor does. */
async function supervisor(answer: object, status = 200): Promise<string> {
  const server = createServer(({ headers }, response) => {
    const isOurs = headers.authorization === 'Bearer our-token';
    response.writeHead(isOurs ? status : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isOurs ? answer : { result: 'error', message: 'Unauthorized' }));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${String(port)}/services/mqtt`;
}

async function asked(address: string, token = 'our-token') {
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  const read = await withSupervisorBroker(WANTED, {
    environment: { SUPERVISOR_TOKEN: token },
    ask: async (sent) => askSupervisor(sent, address),
    log: { info: say, warn: say },
  });
  return { read, lines };
}

it('an add-on gets the broker and its login for its token', async () => {
  const { read } = await asked(await supervisor({ result: 'ok', data: DATA }));
  expect(read).toEqual({
    mqtt: { homeAssistant: true, url: 'mqtt://core-mosquitto:1883', username: 'addons', password: 'hush' },
  });
});

it.each([
  ['has no broker', { result: 'error', message: 'Service not enabled' }, 400, 'our-token', /knows no broker/],
  ['does not know the token', { result: 'ok', data: DATA }, 200, 'another', /knows no broker/],
  ['says more than any answer', { result: 'ok', data: 'x'.repeat(100_000) }, 200, 'our-token', /too long/],
])(
  'an add-on leaves MQTT off, with a line, where the Supervisor %s',
  async (_, answer, status, token, words) => {
    const { read, lines } = await asked(await supervisor(answer, status), token);
    expect([read, lines]).toEqual([WANTED, [expect.stringMatching(words)]]);
  },
);
