// Failed writes of the output: work that matters continues, and the exit status is true.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchOutput } from '../../../src/cli/terminal/output-trouble.ts';
import { FinalError } from '../../../src/support/errors.ts';
import type { SimulatedHome } from '../../homes/simulated-home.ts';
import { begin, linkedHome } from './terminal.ts';

const FULL = '/dev/full';
const UNWRITTEN = 'The output could not be written: no space is left.\n';
const MAIN = new URL('../../../src/start/cli.ts', import.meta.url).pathname;

/** The program as a process of its own, and the words of its error stream. */
function program(
  words: readonly string[],
  out: number | 'ignore',
): { child: ChildProcess; said: () => string } {
  const flags = ['--disable-warning=ExperimentalWarning', MAIN];
  const child = spawn(process.execPath, [...flags, ...words], { stdio: ['ignore', out, 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return { child, said: () => said };
}

async function statusOf(home: SimulatedHome, child: ChildProcess): Promise<unknown> {
  while (child.exitCode === null && child.signalCode === null) {
    // The program has a clock of its own; the account that it asks has the test's.
    await home.clock.advance(500);
    await once(child, 'exit', { signal: AbortSignal.timeout(50) }).catch(() => {});
  }
  return child.exitCode;
}

function fullDisk(): number {
  const disk = openSync(FULL, 'w');
  onTestFinished(() => {
    closeSync(disk);
  });
  return disk;
}

describe('a full disk under what is printed', () => {
  it.skipIf(!existsSync(FULL))('is said, and is not "done"', async () => {
    const { child, said } = program(['completion', 'bash'], fullDisk());
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said()).toBe(UNWRITTEN);
  });

  it.skipIf(!existsSync(FULL))('does not undo what was done at the door', async () => {
    const home = await linkedHome();
    const { child, said } = program(['unlock', 'front', '--storage', home.folder], fullDisk());
    expect(await statusOf(home, child)).toBe(0);
    expect(said()).toMatch(new RegExp(`${UNWRITTEN}$`, 'u'));
    expect(home.simulator.world.inspect(home.idOf('Front door')).bolt).toBe('Unlocked');
  });

  it('ends a watch, which only prints', async () => {
    const home = await linkedHome();
    const disk = new AbortController();
    const { said, ended } = begin(home, ['watch', '--json'], home.clock, { unwritable: disk.signal });
    await home.clock.advance(1_000);
    disk.abort(new FinalError('refused', UNWRITTEN.trim()));
    expect((await ended).status).toBe(1);
    expect(JSON.parse(said.err)).toEqual({
      error: { code: 'refused', message: UNWRITTEN.trim(), next: null },
    });
  });
});

describe('a closed error stream', () => {
  it('does not end an unlock in the middle: the door opens, and the exit status says so', async () => {
    const home = await linkedHome();
    const { child } = program(['unlock', 'front', '--storage', home.folder], 'ignore');
    child.stderr?.destroy();
    expect(await statusOf(home, child)).toBe(0);
    expect(home.simulator.world.inspect(home.idOf('Front door')).bolt).toBe('Unlocked');
  });
});

describe('the streams of the program', () => {
  it('distinguish a reader who has closed the pipe from a full disk', () => {
    const [out, err] = [new EventEmitter(), new EventEmitter()];
    let enough = 0;
    const { unwritable } = watchOutput(out, err, () => {
      enough += 1;
    });
    out.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    err.emit('error', Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }));
    expect([enough, unwritable.aborted]).toEqual([1, false]);
    out.emit('error', Object.assign(new Error('write ENXIO'), { code: 'ENXIO' }));
    expect([enough, unwritable.reason]).toEqual([
      1,
      expect.objectContaining({ message: 'The output could not be written: ENXIO.' }),
    ]);
  });
});
