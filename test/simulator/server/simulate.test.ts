// The command `latchkey simulate`: its output, a clean end, and plain messages when it cannot start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator } from '../../../src/simulator/partner-server.ts';
import { type SimulateOptions, simulate } from '../../../src/simulator/simulate.ts';
import { call } from './partner.ts';

const introductionSchema = z.strictObject({
  url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/u),
  authUrl: z.url(),
  baseUrl: z.url(),
  credentialsBaseUrl: z.url(),
  controlUrl: z.url(),
  productSegment: z.literal('locks'),
  clients: z
    .array(
      z.looseObject({
        clientId: z.string(),
        clientSecret: z.string(),
        redirectUris: z.array(z.url()).min(1),
        subscriptionKeys: z.tuple([z.string(), z.string()]),
      }),
    )
    .length(2),
  users: z.array(z.looseObject({ userId: z.string() })).length(2),
  credentialingUsers: z.array(z.looseObject({ username: z.string(), password: z.string() })).min(1),
  calendars: z.tuple([
    z.strictObject({
      name: z.literal('Rental portal'),
      form: z.literal('reserved'),
      url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+\/calendars\/[\w-]{22}\.ics$/u),
    }),
  ]),
  publicKeyPem: z.string().startsWith('-----BEGIN PUBLIC KEY-----\n'),
});

/** Runs the command until it has printed its line (or failed), lets `look` see it, and stops it. */
async function run(
  options: SimulateOptions,
  look: (line: string) => Promise<void> = async () => undefined,
  isTty = false,
) {
  const printed: string[] = [];
  const errors: string[] = [];
  const stop = Promise.withResolvers<undefined>();
  const line = Promise.withResolvers<string>();
  const ended = simulate(options, {
    print: (text) => {
      printed.push(text);
      line.resolve(text);
    },
    printError: (text) => errors.push(text),
    isTty,
    stopped: stop.promise,
    inputEnded: async () => stop.promise,
  });
  await Promise.race([line.promise, ended]);
  if (printed[0] !== undefined) {
    await look(printed[0]);
  }
  stop.resolve(undefined);
  return { status: await ended, printed, errors };
}

