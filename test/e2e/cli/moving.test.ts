// Moving house with the packed command line: from one folder to another, while the person has both.
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { argumentsOf, blocksOf, spansOf } from '../../support/document-code.ts';
import { Household, type Running } from './household.ts';

const PASSPHRASE = 'four words are easy';

/** The commands that a person types from the document, with this file for the one that it names. */
function documented(command: 'backup' | 'restore', file: string): readonly string[] {
  const lines = [
    ...blocksOf('docs/moving.md').flatMap(({ text }) => text.split('\n')),
    ...spansOf('docs/moving.md').filter((span) => span.startsWith('npx ')),
  ];
  const found = lines.map((line) => argumentsOf(line) ?? []).find(([first]) => first === command);
  return (found ?? []).map((word) => (word === 'house.latchkey' ? file : word));
}

describe('an account that moves to another computer', () => {
  let household: Household;
  let elsewhere: string;
  let file: string;

  beforeEach(async () => {
    household = await Household.open();
    await household.link();
    elsewhere = mkdtempSync(join(tmpdir(), 'latchkey-elsewhere-'));
    cpSync(join(household.folder, 'config.json'), join(elsewhere, 'config.json'));
    file = join(elsewhere, 'house.latchkey');
  });

  afterEach(async () => {
    await household.leave();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  const there = (...words: readonly string[]): Running => household.typed(...words, '--storage', elsewhere);

  /** The passphrase is typed as at a terminal: it stands in no argument. */
  async function ended(running: Running, ...typed: readonly string[]): Promise<number | null> {
    for (const line of typed) {
      running.type(`${line}\n`);
    }
    return running.status();
  }

  it('works there without a new sign-in, and the first one says where it went', async () => {
    expect(documented('backup', file)).toEqual(['backup', file, '--and-stop']);
    const backup = household.latchkey(...documented('backup', file));
    expect(await ended(backup, PASSPHRASE, PASSPHRASE)).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restored = there(...documented('restore', file));
    expect(await ended(restored, PASSPHRASE)).toBe(0);
    const unlock = there('unlock', 'front');
    expect(await unlock.status()).toBe(0);
    expect(household.boltOf('Front door')).toBe('Unlocked');

    const here = await household.owner();
    await here.line(/moved to another computer/u);
    const doctor = household.latchkey('doctor');
    expect(await doctor.status()).toBe(11);
    expect(doctor.out).toMatch(/^FAULT {2}link .*moved to another computer/mu);
    const lock = household.latchkey('lock', 'front');
    expect(await lock.status()).toBe(3);
    expect(household.boltOf('Front door')).toBe('Unlocked');
    expect(household.said.map(({ out, err }) => out + err).join('')).not.toContain(PASSPHRASE);
  });

  it('works from a copy of the folder that was made beside a running plugin', async () => {
    const owner = await household.owner();
    cpSync(household.folder, elsewhere, { recursive: true, filter: (path) => !statSync(path).isSocket() });
    owner.child.kill('SIGKILL');
    await owner.status();
    const locks = there('locks');
    expect(await locks.status()).toBe(0);
    expect(locks.out).toMatch(/^Front door {2}locked/mu);
  });
});
