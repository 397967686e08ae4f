// Storage of a test, and programs beside the tests run as real processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { HistoryKept } from '../../../src/storage/history/retention.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Opens a storage that is closed when the test ends. */
export function openedStorage(path: string, service?: string, history?: HistoryKept): Storage {
  const kept = history === undefined ? {} : { history };
  const parts = { path, clock: new ManualClock(), log: silentLog, ...kept };
  const storage = openStorage(service === undefined ? parts : { ...parts, service });
  onTestFinished(() => {
    storage.close();
  });
  return storage;
}

/** A storage on a new disk; `path`: its file; `again`: the same after a restart. */
export function newStorage(): {
  readonly storage: Storage;
  readonly path: string;
  readonly again: () => Storage;
} {
  const path = join(temporaryFolder(), 'latchkey.db');
  const storage = openedStorage(path);
  return {
    storage,
    path,
    again: () => {
      storage.close();
      return openedStorage(path);
    },
  };
}

/** A program of this folder in a process of its own, with its output line by line. */
export interface Program {
  readonly process: ChildProcess;
  readonly lines: AsyncIterableIterator<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

/** Runs a program file with arguments, `before` in front of the command; killed when the test ends. */
export function runProgram(file: URL, args: readonly string[], before: readonly string[] = []): Program {
  const [command = '', ...rest] = [...before, process.execPath, fileURLToPath(file), ...args];
  const child = spawn(command, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](), ended };
}

/** The next line that a program prints. */
export async function nextLine(program: Program): Promise<string> {
  const line = await program.lines.next();
  if (line.done === true) {
    throw new Error('The program ended without saying what was expected');
  }
  return line.value;
}
