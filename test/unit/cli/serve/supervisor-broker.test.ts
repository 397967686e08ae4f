// The broker that the Supervisor hands to an add-on.
import { describe, expect, it } from 'vitest';
import { withSupervisorBroker } from '../../../../src/cli/serve/supervisor-broker.ts';

const DATA = {
  host: 'core-mosquitto',
  port: 1_883,
  ssl: false,
  protocol: '3.1.1',
  username: 'addons',
  password: 'hush',
};
const WANTED = { name: 'Latchkey', mqtt: { homeAssistant: true } };

async function asked(block: object, answer: () => unknown, token: string | undefined = 'secret-token') {
  const lines: string[] = [];
  const tokens: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  const read = await withSupervisorBroker(
    { ...block },
    {
      environment: token === undefined ? {} : { SUPERVISOR_TOKEN: token },
      ask: async (sent) => {
        tokens.push(sent);
        return answer();
      },
      log: { info: say, warn: say },
    },
  );
  return { read, lines, tokens };
}

const given = (data: unknown) => () => ({ result: 'ok', data });

describe('the broker of an add-on', () => {
  it('comes from the Supervisor with its login, and neither is logged', async () => {
    const { read, lines, tokens } = await asked(WANTED, given(DATA));
    expect(read).toEqual({
      name: 'Latchkey',
      mqtt: {
        homeAssistant: true,
        url: 'mqtt://core-mosquitto:1883',
        username: 'addons',
        password: 'hush',
      },
    });
    expect(tokens).toEqual(['secret-token']);
    expect(lines.join()).not.toMatch(/hush|secret-token/);
  });

  it('is reached over TLS where the Supervisor says so', async () => {
    const { read } = await asked(WANTED, given({ ...DATA, ssl: true, username: '' }));
    expect(read).toMatchObject({ mqtt: { url: 'mqtts://core-mosquitto:1883' } });
    expect(JSON.stringify(read)).not.toContain('username');
  });

  it.each([
    ['no Supervisor', WANTED, undefined],
    ['a broker of its own', { mqtt: { homeAssistant: true, url: 'mqtt://other' } }, 'token'],
    ['no wish for Home Assistant', { mqtt: {} }, 'token'],
    ['no MQTT', {}, 'token'],
  ] as const)('is not requested with %s', async (_, block, token) => {
    const lines: string[] = [];
    const read = await withSupervisorBroker(block, {
      environment: { SUPERVISOR_TOKEN: token },
      ask: async () => {
        throw new Error('It was asked');
      },
      log: { info: (line) => lines.push(line), warn: (line) => lines.push(line) },
    });
    expect([read, lines]).toEqual([block, []]);
  });

  it.each([
    ['there is none', () => ({ result: 'error', message: 'Service not enabled' }), /no broker/],
    [
      'it does not answer',
      () => {
        throw new Error('connect ECONNREFUSED');
      },
      /MQTT is off/,
    ],
  ])('is left out when %s, with a line', async (_, answer, line) => {
    const { read, lines } = await asked(WANTED, answer);
    expect(read).toEqual(WANTED);
    expect(lines).toEqual([expect.stringMatching(line)]);
  });
});
