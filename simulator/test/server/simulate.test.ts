// The command `latchkey simulate`: its output, a clean end, and plain messages when it cannot start.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { startSimulator } from '../../src/partner-server.ts';
import { replayLog, type SimulateOptions, simulate } from '../../src/simulate.ts';
import { call, Fixture } from './partner.ts';

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

/** Runs the command until it has printed its line (or failed), and stops it. */
async function run(options: SimulateOptions, isTty = false) {
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
    const { printed, errors } = await run({ seed: 'a' }, true);
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

  test('consent in the name of nobody is refused, with the users there are', async () => {
    const { status, errors } = await run({ autoApprove: 'nobody' });
    expect([status, errors]).toEqual([
      1,
      ['There is no user "nobody" who could give consent; there are: resident, guest-of-house'],
    ]);
  });
});

test('a port that is taken is named with the way out', async () => {
  const first = await startSimulator({});
  onTestFinished(async () => first.close());
  const { port } = new URL(first.url);
  const { status, errors } = await run({ port: Number(port) });
  expect([status, errors]).toEqual([
    1,
    [`Port ${port} is taken. Choose another one with --port, or leave it out for a free one.`],
  ]);
});

test('a replay tells by its status whether an answer differed, and names a log that is not there', async () => {
  const fixture = await Fixture.start({ seed: 'abc' });
  await call(`${fixture.simulator.baseUrl}/locks/devices`);
  const recording = await (await fetch(`${fixture.simulator.controlUrl}/log`)).text();
  await fixture.close();
  const log = join(temporaryFolder(), 'log.jsonl');
  const said: string[] = [];
  const terminal = {
    print: (line: string) => said.push(line),
    printError: (line: string) => said.push(line),
  };
  await writeFile(log, recording);
  expect(await replayLog(log, terminal)).toBe(0);
  await writeFile(log, recording.replace('subscription key is missing', 'subscription key is lost'));
  expect(await replayLog(log, terminal)).toBe(1);
  expect(await replayLog(`${log}-none`, terminal)).toBe(1);
  expect(said).toEqual([
    expect.stringContaining('"different":[]'),
    expect.stringContaining('subscription key is'),
    expect.stringContaining('There is no file'),
  ]);
});

describe('--scenario', () => {
  test('reads a file, and its names cannot write to the terminal', async () => {
    const file = join(temporaryFolder(), 'house.json');
    const user = { userId: 'u', friendlyName: 'Bell\u0007\nDoors page: x', email: 'u@home.example' };
    await writeFile(file, JSON.stringify({ users: [user], productSegment: 'gates' }));
    const { printed } = await run({ scenario: file }, true);
    expect(printed[0]).toMatch(/^ {2}Sign in as: +Bell Doors page: x$/mu);
    expect(printed[0]).toMatch(/^ {2}Product segment: +gates$/mu);
  });

  test('a file with a mistake is explained', async () => {
    const file = join(temporaryFolder(), 'house.json');
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
