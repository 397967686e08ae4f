// Writes an account to one encrypted file, and gives the account up on this computer where that is asked for.
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { message } from '../domain/language/message.ts';
import { packageFacts } from '../installation/package-facts.ts';
import { accountPlace } from '../installation/place.ts';
import type { AccountOnDisk } from '../ownership/owner-search.ts';
import { soleOwner, unlessStopped } from '../ownership/sole-owner.ts';
import { AccountCopy, DATABASE_VERSION } from '../storage/account-copy.ts';
import { removeCopy, stagedPath } from '../storage/staged-copy.ts';
import { FinalError } from '../support/errors.ts';
import { writePrivately } from '../support/files/private-output.ts';
import { manifestBytes } from './manifest.ts';
import { type KeyCost, SealedFile, Sealing } from './sealed-file.ts';

/** What goes into which file. */
export interface BackupOrder {
  readonly block: Readonly<Record<string, unknown>>;
  readonly file: string;
  /** Whether a file that is there is replaced. */
  readonly force: boolean;
  /** Whether this computer gives the account up. */
  readonly stop: boolean;
  readonly passphrase: () => Promise<string>;
  readonly signal: AbortSignal;
  /** Of the key; the usual one when left out. */
  readonly cost?: KeyCost;
}

/** The size of a piece, in bytes. */
const CHUNK_BYTES = 1_048_576;

/**
 * Resolves with the size of the file in bytes. Rejects with `not-found` where nothing is stored yet, with `refused` when the file is
 * there, its disk takes nothing, or, where this computer is to give the account up, while another process runs it.
 */
export async function backUp(account: AccountOnDisk, order: BackupOrder): Promise<number> {
  const { config, homebridgeFolder, clock, log } = account;
  const { file, force, stop, signal } = order;
  const { folder, databaseFile } = accountPlace(homebridgeFolder, config);
  if (config.demo || !existsSync(databaseFile)) {
    throw new FinalError(
      'not-found',
      message('There is nothing to back up: "{account}" has stored nothing here.', { account: config.name }),
    );
  }
  assertFree(file, force);
  const passphrase = await order.passphrase();
  const copy = new AccountCopy(databaseFile, log);
  try {
    const write = async (): Promise<number> => written({ account, copy, folder, passphrase }, order);
    return stop
      ? await soleOwner(account, signal, copy, async () => {
          const bytes = await write();
          giveUp(copy, file, clock.now());
          return bytes;
        })
      : await write();
  } finally {
    copy.close();
  }
}

/** The tokens stand in the file alone from then on. Where they cannot, the file must not say so: a restore would let its guests in unasked. */
function giveUp(copy: AccountCopy, file: string, at: number): void {
  try {
    copy.markMoved(at);
  } catch (error) {
    if (!copy.isMoved) {
      rmSync(file, { force: true });
    }
    throw error;
  }
}

interface Source {
  readonly account: AccountOnDisk;
  readonly copy: AccountCopy;
  readonly folder: string;
  readonly passphrase: string;
}

async function written(source: Source, order: BackupOrder): Promise<number> {
  const { copy, folder, passphrase } = source;
  const { config, clock } = source.account;
  const { block, stop, file, force, signal } = order;
  assertHere(copy, config.name);
  const staged = stagedPath(folder);
  try {
    copy.writeTo(staged);
    const manifest = manifestBytes({
      account: config.name,
      block,
      madeAt: Math.round(clock.now()),
      version: packageFacts().version,
      databaseVersion: DATABASE_VERSION,
      stopped: stop,
    });
    const sealing = new Sealing(passphrase, statSync(staged).size + manifest.length, order.cost);
    // `replace` writes beside the file first, so that its name never holds a half.
    const bytes = await writePrivately({ file, kind: 'replace' }, async (write) => {
      write(sealing.head);
      readThrough(staged, (piece) => write(sealing.next(piece)));
      write(sealing.next(manifest));
      write(sealing.end());
      await unlessStopped(signal);
      assertFree(file, force);
    });
    assertReadable(file, passphrase);
    return bytes;
  } finally {
    removeCopy(staged);
  }
}

/** A second backup would have no sign-in, and might replace the file with the only one. */
function assertHere(copy: AccountCopy, account: string): void {
  if (copy.isMoved) {
    throw new FinalError(
      'refused',
      message(
        'Nothing was written: this computer has given "{account}" up already, so its sign-in is not here. Use the file that was written then, or connect the account again.',
        { account },
      ),
    );
  }
}

function assertFree(file: string, force: boolean): void {
  if (!existsSync(file)) {
    return;
  }
  if (!statSync(file).isFile()) {
    // What leaves through a pipe cannot be read again, and the account may be in it alone.
    throw new FinalError(
      'refused',
      message('Nothing was written: {file} is no file. Name a file.', { file }),
    );
  }
  if (!force) {
    throw new FinalError(
      'refused',
      message('Nothing was written: {file} is there already. Name another file, or add {option}.', {
        file,
        option: '--force',
      }),
    );
  }
}

/** A backup that cannot be read is found while the account is still here. */
function assertReadable(file: string, passphrase: string): void {
  const sealed = new SealedFile(file);
  try {
    sealed.read(sealed.unlock(passphrase), () => {});
  } finally {
    sealed.close();
  }
}

function readThrough(path: string, take: (piece: Buffer) => void): void {
  const descriptor = openSync(path, 'r');
  const piece = Buffer.alloc(CHUNK_BYTES);
  try {
    for (let count = -1; count !== 0; ) {
      count = readSync(descriptor, piece);
      take(piece.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}
