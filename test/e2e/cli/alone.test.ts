// The command line without a running plugin: linking, queries, cancellation and error messages.
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { consent } from '../../support/simulated-partner.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
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

  it('says that the account is not linked, and what to do', async () => {
    const locks = household.latchkey('locks');
    expect(await locks.status()).toBe(3);
    expect(locks.err).toContain('The account is not linked. Link it with: npx homebridge-latchkey link');
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

  it('refuses an address of another linking in words, keeps the link that there is, and waits for the right one', async () => {
    const link = household.latchkey('link');
    const right = await consent(await link.line(/^http/u));
    const pasted = new URL(right);
    pasted.searchParams.set('state', 'of-another');
    link.type(`${pasted.href}\n`);
    await link.line(/The address belongs to another linking\..* Still waiting/u);
    link.type(`${right}\n`);
    expect(await link.status()).toBe(0);
    expect(await household.latchkey('locks', '--quiet').status()).toBe(0);
  });

  it('ends a linking without an address as not linked', async () => {
    const link = household.latchkey('link');
    await link.line(/^http/u);
    link.type('\n');
    expect(await link.status()).toBe(3);
    expect(link.err).toContain('No address was pasted');
  });

  it('lists the locks for people, and for programs', async () => {
    const people = household.latchkey('locks');
    expect(await people.status()).toBe(0);
    expect(people.out).toMatch(/^Front door {2}locked {2}confirmed \d+ s ago {2}battery 87 %$/mu);
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

  it('says nothing when it was asked to be quiet, and sends nothing that is so already', async () => {
    const again = household.latchkey('unlock', 'front', '--quiet');
    expect(await again.status()).toBe(0);
    expect(again.out + again.err).toBe('');
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

  it('does not unlock what its options forbid to unlock, and says so (faults#80)', async () => {
    const before = await household.commands();
    const unlock = household.latchkey('unlock', 'garage');
    expect(await unlock.status()).toBe(1);
    expect(unlock.err).toContain(
      'Garage: not unlocked: its options forbid unlocking from afar (remoteUnlock)',
    );
    expect(await household.commands()).toEqual(before);
    expect(household.boltOf('Garage')).toBe('Locked');
  });

  it('begins nothing when one of several names is not clear', async () => {
    const before = await household.commands();
    await household.at('Back door', 'rename', { name: 'Front gate' });
    const unlock = household.latchkey('unlock', 'garage', 'front');
    expect(await unlock.status()).toBe(2);
    expect(unlock.err).toContain('"front" could be "Front door" or "Front gate". Say more of its name.');
    await household.at('Front gate', 'rename', { name: 'Back door' });
    expect(await household.commands()).toEqual(before);
  });

  it('says why a door did not unlock', async () => {
    await household.at('Front door', 'jam', { count: 1 });
    const unlock = household.latchkey('unlock', 'front');
    expect(await unlock.status()).toBe(1);
    expect(unlock.err).toContain('Front door: not unlocked: the bolt is jammed');
    await household.at('Front door', 'turn-thumbturn', { to: 'Locked' });
  });

  it('prints what happened on the clocks of the lock, for people and for programs', async () => {
    const accessor = { id: 'a71e', friendlyName: 'Dog walker', accessType: 'AccessCode' };
    const at = Date.UTC(2026, 3, 14, 12, 15, 30);
    await household.at('Front door', 'write-history', { eventCode: 'UnlockedByKeypad', at, accessor });
    const here = household.latchkey('history', 'front');
    expect(await here.status()).toBe(0);
    expect(here.out).toMatch(/^2026-04-14 .* {2}unlocked by Dog walker \(a code\)$/mu);
    const door = household.latchkey('history', 'front', '--limit', '9');
    expect(await door.status()).toBe(0);
    expect(door.out).toContain('2026-04-14 08:15:30 -04:00  unlocked by Dog walker (a code)\n');
    const one = household.latchkey('history', 'front', '--limit', '1', '--json');
    expect(await one.status()).toBe(0);
    expect(JSON.parse(one.out)).toHaveLength(1);
  });

  it('prints a line for each thing that happens until Ctrl-C, and leaves nothing behind', async () => {
    const watch = household.latchkey('watch');
    await watch.line(/^Garage/u);
    await household.at('Front door', 'turn-thumbturn', { to: 'Unlocked' });
    await watch.line(/^\d\d:\d\d:\d\d {2}Front door: unlocked$/u);
    watch.child.kill('SIGINT');
    expect(await watch.status()).toBe(0);
    const left = readdirSync(join(household.folder, 'latchkey'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.sock') || name.endsWith('-wal'))).toEqual([]);
  });

  it('ends by Ctrl-C before anything was pasted, and the link stays as it was', async () => {
    const link = household.latchkey('link');
    await link.line(/^http/u);
    link.child.kill('SIGINT');
    expect(await link.status()).toBe(130);
    expect(await household.latchkey('locks').status()).toBe(0);
  });

  it('gives facts to hand on that name nobody', async () => {
    const diagnostics = household.latchkey('diagnostics');
    expect(await diagnostics.status()).toBe(0);
    const facts = z.looseObject({ through: z.string(), link: z.string() }).parse(JSON.parse(diagnostics.out));
    expect(facts).toMatchObject({ through: 'alone', link: 'linked' });
    for (const personal of ['Front', 'Garage', '127.0.0.1', 'client-1', household.folder, 'Latchkey"']) {
      expect(diagnostics.out).not.toContain(personal);
    }
    expect(diagnostics.out).not.toContain(household.simulator.world.deviceIds()[0]);
  });

  it('does not understand what makes no sense, and says so with a status of its own', async () => {
    const wrong = [
      ['history', 'front', '--limit', '0'],
      ['unlock'],
      ['open', 'front'],
      ['completion', 'tcsh'],
    ];
    for (const words of wrong) {
      const run = household.latchkey(...words);
      expect(await run.status()).toBe(2);
      expect(run.err).not.toBe('');
    }
  });

  it('says that the service does not answer, and comes back when it does', async () => {
    await household.runtime('inject-fault', { kind: 'status', status: 500, often: 'always' });
    const locks = household.latchkey('locks');
    expect(await locks.status()).toBe(4);
    expect(locks.out).toMatch(/^Front door {2}unknown {2}never confirmed$/mu);
    await household.runtime('clear-faults');
    expect(await household.latchkey('locks').status()).toBe(0);
  });

  it('forgets the tokens', async () => {
    expect(await household.latchkey('unlink').status()).toBe(0);
    expect(await household.latchkey('locks').status()).toBe(3);
  });

  it('never said a secret, in any of all this (faults#66)', () => {
    const [client] = household.simulator.clients;
    const secrets = [client?.clientSecret, ...(client?.subscriptionKeys ?? [])];
    expect(household.said.length).toBeGreaterThan(20);
    for (const { out, err } of household.said) {
      for (const secret of secrets) {
        expect(secret).toBeTruthy();
        expect(out + err).not.toContain(secret);
      }
      expect(out + err).not.toMatch(/eyJ|Bearer|[?&]code=/u);
    }
  });
});

describe('a shell', () => {
  const program = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');

  function scriptFor(shell: string): string {
    return spawnSync(process.execPath, [program, 'completion', shell], { encoding: 'utf8' }).stdout;
  }

  it.each(['bash', 'zsh', 'fish'])('is given a script that %s takes', (shell) => {
    const script = scriptFor(shell);
    expect(script).toMatch(/-l since|--since/u);
    // A shell that is not installed says nothing against it.
    const file = join(temporaryFolder(), `completion.${shell}`);
    writeFileSync(file, script);
    const { error, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    expect(error === undefined ? stderr : '').toBe('');
  });

  const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).error === undefined;

  const FILES = [
    ['codes sync ', true],
    ['credentials import ', true],
    ['credentials plan --results ', true],
    ['history --export ', true],
    ['serve --config ', true],
    ['lock ', false],
    ['codes add ', false],
    ['history --person ', false],
    ['guests remove ', false],
  ] as const;

  it.skipIf(!isThere('fish')).each(FILES)('completes "%s" to files in fish: %s', (line, isFile) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'script.fish'), scriptFor('fish'));
    const ask = `source script.fish; complete -C 'latchkey ${line}'`;
    const { stdout } = spawnSync('fish', ['--no-config', '-c', ask], { encoding: 'utf8', cwd: folder });
    expect(stdout.includes('script.fish')).toBe(isFile);
  });

  it.skipIf(!isThere('zsh')).each(FILES)('completes "%s" to files in zsh: %s', (line, isFile) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'script.zsh'), scriptFor('zsh'));
    const typed = `latchkey ${line}`.trim().split(' ');
    // The completion system needs a terminal: what it is asked for is printed instead.
    const ask = `_arguments() { print -rl -- "$@" }; words=(${typed.join(' ')} ''); CURRENT=${typed.length + 1}; source ./script.zsh`;
    const { stdout } = spawnSync('zsh', ['-f', '-c', ask], { encoding: 'utf8', cwd: folder });
    const last = typed.at(-1) ?? '';
    const start = last.startsWith('--') ? `${last}[` : '*:';
    const spec = stdout.split('\n').find((one) => one.startsWith(start));
    expect(spec?.includes('_files')).toBe(isFile);
  });

  it.each([
    ['wa', 1, 'watch'],
    ['--per', 2, '--person'],
  ])('completes "%s" as word %d to %s in bash', (typed, position, completed) => {
    const line = position === 1 ? `latchkey ${typed}` : `latchkey history ${typed}`;
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${position}; _latchkey; echo "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', `${scriptFor('bash')}\n${ask}`], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(completed);
  });
});