describe('latchkey simulate', () => {
  test('prints one JSON line with everything a partner needs, and ends with status 0', async () => {
    const { status, printed, errors } = await run({});
    expect([status, printed.length, errors]).toEqual([0, 1, []]);
    const introduction = introductionSchema.parse(JSON.parse(printed[0] ?? ''));
    await expect(call(introduction.url)).rejects.toThrow(/ECONNREFUSED/u);
  });

  test('at a terminal every value to open or enter is on a line of its own, under the label of the settings', async () => {
    const json = await run({ seed: 'a' });
    const { printed, errors } = await run({ seed: 'a' }, undefined, true);
    expect(errors).toEqual([]);
    const values = new Map(
      [...(printed[0] ?? '').matchAll(/^ {2}(\S[^:]*): +(.+)$/gmu)].map(([, label = '', value = '']) => [
        label,
        value,
      ]),
    );
    const { clients, credentialingUsers, calendars } = introductionSchema.parse(
      JSON.parse(json.printed[0] ?? ''),
    );
    const url = z.url().parse(values.get('Doors page'));
    expect(Object.fromEntries(values)).toEqual({
      'Doors page': url,
      'Authorization server': `${url}/auth`,
      'Device interface (API)': `${url}/api`,
      'Allow http on this computer': 'on',
      'Redirect URI': clients[0]?.redirectUris[0],
      'Client ID': clients[0]?.clientId,
      'Client secret': clients[0]?.clientSecret,
      'Subscription key': clients[0]?.subscriptionKeys[0],
      'Second subscription key': clients[0]?.subscriptionKeys[1],
      'Sign in as': 'Resident or Guest of the house',
      'Credentialing interface': `${url}/credentials`,
      'Credentialing user name': credentialingUsers[0]?.username,
      'Credentialing password': credentialingUsers[0]?.password,
      'Control API': `${url}/_control`,
      // Each simulator has a port of its own.
      'Rental portal': `${url}${new URL(calendars[0]?.url ?? url).pathname}`,
    });
    expect(printed[0]).not.toContain('{');
    expect(printed[0]?.split('\n').every((line) => line.length <= 100)).toBe(true);
  });

  test('--json prints the one line at a terminal, too', async () => {
    const { printed } = await run({ json: true }, undefined, true);
    expect(introductionSchema.safeParse(JSON.parse(printed[0] ?? '')).success).toBe(true);
  });

  test('a name of a scenario cannot write to the terminal', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scenario-'));
    const file = join(folder, 'house.json');
    const user = { userId: 'u', friendlyName: 'Bell\u0007\nDoors page: x', email: 'u@home.example' };
    await writeFile(file, JSON.stringify({ users: [user], productSegment: 'gates' }));
    const { printed } = await run({ scenario: file }, undefined, true);
    await rm(folder, { recursive: true });
    expect(printed[0]).toMatch(/^ {2}Sign in as: +Bell Doors page: x$/mu);
    expect(printed[0]).toMatch(/^ {2}Product segment: +gates$/mu);
  });

  test('the same seed gives the same clients', async () => {
    const clientsOf = (printed: readonly string[]) =>
      introductionSchema.parse(JSON.parse(printed[0] ?? '')).clients;
    const [first, second, other] = [
      await run({ seed: 'a' }),
      await run({ seed: 'a' }),
      await run({ seed: 'b' }),
    ];
    expect(clientsOf(second.printed)).toEqual(clientsOf(first.printed));
    expect(clientsOf(other.printed)).not.toEqual(clientsOf(first.printed));
  });

  test('a taken port is named, with what to do', async () => {
    const other = await startSimulator();
    try {
      const port = Number(new URL(other.url).port);
      expect(await run({ port })).toEqual({
        status: 1,
        printed: [],
        errors: [
          `Port ${String(port)} is taken. Choose another one with --port, or leave it out for a free one.`,
        ],
      });
    } finally {
      await other.close();
    }
  });

  test('consent can be given without a page', async () => {
    await run({ autoApprove: 'resident' }, async (line) => {
      const { authUrl, clients } = introductionSchema.parse(JSON.parse(line));
      const query = new URLSearchParams({
        client_id: clients[0]?.clientId ?? '',
        redirect_uri: clients[0]?.redirectUris[0] ?? '',
        response_type: 'code',
        scope: 'email openid',
      });
      expect((await call(`${authUrl}/OAuth2/authorize?${query.toString()}`)).status).toBe(302);
    });
  });

  test('consent in the name of nobody is refused, with the users there are', async () => {
    const { status, errors } = await run({ autoApprove: 'nobody' });
    expect([status, errors]).toEqual([
      1,
      ['There is no user "nobody" who could give consent; there are: resident, guest-of-house'],
    ]);
  });

  test('SIGTERM ends the process cleanly, with a stream still open', async () => {
    const entry = new URL('../../../src/simulator/simulate.ts', import.meta.url).href;
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', `process.exitCode = await (await import('${entry}')).simulate({})`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = z.tuple([z.string()]).parse(await once(createInterface(child.stdout), 'line'));
    const { controlUrl } = introductionSchema.parse(JSON.parse(line));
    const stream = fetch(`${controlUrl}/stream`);
    expect((await stream).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('--scenario', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scenario-'));
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  test('reads a file', async () => {
    const file = join(folder, 'house.json');
    await writeFile(file, JSON.stringify({ clients: [{ clientId: 'mine' }, { clientId: 'yours' }] }));
    const { printed } = await run({ scenario: file });
    expect(printed[0]).toContain('"clientId":"mine"');
  });

  test('takes the name of an example', async () => {
    expect((await run({ scenario: 'weak-wifi' })).status).toBe(0);
  });

  test('a file with a mistake is explained', async () => {
    const file = join(folder, 'house.json');
    await writeFile(file, '{"locks":[{"name":"Shed"}]}');
    const { status, errors } = await run({ scenario: file });
    expect(status).toBe(1);
    expect(errors[0]).toContain('locks[0].type: ');
  });

  test('a file that is not there is named beside the examples', async () => {
    const { status, errors } = await run({ scenario: 'nowhere.json' });
    expect(status).toBe(1);
    expect(errors).toEqual([
      'There is no file "nowhere.json". Scenarios that come along: demo, jam-on-second-command, unlinked-overnight, weak-wifi.',
    ]);
  });
});
