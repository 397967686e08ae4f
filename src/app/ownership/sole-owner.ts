// Owns an account for a short while without running it, and refuses while a process that answers owns it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { message } from '../../domain/language/message.ts';
import { newSocketPath } from '../../panel/socket/path.ts';
import { CONTEND_EVERY_MS } from '../../storage/account/owner-lease.ts';
import { type AccountCopy } from '../../storage/account-copy.ts';
import { delay } from '../../support/clock.ts';
import { FinalError, RetryError } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';
import { OwnerSearch, type OwnerSearchParts } from './owner-search.ts';

/** For how long to wait, in milliseconds: an owner that is dead or stopped has lost its lease by then (faults, row 17). */
const WAIT_MS = 33_000;

export interface SoleOwnerParts extends OwnerSearchParts {
  /** The account's folder. */
  readonly accountFolder: string;
  readonly signal: AbortSignal;
  /** Receives a line for a person who has to wait. */
  readonly emit: (line: string) => void;
}

/** Runs `work` with the lease held. Rejects with `refused` while another process runs the account, and as `work` does. */
export async function soleOwner<T>(
  parts: SoleOwnerParts,
  copy: AccountCopy,
  work: () => T | Promise<T>,
): Promise<T> {
  await taken(parts, copy);
  try {
    return await work();
  } finally {
    released(copy);
  }
}

/** A full disk may take the work, and nothing more. The lease of a process that has ended is taken over anyway. */
function released({ lease }: AccountCopy): void {
  try {
    lease.release();
  } catch {
    // What was done stays done.
  }
}

/** Rejects with `aborted` when the process was told to stop, also during work that held up the event loop. */
export async function unlessStopped(signal: AbortSignal): Promise<void> {
  // A signal of the system arrives between two turns, and the first may be this one's end.
  await nextTurn();
  await nextTurn();
  if (signal.aborted) {
    throw stopped(signal.reason);
  }
}

function stopped(cause: unknown): RetryError {
  return new RetryError('aborted', 'Stopped before anything was changed.', { cause });
}

async function taken(parts: SoleOwnerParts, { lease }: AccountCopy): Promise<void> {
  const { clock, signal, emit, accountFolder } = parts;
  const search = new OwnerSearch(parts);
  const socketPath = newSocketPath(accountFolder);
  const giveUpAt = clock.monotonic() + WAIT_MS;
  for (let isSaid = false; ; isSaid = true) {
    const acquisition = lease.acquire(socketPath);
    if (acquisition.kind === 'owned') {
      return;
    }
    const { pid } = acquisition.by.process;
    const owner = await search.look(signal);
    await owner?.close();
    if (owner !== null || clock.monotonic() >= giveUpAt) {
      throw runs(pid);
    }
    if (!isSaid) {
      emit(
        t(
          'Process {pid} owned the account and does not answer; waiting half a minute until it has certainly ended.',
          { pid: String(pid) },
        ),
      );
    }
    await delay(clock, CONTEND_EVERY_MS, signal).catch((error: unknown) => {
      throw stopped(error);
    });
  }
}

function runs(pid: number): FinalError {
  return new FinalError(
    'refused',
    message(
      'Nothing was changed: process {pid} runs this account. Stop Homebridge or the child bridge of this account, then try again.',
      { pid: String(pid) },
    ),
  );
}
