// Real processes that want to be the owner at the same time, and one that dies without a word.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { nextLine, openedStorage, type Program, runProgram } from './place.ts';

const CONTENDER = new URL('contender.ts', import.meta.url);
const ROUNDS = 50;

function emit(program: Program, order: string): Promise<string> {
  program.process.stdin?.write(`${order}\n`);
  return nextLine(program);
}

describe('processes that contend for the lease', () => {
  it(`hold it one at a time: exactly one of three that race wins, ${ROUNDS} times`, async () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    // All three open, and so create and migrate, the same new file at once.
    const racers = ['a', 'b', 'c'].map((name) => runProgram(CONTENDER, [path, name]));
    expect(await Promise.all(racers.map(nextLine))).toEqual(['ready', 'ready', 'ready']);

    for (let round = 0; round < ROUNDS; round += 1) {
      const results = await Promise.all(racers.map((racer) => emit(racer, 'acquire')));
      expect(results.toSorted()).toEqual(['held', 'held', 'owned']);
      await Promise.all(racers.map((racer) => emit(racer, 'release')));
    }
  });

  it('get it at once after a holder was killed, and learn which socket that one left behind (faults#17)', async () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const owner = runProgram(CONTENDER, [path, 'killed']);
    await nextLine(owner);
    expect(await emit(owner, 'acquire')).toBe('owned');
    const { lease } = openedStorage(path, 'next');
    expect(lease.acquire('/run/next.sock').kind).toBe('held');

    owner.process.kill('SIGKILL');
    await owner.ended;
    expect(lease.acquire('/run/next.sock')).toMatchObject({
      kind: 'owned',
      previous: { ownerId: 'killed', socketPath: '/run/killed.sock' },
    });
  });
});
