// Puts an account back from its encrypted file, on this computer or another one: all of it or nothing.
import { readdirSync, rmdirSync } from 'node:fs';
import { message } from '../domain/language/message.ts';
import { accountPlace, markAccount } from '../installation/place.ts';
import type { AccountOnDisk } from '../ownership/owner-search.ts';
import { soleOwner, unlessStopped } from '../ownership/sole-owner.ts';
import { AccountCopy, prepareCopy } from '../storage/account-copy.ts';
import { ensurePrivateFolder } from '../storage/database/private-files.ts';
import { removeCopy, stagedPath } from '../storage/staged-copy.ts';
import { FinalError } from '../support/errors.ts';
import { writePrivately } from '../support/files/private-output.ts';
import { type BackupManifest, type ReadManifest, readManifest } from './manifest.ts';
import { SealedFile } from './sealed-file.ts';

/** A backup whose passphrase was right and whose bytes are all genuine. */
export class OpenBackup {
  readonly manifest: BackupManifest;
  readonly #sealed: SealedFile;
  readonly #key: Buffer;
  readonly #databaseBytes: number;

  /** Rejects with `not-found`, or with `refused` and why. The passphrase is asked for once the file looks like a backup. */
  static async open(file: string, passphrase: () => Promise<string>): Promise<OpenBackup> {
    const sealed = new SealedFile(file);
    try {
      const key = sealed.unlock(await passphrase());
      return new OpenBackup(sealed, key, readManifest(sealed, key));
    } catch (error) {
      sealed.close();
      throw error;
    }
  }

  private constructor(sealed: SealedFile, key: Buffer, { manifest, databaseBytes }: ReadManifest) {
    this.manifest = manifest;
    this.#sealed = sealed;
    this.#key = key;
    this.#databaseBytes = databaseBytes;
  }

  /** Writes its database to a new private file. Rejects with `refused` for the disk. */
  async writeTo(file: string): Promise<void> {
    let left = this.#databaseBytes;
    await writePrivately({ file, kind: 'new' }, (write) => {
      this.#sealed.read(this.#key, (piece) => {
        const part = piece.subarray(0, left);
        write(part);
        left -= part.length;
      });
    });
  }

  close(): void {
    this.#sealed.close();
  }
}

/**
 * `account`: the one here that it becomes. `force`: whether it may replace an account that is in use here. Rejects with `refused` while another process runs the account, when it would
 * replace one, or when it cannot be used.
 */
export async function restore(
  account: AccountOnDisk,
  backup: OpenBackup,
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { config, homebridgeFolder, clock, log } = account;
  const { folder, databaseFile, bridge } = accountPlace(homebridgeFolder, config);
  ensurePrivateFolder(folder, log);
  const staged = stagedPath(folder);
  try {
    // The copy is examined before anything here is opened.
    await backup.writeTo(staged);
    prepareCopy(staged, backup.manifest.databaseVersion);
    const copy = new AccountCopy(databaseFile, log);
    try {
      await soleOwner(account, signal, copy, async () => {
        assertReplaceable(copy, config.name, force);
        await unlessStopped(signal);
        const { madeAt, stopped } = backup.manifest;
        copy.replaceBy(staged, { kind: 'restored', at: Math.round(clock.now()), madeAt, stopped });
      });
    } finally {
      copy.close();
    }
    markAccount(folder, { ...config, bridge }, clock.now());
  } finally {
    removeCopy(staged);
    removeEmpty(folder);
  }
}

function assertReplaceable(copy: AccountCopy, account: string, force: boolean): void {
  if (copy.isInUse && !force) {
    throw new FinalError(
      'refused',
      message(
        'Nothing was restored: "{account}" is in use here. Add {option} to replace it, with its history and its codes.',
        { account, option: '--force' },
      ),
    );
  }
}

/** A folder that was made for nothing. */
function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) {
    rmdirSync(folder);
  }
}
