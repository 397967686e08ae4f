// The program `latchkey simulate` as people run it: a process, one line of JSON, a service, a signal.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/support/clock.ts';
import { begin, type Ran } from '../../test/component/cli/terminal.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { call } from './server/partner.ts';

const PROGRAM = fileURLToPath(new URL('../../src/start/cli.ts', import.meta.url));

const introductionSchema = z.looseObject({
  url: z.url(),
  baseUrl: z.url(),
  controlUrl: z.url(),
  clients: z.array(z.looseObject({ clientId: z.string(), subscriptionKeys: z.array(z.string()) })),
});

let running: ChildProcessWithoutNullStreams | undefined;

function latchkey(...words: string[]): ChildProcessWithoutNullStreams {
  running = spawn(process.execPath, [PROGRAM, ...words]);
  return running;
}

afterEach(() => {
  running?.kill('SIGKILL');
  running = undefined;
});

async function firstLineOf(program: ChildProcessWithoutNullStreams): Promise<string> {
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(program.stdout), 'line'));
  return line;
}

async function introductionOf(program: ChildProcessWithoutNullStreams) {
  return introductionSchema.parse(JSON.parse(await firstLineOf(program)));
}

/** Runs it to its end. */
async function ended(...words: string[]): Promise<Ran> {
  const program = latchkey(...words);
  const [out, err, exit] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'exit'),
  ]);
  return { status: z.number().parse(exit[0]), out, err };
}

/** The same in this process, which is enough for what begins nothing. */
async function endedAtOnce(...words: string[]): Promise<Ran> {
  return begin({ folder: tmpdir() }, words, systemClock).ended;
}

/** The same at a terminal, where the output is one. */
function latchkeyAtTerminal(...words: string[]): ChildProcessWithoutNullStreams {
  const AT_A_TERMINAL = 'data:text/javascript,process.stdout.isTTY = true';
  running = spawn(process.execPath, ['--import', AT_A_TERMINAL, PROGRAM, ...words]);
  return running;
}

describe('latchkey simulate', () => {
  test('prints its one line, ends by SIGTERM with status 0 and no further output, a stream still open, and replays what it recorded', async () => {
    const program = latchkey('simulate', '--seed', 'abc');
    const errors = text(program.stderr);
    const { controlUrl, baseUrl, clients } = await introductionOf(program);
    expect((await fetch(`${controlUrl}/stream`)).status).toBe(200);
    const key = clients[0]?.subscriptionKeys[0] ?? '';
    const withoutToken = await call(`${baseUrl}/locks/devices`, {
      headers: { 'vendor-subscription-key': key },
    });
    expect([withoutToken.status, withoutToken.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    const log = join(temporaryFolder(), 'log.jsonl');
    writeFileSync(log, await (await fetch(`${controlUrl}/log`)).text());
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
    expect(await errors).toBe('');
    await expect(call(`${controlUrl}/state`)).rejects.toThrow(/ECONNREFUSED/u);
    const replayed = await ended('simulate', '--replay', log);
    expect([replayed.status, replayed.err]).toEqual([0, '']);
    expect(JSON.parse(replayed.out)).toMatchObject({ replayed: 1, skipped: 0, different: [] });
  });

  test('has words for a person at a terminal, and ends by SIGINT, but not with its input', async () => {
    const program = latchkeyAtTerminal('simulate');
    expect(await firstLineOf(program)).toMatch(/^The simulator is running/u);
    program.stdin.end();
    expect(program.exitCode).toBeNull();
    program.kill('SIGINT');
    expect(await once(program, 'exit')).toEqual([0, null]);
  });

  test('takes a scenario, a user who consents, JSON at a terminal, and the end of its input as its own, for example when the program that started it is gone', async () => {
    const scenario = ['--scenario', 'weak-wifi', '--auto-approve', 'resident'];
    const program = latchkeyAtTerminal('simulate', ...scenario, '--json', '--until-input-ends');
    const { controlUrl } = await introductionOf(program);
    const state = z
      .looseObject({ locks: z.array(z.looseObject({ name: z.string() })), authorization: z.unknown() })
      .parse((await call(`${controlUrl}/state`)).json);
    expect(state.locks.map(({ name }) => name)).toEqual(['Garden gate']);
    expect(state.authorization).toMatchObject({ autoApproveUserId: 'resident' });
    program.stdin.end();
    expect(await once(program, 'exit')).toEqual([0, null]);
    await expect(call(`${controlUrl}/state`)).rejects.toThrow(/ECONNREFUSED/u);
  });

  test.each([
    [['simulate', '--port', 'x'], 'A port is a number from 0 to 65535'],
    [['simulate', '--port', '65536'], 'A port is a number from 0 to 65535'],
    [['simulate', '--colour', 'red'], "unknown option '--colour'"],
    [['simulate', 'twice'], 'too many arguments'],
    [['emulate'], "unknown command 'emulate'"],
    [[], 'Usage: latchkey'],
  ])('refuses %j: status 2, a message on the error stream, nothing begun', async (words, said) => {
    const { status, out, err } = await endedAtOnce(...words);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(said);
  });

  test('does not treat help as a mistake', async () => {
    const { status, out, err } = await endedAtOnce('simulate', '--help');
    expect([status, err]).toEqual([0, '']);
    expect(out).toContain('--scenario <file>');
  });
});
