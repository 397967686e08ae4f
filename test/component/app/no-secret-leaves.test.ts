// Every operation meets a service that echoes all secrets in every kind of refusal: no answer of ours holds one.
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { filesBesideDatabase, outputOf } from './outputs.ts';

const STATUSES = [400, 401, 403, 404, 409, 422, 429, 500, 503] as const;
const PIN = '258013';
const PHONE = '+1 555 0100 200';
const EMAIL = 'resident@home.example';

const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });

/** The secrets of the account by their names, as far as they exist yet. */
async function secretsOf(home: SimulatedHome): Promise<ReadonlyMap<string, string>> {
  const [client] = home.simulator.clients;
  const found = new Map([
    ['the client secret', client?.clientSecret ?? ''],
    ['the first subscription key', client?.subscriptionKeys[0] ?? ''],
    ['the second subscription key', client?.subscriptionKeys[1] ?? ''],
    ['an e-mail address', EMAIL],
    ['a PIN', PIN],
    ['a phone number', PHONE],
  ]);
  let number = 0;
  for (const { answer, body } of await home.requests('POST', '/token')) {
    number += 1;
    const issued = answer?.includes('access_token":') ? tokens.parse(JSON.parse(answer)) : undefined;
    if (issued !== undefined) {
      found.set(`access token ${number}`, issued.access_token);
      found.set(`refresh token ${number}`, issued.refresh_token);
    }
    const form = new URLSearchParams(body ?? '');
    for (const name of ['code', 'code_verifier']) {
      const value = form.get(name);
      if (value !== null) {
        found.set(`${name} ${number}`, value);
      }
    }
  }
  return found;
}

/** Calls everything that can be asked of the house. The address of `link.start` holds a state, which is no secret of ours. */
async function askEverything(home: SimulatedHome): Promise<readonly string[]> {
  const { operations } = home.app;
  const lock = home.idOf('Front door');
  const outputs: string[] = [];
  for (const [name, operation] of Object.entries(operations)) {
    if (!['link.start', 'unlink', 'step-back'].includes(name)) {
      const input = { lock, to: 'unsecured', limit: 10, deviceTime: false, redirectedUrl: EMAIL };
      outputs.push(await outputOf(home, operation(input)));
    }
  }
  return outputs;
}

describe('what comes out of an account whose service echoes its secrets', () => {
  let home: SimulatedHome;
  let outputs: string[];
  let secrets: ReadonlyMap<string, string>;

  beforeAll(async () => {
    home = await SimulatedHome.linked({
      lasting: true,
      simulator: { authorization: { accessTokenLifetimeMs: 60_000 } },
    });
    outputs = [];
    for (const status of STATUSES) {
      secrets = await secretsOf(home);
      // The newest ones: a recording keeps the first 8 kB of an answer.
      const newest = [...secrets].slice(0, 6).concat([...secrets].slice(-8));
      const echo = newest.map(([name, secret]) => `${name} ${secret}`).join('; ');
      const told = { Description: echo, message: echo, error_description: echo };
      await home.fail('**', { status, body: { errorCode: 1, error: 'server_error', ...told } });
      outputs.push(...(await askEverything(home)));
      // The token ends meanwhile, so that its renewal meets the same.
      await home.clock.advance(60_000);
      outputs.push(...(await askEverything(home)));
      const { authorizeUrl } = await home.app.operations['link.start']({});
      const redirectedUrl = await consent(authorizeUrl).catch(
        () => `${String(home.config.partner?.redirectUri)}?code=${PIN}`,
      );
      outputs.push(await outputOf(home, home.app.operations['link.finish']({ redirectedUrl })));
      await home.control('house/clear-faults');
      await home.clock.advance(120_000);
      await home.link();
      outputs.push(...(await askEverything(home)));
    }
    secrets = await secretsOf(home);
    return async () => home.close();
  });

  function hitsIn(text: string): readonly string[] {
    return [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
  }

  it('is searched for secrets that the test knows and the service said', async () => {
    expect(secrets.size).toBeGreaterThan(30);
    expect([...secrets.values()].filter((secret) => secret.length < 6)).toEqual([]);
    const refused = (await home.requests('GET', '/devices')).map(({ answer }) => answer ?? '').join('\n');
    expect(hitsIn(refused)).toEqual(
      expect.arrayContaining(['the client secret', 'a PIN', 'refresh token 1']),
    );
  });

  const leaksIn = (texts: readonly string[]) =>
    texts.flatMap((text) => hitsIn(text).map((name) => `${name} in ${text}`));

  it('has no secret in an answer or an error of any operation (faults#66, faults#68)', () => {
    expect(outputs.length).toBeGreaterThan(100);
    expect(leaksIn(outputs)).toEqual([]);
  });

  it('has no secret in a line of the log, at any level (faults#66)', () => {
    expect(home.lines.length).toBeGreaterThan(20);
    expect(leaksIn(home.lines)).toEqual([]);
  });

  it('has no secret in a file but the database (faults#66)', () => {
    const files = filesBesideDatabase(home);
    expect([files.length > 0, leaksIn(files)]).toEqual([true, []]);
  });
});
