// The packed command line without a running plugin: linking, an unlock, Ctrl-C, and completion in real shells.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consent } from '../../stand-ins/service/simulated.ts';
import { Household } from './household.ts';

describe('latchkey without a plugin', () => {
  let household: Household;

  beforeAll(async () => {
    household = await Household.open();
  });

  afterAll(async () => {
    await household.leave();
  });

  it('links with an address that is pasted, and repeats nothing of it', async () => {
    const link = household.latchkey('link');
    const redirectedUrl = await consent(await link.line(/^http/u));
    link.type(`${redirectedUrl}\n`);
    expect(await link.status()).toBe(0);
    expect(link.out).toContain('Linked. Locks: Front door, Back door, Garage.');
    const code = new URL(redirectedUrl).searchParams.get('code');
    expect(code).toBeTruthy();
    expect(link.out + link.err).not.toContain(code);
  });

  it('unlocks by the beginning of a name, follows it to the end, and sends it once', async () => {
    const unlock = household.latchkey('unlock', 'FRO');
    expect(await unlock.status()).toBe(0);
    expect(unlock.out).toMatch(/^Front door: unlocked \(\d+\.\d s\)$/mu);
    expect(unlock.err).toContain('Front door: accepted; waiting for the bolt');
    expect(household.boltOf('Front door')).toBe('Unlocked');
    expect(await household.commands()).toEqual(['Unlocked']);
  });

  it('prints a line for each event until Ctrl-C, and leaves nothing behind', async () => {
    const watch = household.latchkey('watch');
    await watch.line(/^Garage/u);
    await household.at('Front door', 'turn-thumbturn', { to: 'Locked' });
    await watch.line(/^\d\d:\d\d:\d\d {2}Front door: locked$/u);
    watch.child.kill('SIGINT');
    expect(await watch.status()).toBe(0);
    const left = readdirSync(join(household.folder, 'latchkey'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.sock') || name.endsWith('-wal'))).toEqual([]);
  });

  it('waits for its like: of sixteen commands at once, none is refused for another (faults#162)', async () => {
    const words = [['codes', 'list', 'front'], ['locks'], ['history', 'front'], ['lock', 'back']];
    const all = Array.from({ length: 4 }, () => words.map((one) => household.latchkey(...one))).flat();
    const ends = await Promise.all(all.map(async (one) => [await one.status(), one.err]));
    expect(ends.filter(([status]) => status !== 0)).toEqual([]);
  });

  it('ends by Ctrl-C before anything was pasted, and keeps the link', async () => {
    const link = household.latchkey('link');
    await link.line(/^http/u);
    link.child.kill('SIGINT');
    expect(await link.status()).toBe(130);
  });

  it('printed no secret in any of these runs (faults#66)', () => {
    const [client] = household.simulator.clients;
    const secrets = [client?.clientSecret, ...(client?.subscriptionKeys ?? [])];
    expect(household.said.length).toBeGreaterThan(3);
    for (const { out, err } of household.said) {
      for (const secret of secrets) {
        expect(secret).toBeTruthy();
        expect(out + err).not.toContain(secret);
      }
      expect(out + err).not.toMatch(/eyJ|Bearer|[?&]code=/u);
    }
  });
});

/** Whether a file completes what is typed. */
const FILES: readonly (readonly [string, boolean])[] = [
  ['codes sync', true],
  ['credentials import', true],
  ['credentials plan --results', true],
  ['history --export', true],
  ['serve --config', true],
  ['restore', true],
  ['backup', true],
  ['lock', false],
  ['codes add', false],
  ['history --person', false],
  ['guests remove', false],
];

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const program = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
  const isThere = spawnSync(shell, ['-c', 'true']).error === undefined;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'latchkey-shell-'));
    const { stdout } = spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' });
    writeFileSync(join(folder, 'script'), stdout);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...args: readonly string[]): { readonly stdout: string; readonly stderr: string } {
    return spawnSync(shell, args, { encoding: 'utf8', cwd: folder });
  }

  it.skipIf(!isThere)('takes the script that it is given', () => {
    expect(readFileSync(join(folder, 'script'), 'utf8')).toMatch(/-l since|--since/u);
    expect(run('-n', 'script').stderr).toBe('');
  });

  it.skipIf(!isThere || shell !== 'fish')('completes files where a file is meant', () => {
    const asked = FILES.map(([line]) => `echo "= ${line}"; complete -C 'latchkey ${line} '`);
    const { stdout } = run('--no-config', '-c', ['source script', ...asked].join('\n'));
    const answers = stdout.split(/^= /mu).slice(1);
    expect(answers.map((answer) => [answer.split('\n')[0], /^script$/mu.test(answer)])).toEqual(FILES);
  });

  it.skipIf(!isThere || shell !== 'zsh')('completes files where a file is meant', () => {
    // The completion system needs a terminal: what it is asked for is printed instead.
    const asked = FILES.map(([line]) => {
      const words = ['latchkey', ...line.split(' ')];
      return `echo "= ${line}"; words=(${words.join(' ')} ''); CURRENT=${String(words.length + 1)}; source ./script`;
    });
    const { stdout } = run('-f', '-c', ['_arguments() { print -rl -- "$@" }', ...asked].join('\n'));
    const answers = stdout.split(/^= /mu).slice(1);
    const specs = answers.map((answer) => {
      const [line = '', ...given] = answer.split('\n');
      const last = line.split(' ').at(-1) ?? '';
      const start = last.startsWith('--') ? `${last}[` : '*:';
      return [line, given.find((one) => one.startsWith(start))?.includes('_files')];
    });
    expect(specs).toEqual(FILES);
  });

  it.runIf(shell === 'bash').each([
    ['wa', 1, 'watch'],
    ['--per', 2, '--person'],
  ])('completes "%s" as word %d to %s', (typed, position, completed) => {
    const line = position === 1 ? `latchkey ${typed}` : `latchkey history ${typed}`;
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${String(position)}; _latchkey; echo "\${COMPREPLY[@]}"`;
    expect(run('-c', `source ./script\n${ask}`).stdout.trim()).toBe(completed);
  });
});
