// The command line on a disk that is full or read-only: it names that and the next step, and the doctor goes on.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { platformBlock, SimulatedHome } from '../../homes/simulated-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Ran, writeConfig } from './terminal.ts';

const MAIN = new URL('../../../src/cli/main.ts', import.meta.url).pathname;

/** Gives a command a small disk of its own, where the system lets this user. */
const UNSHARE = 'unshare';

/** A small disk of its own at $0, with what the command finds there: it is filled before, or made read-only after a first run. */
const PREPARE = [
  'mount -t tmpfs -o size=512k,mode=700 tmpfs "$0"',
  'printf %s "$CONFIG" > "$0/config.json"',
  'if [ "$TROUBLE" = full ]; then cat /dev/zero > "$0/fill" 2>/dev/null; fi',
  'if [ "$TROUBLE" = read-only ]; then "$@" > /dev/null 2>&1; mount -o remount,ro "$0"; fi',
  'exec "$@"',
].join('; ');

const SMALL_DISK = ['--map-root-user', '--mount', 'sh', '-c', PREPARE];

function mayMount(): boolean {
  const env = { ...process.env, CONFIG: '', TROUBLE: 'none' };
  return spawnSync(UNSHARE, [...SMALL_DISK, tmpdir(), 'true'], { stdio: 'ignore', env }).status === 0;
}

type Trouble = 'full' | 'read-only';

const findings = z.array(
  z.object({ check: z.string(), grade: z.string(), what: z.string(), advice: z.string().nullable() }),
);

/** Runs `latchkey` where config.json lies on a disk in this trouble. */
async function runOn(trouble: Trouble, home: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  const disk = temporaryFolder();
  const config = JSON.stringify({ platforms: [platformBlock(home.simulator)] });
  const program = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN];
  const child = spawn(UNSHARE, [...SMALL_DISK, disk, ...program, ...words, '--storage', disk], {
    env: { ...process.env, TROUBLE: trouble, CONFIG: config },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  await once(child, 'close');
  return { status: child.exitCode ?? -1, ...said };
}

const WORDS = {
  full: {
    what: /^The disk that holds \S+ is full\.$/u,
    remedy: 'Free some space on it.',
    command: 'unlock front',
  },
  'read-only': {
    what: /^\S+ cannot be written: its disk is mounted read-only\.$/u,
    remedy: 'Mount it writable; a memory card that became read-only by itself is probably worn out.',
    command: 'locks',
  },
} as const;

describe.skipIf(!mayMount()).each(['full', 'read-only'] as const)('a disk that is %s', (trouble) => {
  const { what, remedy, command } = WORDS[trouble];

  it(`is what ${command} ends with, and it is not the service`, async () => {
    const home = await SimulatedHome.open();
    const { status, out, err } = await runOn(trouble, home, ...command.split(' '));
    expect([status, out]).toEqual([1, '']);
    const [sentence = '', rest = ''] = err.split(/(?<=\.) (?=[A-Z])/u);
    expect(sentence).toMatch(what);
    expect(rest).toBe(`${remedy}\n`);
  });

  it('is named by the doctor, which goes on with the checks that need no database', async () => {
    const home = await SimulatedHome.open();
    const { status, out } = await runOn(trouble, home, 'doctor', '--json');
    const found = findings.parse(JSON.parse(out));
    const [only, ...others] = found.filter(({ grade }) => grade === 'fault');
    expect([only?.check, only?.advice, others]).toEqual(['storage', remedy, []]);
    expect(only?.what).toMatch(what);
    expect(status).toBe(11);
    expect(found.map(({ check }) => check)).toContain('clock');
    const well = found.filter(({ grade }) => grade === 'ok').map(({ check }) => check);
    expect(well).toEqual(
      expect.arrayContaining([
        'configuration',
        'authorization server',
        'device interface',
        'subscription key 1',
        'subscription key 2',
      ]),
    );
  });
});

/** Runs a program on a disk that takes a few more kilobytes, then lists what is on it. */
const FILLING = [
  'mount -t tmpfs -o size=64k,mode=700 tmpfs "$0"',
  'cat /dev/zero > "$0/fill" 2>/dev/null',
  'truncate -s -4096 "$0/fill"',
  '"$@"',
  'status=$?',
  'ls "$0"',
  'exit $status',
].join('; ');

it.skipIf(!mayMount())(
  'an export to a disk that fills is an error, and leaves no half of a file (faults#121)',
  async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    for (let entry = 0; entry < 60; entry += 1) {
      const at = home.clock.now() - entry * 60_000;
      await home.control('locks/Garage/write-history', { eventCode: 'LockedByThumbturn', at });
    }
    const disk = temporaryFolder();
    const program = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN];
    const words = ['history', '--export', `${disk}/history.csv`, '--storage', home.folder];
    const child = spawn(UNSHARE, [...SMALL_DISK.slice(0, -1), FILLING, disk, ...program, ...words]);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    while (child.exitCode === null && child.signalCode === null) {
      await home.clock.advance(250);
    }
    expect([child.exitCode, said.out]).toEqual([1, 'fill\n']);
    expect(said.err).toContain('The file cannot be created: the disk is full, so nothing of it was kept.');
  },
);
