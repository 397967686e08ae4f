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

async function introductionOf(program: ChildProcessWithoutNullStreams) {
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(program.stdout), 'line'));
  return introductionSchema.parse(JSON.parse(line));
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

describe('latchkey simulate', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its one line, and ends by %s with status 0 and no further output, a stream still open',
    async (signal) => {
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
      program.kill(signal);
      expect(await once(program, 'exit')).toEqual([0, null]);
      expect(await errors).toBe('');
      await expect(call(`${controlUrl}/state`)).rejects.toThrow(/ECONNREFUSED/u);
    },
  );

  test.each([
    [[], /^The simulator is running/u],
    [['--json'], /^\{"url":"http:/u],
  ])('at a terminal, %j: words for a person unless JSON is asked for', async (words, begins) => {
    const AT_A_TERMINAL = 'data:text/javascript,process.stdout.isTTY = true';
    running = spawn(process.execPath, ['--import', AT_A_TERMINAL, PROGRAM, 'simulate', ...words]);
    const [line] = z.tuple([z.string()]).parse(await once(createInterface(running.stdout), 'line'));
    expect(line).toMatch(begins);
  });

  test('ends with its input on request, for example when the program that started it is gone', async () => {
    const unasked = latchkey('simulate', '--scenario', 'demo');
    await introductionOf(unasked);
    unasked.stdin.end();
    const program = latchkey('simulate', '--scenario', 'demo', '--until-input-ends');
    const { controlUrl } = await introductionOf(program);
    program.stdin.end();
    expect(await once(program, 'exit')).toEqual([0, null]);
    await expect(call(`${controlUrl}/state`)).rejects.toThrow(/ECONNREFUSED/u);
    expect(unasked.exitCode).toBeNull();
    unasked.kill('SIGKILL');
  });

  test('takes port, scenario and a user who consents', async () => {
    const first = latchkey('simulate', '--scenario', 'weak-wifi', '--auto-approve', 'resident');
    const { url, controlUrl } = await introductionOf(first);
    const state = z
      .looseObject({ locks: z.array(z.looseObject({ name: z.string() })), authorization: z.unknown() })
      .parse((await call(`${controlUrl}/state`)).json);
    expect(state.locks.map(({ name }) => name)).toEqual(['Garden gate']);
    expect(state.authorization).toMatchObject({ autoApproveUserId: 'resident' });
    const { port } = new URL(url);
    const second = spawn(process.execPath, [PROGRAM, 'simulate', '--port', port]);
    const [error, exit] = await Promise.all([text(second.stderr), once(second, 'exit')]);
    expect([error, exit]).toEqual([
      `Port ${port} is taken. Choose another one with --port, or leave it out for a free one.\n`,
      [1, null],
    ]);
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

  test('replays a recorded log, and reports by its status whether an answer differed', async () => {
    const folder = temporaryFolder();
    const log = join(folder, 'log.jsonl');
    const program = latchkey('simulate', '--seed', 'abc');
    const { controlUrl, baseUrl } = await introductionOf(program);
    await call(`${baseUrl}/locks/devices`);
    const recording = await (await fetch(`${controlUrl}/log`)).text();
    program.kill('SIGTERM');
    writeFileSync(log, recording);
    const same = await ended('simulate', '--replay', log);
    expect([same.status, same.err]).toEqual([0, '']);
    expect(JSON.parse(same.out)).toMatchObject({ replayed: 1, skipped: 0, different: [] });
    writeFileSync(log, recording.replace('subscription key is missing', 'subscription key is lost'));
    expect((await ended('simulate', '--replay', log)).status).toBe(1);
    expect((await ended('simulate', '--replay', join(folder, 'none'))).err).toContain('There is no file');
  });
});
