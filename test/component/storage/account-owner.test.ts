// Real processes that want to own an account at the same time, and owners that die, stop or stand still.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { nextLine, openedStorage, type Program, runProgram } from './place.ts';

const CONTENDER = new URL('contender.ts', import.meta.url);
const ROUNDS = 50;

function emit(program: Program, order: string): Promise<string> {
  program.process.stdin?.write(`${order}\n`);
  return nextLine(program);
}

async function ownerIn(path: string): Promise<Program> {
  const owner = runProgram(CONTENDER, [path, 'owner']);
  expect([await nextLine(owner), await emit(owner, 'take')]).toEqual(['ready', 'true']);
  return owner;
}

describe('processes that contend for an account', () => {
  it(`own it one at a time: exactly one of three that race wins, ${ROUNDS} times`, async () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const racers = ['a', 'b', 'c'].map((name) => runProgram(CONTENDER, [path, name]));
    expect(await Promise.all(racers.map(nextLine))).toEqual(['ready', 'ready', 'ready']);
    // All three create and migrate the same new file at once. A file that is being migrated keeps others waiting for seconds.
    const opened = await Promise.all(racers.map((racer) => emit(racer, 'open')));
    expect(opened).toEqual(['opened', 'opened', 'opened']);

    for (let round = 0; round < ROUNDS; round += 1) {
      const results = await Promise.all(racers.map((racer) => emit(racer, 'take')));
      expect(results.toSorted()).toEqual(['false', 'false', 'true']);
      await Promise.all(racers.map((racer) => emit(racer, 'release')));
    }
  });

  it('get it at once after its owner was killed, and learn which socket that one left behind (faults#17, faults#162)', async () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const owner = await ownerIn(path);
    const { owner: next } = openedStorage(path);
    expect(next.take()).toBe(false);

    owner.process.kill('SIGKILL');
    await owner.ended;
    expect(next.take()).toBe(true);
    expect(next.announced()).toEqual({ pid: owner.process.pid, socketPath: '/run/owner.sock' });
  });

  it('do not get it while its owner is stopped, for however long (faults#162)', async () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const owner = await ownerIn(path);
    const { owner: next } = openedStorage(path);
    owner.process.kill('SIGSTOP');
    expect([next.take(), next.announced()?.pid]).toEqual([false, owner.process.pid]);
    owner.process.kill('SIGCONT');
    expect(await emit(owner, 'release')).toBe('released');
    expect([next.take(), next.announced()]).toEqual([true, null]);
  });
});

it('one process does not own an account twice', () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  const [one, two] = [openedStorage(path), openedStorage(path)];
  expect([one.owner.take(), one.owner.take(), two.owner.take()]).toEqual([true, true, false]);
  expect([one.owner.isHeld, two.owner.isHeld]).toEqual([true, false]);
  two.close();
  expect(openedStorage(path).owner.take()).toBe(false);
  one.close();
  expect(openedStorage(path).owner.take()).toBe(true);
});

it('owning an account writes nothing but who owns it', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'latchkey.db');
  const { owner } = openedStorage(path);
  const before = statSync(`${path}-wal`).size;
  expect(owner.take()).toBe(true);
  expect(statSync(`${path}-wal`).size).toBe(before);
  expect(readdirSync(folder).sort()).toEqual([
    'latchkey.db',
    'latchkey.db-shm',
    'latchkey.db-wal',
    'owner.db',
  ]);
  expect(statSync(join(folder, 'owner.db'))).toMatchObject({ size: 0, mode: 0o100600 });
});

describe('a file system without locks', () => {
  // What NFS answers without a lock service, and what other shares answer.
  it.for(['ENOLCK', 'EOPNOTSUPP'])('is refused in words: %s (faults#162)', async (error, { skip }) => {
    const folder = temporaryFolder();
    const contender = runProgram(CONTENDER, [join(folder, 'latchkey.db'), 'owner']);
    await nextLine(contender);
    if (!(await locksFail(contender, error))) {
      skip('This user may not trace a process.');
    }
    expect(await emit(contender, 'take')).toBe(
      `Storage refused: the file system of ${folder} knows no locks, as network shares often do not; choose a folder on a disk of this computer.`,
    );
  });
});

/** From now on every lock that the process asks the system for fails. False where that cannot be had. */
async function locksFail({ process: { pid } }: Program, error: string): Promise<boolean> {
  const args = ['-f', '-o', '/dev/null', '-e', 'trace=fcntl', '-e', `inject=fcntl:error=${error}`];
  const strace = spawn('strace', [...args, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => {
    strace.kill();
  });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  strace.once('error', () => resolve(false));
  strace.once('close', () => resolve(false));
  strace.stderr.on('data', (said: Buffer) => {
    if (said.includes('attached')) {
      resolve(true);
    }
  });
  return promise;
}
