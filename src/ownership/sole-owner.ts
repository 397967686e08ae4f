// Owns an account for a short while without running it, and refuses while another process owns it.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { message } from '../domain/language/message.ts';
import { accountPlace } from '../installation/place.ts';
import { newSocketPath } from '../panel/socket/path.ts';
import { type AccountCopy } from '../storage/account-copy.ts';
import { FinalError, RetryError } from '../support/errors.ts';
import { type AccountOnDisk, OwnerSearch } from './owner-search.ts';

/** Runs `work` as the owner. Rejects with `refused` while another process owns the account, and as `work` does. */
export async function soleOwner<T>(
  parts: AccountOnDisk,
  signal: AbortSignal,
  { owner }: AccountCopy,
  work: () => T | Promise<T>,
): Promise<T> {
  await assertFree(parts, signal, owner);
  try {
    owner.announce(newSocketPath(accountPlace(parts.homebridgeFolder, parts.config).folder));
    return await work();
  } finally {
    released(owner);
  }
}

/** A full disk may take the work, and nothing more: what was done stays done, and the account is free all the same. */
function released(owner: AccountCopy['owner']): void {
  try {
    owner.release();
  } catch {
    // The next owner finds nobody at the address that stays behind.
  }
}

/** Rejects with `aborted` when the process was told to stop, also during work that held up the event loop. */
export async function unlessStopped(signal: AbortSignal): Promise<void> {
  // A signal of the system arrives between two turns, and the first may be this one's end.
  await nextTurn();
  await nextTurn();
  if (signal.aborted) {
    throw new RetryError('aborted', 'Stopped before anything was changed.', { cause: signal.reason });
  }
}

async function assertFree(
  parts: AccountOnDisk,
  signal: AbortSignal,
  owner: AccountCopy['owner'],
): Promise<void> {
  const isFree = owner.take();
  const pid = owner.announced()?.pid ?? '?';
  try {
    // A process of version 1.0 owns an account without a lock.
    const client = isFree ? await new OwnerSearch(parts).find(signal) : null;
    await client?.close();
    if (isFree && client === null) {
      return;
    }
  } catch (error) {
    owner.free();
    throw error;
  }
  owner.free();
  throw new FinalError(
    'refused',
    message(
      'Nothing was changed: process {pid} runs this account. Stop Homebridge or the child bridge of this account, then try again.',
      { pid: String(pid) },
    ),
  );
}
