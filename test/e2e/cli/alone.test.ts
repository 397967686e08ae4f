// The command line without a running plugin: linking, queries, cancellation and error messages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { consent } from '../../stand-ins/service/simulated.ts';
import { Household } from './household.ts';

const views = z.array(
  z.looseObject({ id: z.string(), description: z.looseObject({ name: z.string() }), bolt: z.string() }),
);
const reports = z.array(z.looseObject({ name: z.string(), end: z.string(), status: z.number() }));

describe('latchkey without a plugin', () => {
  let household: Household;

  beforeAll(async () => {
    household = await Household.open();
    const garage = household.simulator.world
      .deviceIds()
      .find((id) => household.simulator.world.inspect(id).name === 'Garage');
    household.configure({ options: { locks: [{ id: garage, remoteUnlock: false }] } });
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

  it('lists the locks for people, and for programs', async () => {
    const people = household.latchkey('locks');
    expect(await people.status()).toBe(0);
    expect(people.out).toMatch(
      /^Front door {2}locked {2}updated (?:just now|\d+ seconds ago) {2}battery 87%$/mu,
    );
    const programs = household.latchkey('locks', '--json');
    expect(await programs.status()).toBe(0);
    const names = views.parse(JSON.parse(programs.out)).map(({ description }) => description.name);
    expect(names).toEqual(['Front door', 'Back door', 'Garage']);
  });

  it('unlocks by the beginning of a name, follows it to the end, and sends it once', async () => {
    const unlock = household.latchkey('unlock', 'FRO');
    expect(await unlock.status()).toBe(0);
    expect(unlock.out).toMatch(/^Front door: unlocked \(\d+\.\d s\)$/mu);
    expect(unlock.err).toContain('Front door: accepted; waiting for the bolt');
    expect(household.boltOf('Front door')).toBe('Unlocked');
    expect(await household.commands()).toEqual(['Unlocked']);
  });

  it('moves several doors at once, and tells a program how each ended', async () => {
    const lock = household.latchkey('lock', 'front', 'back', '--json');
    expect(await lock.status()).toBe(0);
    expect(reports.parse(JSON.parse(lock.out)).map(({ name, end }) => [name, end])).toEqual([
      ['Front door', 'moved'],
      ['Back door', 'moved'],
    ]);
    expect(household.boltOf('Front door')).toBe('Locked');
  });

  it('does not unlock a lock whose options forbid that, and says so (faults#80)', async () => {
    const before = await household.commands();
    const unlock = household.latchkey('unlock', 'garage');
    expect(await unlock.status()).toBe(1);
    expect(unlock.err).toContain('Garage: couldn’t unlock: remote unlock is turned off for this lock');
    expect(await household.commands()).toEqual(before);
    expect(household.boltOf('Garage')).toBe('Locked');
  });

  it('begins no command when one of several names is ambiguous', async () => {
    const before = await household.commands();
    await household.at('Back door', 'rename', { name: 'Front gate' });
    const unlock = household.latchkey('unlock', 'garage', 'front');
    expect(await unlock.status()).toBe(2);
    expect(unlock.err).toContain('"front" could be "Front door" or "Front gate". Say more of its name.');
    await household.at('Front gate', 'rename', { name: 'Back door' });
    expect(await household.commands()).toEqual(before);
  });

  it('says why a door was not unlocked', async () => {
    await household.at('Front door', 'jam', { count: 1 });
    const unlock = household.latchkey('unlock', 'front');
    expect(await unlock.status()).toBe(1);
    expect(unlock.err).toContain('Front door: couldn’t unlock: the bolt is jammed');
    await household.at('Front door', 'turn-thumbturn', { to: 'Locked' });
  });

  it('prints a line for each event until Ctrl-C, and leaves nothing behind', async () => {
    const watch = household.latchkey('watch');
    await watch.line(/^Garage/u);
    await household.at('Front door', 'turn-thumbturn', { to: 'Unlocked' });
    await watch.line(/^\d\d:\d\d:\d\d {2}Front door: unlocked$/u);
    watch.child.kill('SIGINT');
    expect(await watch.status()).toBe(0);
    const left = readdirSync(join(household.folder, 'latchkey'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.sock') || name.endsWith('-wal'))).toEqual([]);
  });

  it('ends by Ctrl-C before anything was pasted, and keeps the link', async () => {
    const link = household.latchkey('link');
    await link.line(/^http/u);
    link.child.kill('SIGINT');
    expect(await link.status()).toBe(130);
  });

  it('prints diagnostics without a name', async () => {
    const diagnostics = household.latchkey('diagnostics');
    expect(await diagnostics.status()).toBe(0);
    const facts = z.looseObject({ through: z.string(), link: z.string() }).parse(JSON.parse(diagnostics.out));
    expect(facts).toMatchObject({ through: 'alone', link: 'linked' });
    for (const personal of ['Front', 'Garage', '127.0.0.1', 'client-1', household.folder, 'Latchkey"']) {
      expect(diagnostics.out).not.toContain(personal);
    }
    expect(diagnostics.out).not.toContain(household.simulator.world.deviceIds()[0]);
  });

  it('refuses a malformed command line with a status of its own', async () => {
    const run = household.latchkey('open', 'front');
    expect(await run.status()).toBe(2);
    expect(run.err).not.toBe('');
  });

  it('says that the service does not answer', async () => {
    await household.runtime('inject-fault', { kind: 'status', status: 500, often: 'always' });
    const locks = household.latchkey('locks');
    expect(await locks.status()).toBe(4);
    expect(locks.out).toMatch(/^Front door {2}unknown {2}no update since startup$/mu);
    await household.runtime('clear-faults');
  });

  it('forgets the tokens', async () => {
    expect(await household.latchkey('unlink').status()).toBe(0);
    expect(await household.latchkey('locks').status()).toBe(3);
  });

  it('printed no secret in any of these runs (faults#66)', () => {
    const [client] = household.simulator.clients;
    const secrets = [client?.clientSecret, ...(client?.subscriptionKeys ?? [])];
    expect(household.said.length).toBeGreaterThan(10);
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
