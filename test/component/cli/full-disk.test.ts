// The command line on a disk that is full or read-only: it names that and the next step, and the doctor goes on.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { platformBlock, SimulatedHome } from '../../homes/simulated-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { begin, FINDINGS, linkedHome, type Ran } from './terminal.ts';

const MAIN = new URL('../../../src/start/cli.ts', import.meta.url).pathname;

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

const OWN_DISK = ['--map-root-user', '--mount', 'sh', '-c'];

function mayMount(): boolean {
  const env = { ...process.env, CONFIG: '', TROUBLE: 'none' };
  return spawnSync(UNSHARE, [...OWN_DISK, PREPARE, tmpdir(), 'true'], { stdio: 'ignore', env }).status === 0;
}

type Trouble = 'full' | 'read-only';

/** A process whose disk is prepared by this script, and its output. */
function program(script: string, disk: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN];
  const child = spawn(UNSHARE, [...OWN_DISK, script, disk, ...node, ...words], {
    env: { ...process.env, ...env },
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
  return { child, said };
}

/** Runs `latchkey` where config.json lies on a disk in this trouble. */
async function runOn(trouble: Trouble, home: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  const disk = temporaryFolder();
  const { child, said } = program(PREPARE, disk, [...words, '--storage', disk], {
    TROUBLE: trouble,
    CONFIG: JSON.stringify({ platforms: [platformBlock(home.simulator)] }),
  });
  await once(child, 'close');
  return { status: child.exitCode ?? -1, ...said };
}

const TROUBLES = [
  {
    trouble: 'full',
    what: /^The disk that holds \S+ is full\.$/u,
    remedy: 'Free some space on it.',
    command: 'unlock front',
  },
  {
    trouble: 'read-only',
    what: /^\S+ cannot be written: its disk is mounted read-only\.$/u,
    remedy: 'Mount it writable; a memory card that became read-only by itself is probably worn out.',
    command: 'locks',
  },
] as const;

it.skipIf(!mayMount()).each(TROUBLES)(
  'a disk that is $trouble is what $command ends with, and is named by the doctor, which goes on with the other checks',
  async ({ trouble, what, remedy, command }) => {
    const home = await SimulatedHome.open();
    const ended = await runOn(trouble, home, ...command.split(' '));
    expect(ended).toMatchObject({ status: 1, out: '' });
    const [sentence = '', rest = ''] = ended.err.split(/(?<=\.) (?=[A-Z])/u);
    expect(sentence).toMatch(what);
    expect(rest).toBe(`${remedy}\n`);
    const { status, out } = await runOn(trouble, home, 'doctor', '--json');
    const found = FINDINGS.parse(JSON.parse(out));
    const faults = found.filter(({ grade }) => grade === 'fault');
    expect([status, faults]).toEqual([
      11,
      [{ check: 'storage', grade: 'fault', what: expect.stringMatching(what) as string, advice: remedy }],
    ]);
    expect(found.map(({ grade, check }) => `${grade} ${check}`)).toEqual(
      expect.arrayContaining([
        'ok configuration',
        'ok authorization server',
        'ok device interface',
        'ok subscription key 1',
        'ok subscription key 2',
      ]),
    );
    expect(found.map(({ check }) => check)).toContain('clock');
  },
);

it.skipIf(!mayMount())(
  'a restore to a disk that is full says so, and is no defect of the plugin',
  async () => {
    const home = await linkedHome();
    const file = join(temporaryFolder(), 'house.latchkey');
    vi.stubEnv('LATCHKEY_PASSPHRASE', 'correct horse battery');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const environment = process.env;
    expect((await begin(home, ['backup', file], home.clock, { environment }).ended).status).toBe(0);
    expect(await runOn('full', home, 'restore', file)).toEqual({
      status: 1,
      out: '',
      err: 'The file cannot be created: the disk is full, so nothing of it was kept. Free some space.\n',
    });
  },
);

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
    const home = await linkedHome();
    for (let entry = 0; entry < 60; entry += 1) {
      const at = home.clock.now() - entry * 60_000;
      await home.control('locks/Garage/write-history', { eventCode: 'LockedByThumbturn', at });
    }
    const disk = temporaryFolder();
    const words = ['history', '--export', `${disk}/history.csv`, '--storage', home.folder];
    const { child, said } = program(FILLING, disk, words);
    while (child.exitCode === null && child.signalCode === null) {
      await home.clock.advance(250);
    }
    expect([child.exitCode, said.out]).toEqual([1, 'fill\n']);
    expect(said.err).toContain('The file cannot be created: the disk is full, so nothing of it was kept.');
  },
);
