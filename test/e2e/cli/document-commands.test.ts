// The commands of the documents, typed as they stand there into a shell of a person whose account is linked to the simulator.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { blocksOf } from '../../support/document-code.ts';
import { Household, Running } from './household.ts';

/** What npm would put on the path: the program by both of its names. */
const PROGRAMS = {
  latchkey: 'exec "$NODE" "$PROGRAM" "$@"',
  npx: '[ "$1" = homebridge-latchkey ] && shift && exec "$NODE" "$PROGRAM" "$@"',
};

/** The only block of a document that has this line. */
function linesOf(document: string, start: string): readonly string[] {
  const found = blocksOf(document).filter(({ text }) => text.includes(start));
  expect(found, `${document} has one block with ${start}`).toHaveLength(1);
  return (found[0]?.text ?? '').trimEnd().split('\n');
}

describe('a person who types what a document shows', () => {
  let here: string;
  let household: Household;

  beforeAll(async () => {
    here = mkdtempSync(join(tmpdir(), 'latchkey-typed-'));
    household = await Household.open();
    // As it is when the document looks at the locks.
    await household.at('Back door', 'turn-thumbturn', { to: 'Unlocked' });
    await household.at('Back door', 'set-battery', { percent: 64 });
    await household.link();
    await household.owner();
    mkdirSync(join(here, 'bin'));
    for (const [name, line] of Object.entries(PROGRAMS)) {
      writeFileSync(join(here, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    }
    // Where the command line looks for Homebridge by itself.
    symlinkSync(household.folder, join(here, '.homebridge'));
  });

  afterAll(async () => {
    await household.leave();
    rmSync(here, { recursive: true, force: true });
  });

  function type(line: string, environment: Readonly<Record<string, string>> = {}): Running {
    const running = new Running('bash', ['-c', `cd "$HOME"\n${line}`], {
      ...process.env,
      ...environment,
      HOME: here,
      NODE: process.execPath,
      PROGRAM: join(inject('packed').pluginsFolder, 'homebridge-latchkey', 'dist', 'cli', 'main.js'),
      PATH: `${join(here, 'bin')}:${process.env['PATH'] ?? ''}`,
    });
    household.said.push(running);
    return running;
  }

  /** Types lines one after the other; resolves with how each ended that did not end with 0. */
  async function typeAll(lines: readonly string[]): Promise<readonly string[]> {
    const others: string[] = [];
    for (const [index, line] of lines.entries()) {
      // The dates of the document may be past when this runs; each code has digits of its own.
      const year = String(new Date().getFullYear() + 1);
      const running = type(line.replaceAll('2026-12', `${year}-12`), {
        LATCHKEY_CODE: String(4_711 + index),
      });
      running.type('Front door\n');
      const status = await running.status();
      if (status !== 0) {
        others.push(`${line} ended with ${String(status)}: ${running.err}`);
      }
    }
    return others;
  }

  it('keeps the codes of a lock', async () => {
    expect(await typeAll(linesOf('docs/access-codes.md', 'latchkey codes list'))).toEqual([]);
    expect(await typeAll(['latchkey codes list front | grep --quiet "0 codes"'])).toEqual([]);
  });

  it('keeps guests', async () => {
    expect(await typeAll(linesOf('docs/access-codes.md', 'latchkey guests list'))).toEqual([]);
  });

  it('looks into the history, exports it, and follows it until Ctrl-C', async () => {
    const lines = linesOf('docs/history.md', 'latchkey history');
    expect(await typeAll(lines.filter((line) => !line.includes('--follow')))).toEqual([]);
    expect(await typeAll(['head -1 april.csv'])).toEqual([]);
    const follow = lines.find((line) => line.includes('--follow')) ?? expect.fail('Nothing follows');
    await household.at('Front door', 'type-code', { code: '2580' });
    const running = type(`exec ${follow}`);
    await running.line(/Front door.*code/u);
    running.child.kill('SIGINT');
    expect(await running.status()).toBe(0);
  });

  it('reads the lines that the document shows of locks, and of one that is locked', async () => {
    const lines = linesOf('docs/operate/command-line.md', 'latchkey locks');
    const commands = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    const shown: string[] = [];
    for (const command of commands) {
      const running = type(`${command} 2>&1`);
      expect(await running.status()).toBe(0);
      shown.push(`$ ${command}`, ...running.out.trimEnd().split('\n'));
    }
    // Times differ; the third lock is left out of the document; a slow service is told of in a line of its own.
    const others = /^Garage|: asking the service/u;
    const alike = (line: string): string =>
      line
        .replaceAll(/\d+(?:\.\d+)? s\b/gu, 'N s')
        .replaceAll(/updated (?:just now|\d+ seconds ago)/gu, 'updated lately')
        .replaceAll(/ {2,}/gu, '  ');
    expect(shown.filter((line) => !others.test(line)).map(alike)).toEqual(lines.map(alike));
  });

  it('finds nothing broken, and prints what may be handed on', async () => {
    expect(await typeAll(['npx homebridge-latchkey doctor', 'npx homebridge-latchkey diagnostics'])).toEqual(
      [],
    );
  });

  it('starts the simulator of its own and turns a lock by hand', async () => {
    const [start = ''] = linesOf('docs/develop/store-review.md', 'simulate --port');
    const running = type(`exec ${start}`);
    const line = await running.line(/"controlUrl"/u);
    const { controlUrl, url } = JSON.parse(line) as { readonly controlUrl: string; readonly url: string };
    expect(url).toContain('127.0.0.1:18590');
    const [turn = ''] = linesOf('simulator/README.md', 'turn-thumbturn"');
    const turning = type(turn, { controlUrl });
    expect(await turning.status()).toBe(0);
    expect(turning.out).toContain('"done":true');
    running.child.kill('SIGTERM');
    expect(await running.status()).toBe(0);
  });
});
