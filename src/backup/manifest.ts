// The description of a backup, behind the database in the sealed file. It is read only once every byte is known to be genuine.
import { message } from '../domain/language/message.ts';
import { FinalError } from '../support/errors.ts';
import { isObject } from '../support/text/foreign-json.ts';
import type { SealedFile } from './sealed-file.ts';

export interface BackupManifest {
  /** The name of the platform block. */
  readonly account: string;
  /** The block itself, as config.json had it. */
  readonly block: Readonly<Record<string, unknown>>;
  /** Wall time in milliseconds. */
  readonly madeAt: number;
  /** The version of the plugin. */
  readonly version: string;
  readonly databaseVersion: number;
  /** Whether the computer that made it gave the account up with it. */
  readonly stopped: boolean;
}

/** The sealed content ends with the length of the manifest, in these bytes, big-endian. */
const LENGTH_BYTES = 4;

/** Far above any block of config.json, in bytes (our choice). */
const LONGEST = 4_194_304;

/** Stands behind the database. Throws `refused` when a block is too large. */
export function manifestBytes(manifest: BackupManifest): Buffer {
  const text = Buffer.from(JSON.stringify(manifest));
  if (text.length > LONGEST) {
    throw new FinalError(
      'refused',
      message('Nothing was written: the block of the account in config.json is too large.'),
    );
  }
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([text, length]);
}

export interface ReadManifest {
  readonly manifest: BackupManifest;
  /** The size of the database before the manifest, in bytes. */
  readonly databaseBytes: number;
}

/** Reads the whole file, and keeps its end alone. Throws `refused` when it is damaged. */
export function readManifest(sealed: SealedFile, key: Buffer): ReadManifest {
  const most = LONGEST + LENGTH_BYTES;
  let end = Buffer.alloc(0);
  sealed.read(key, (piece) => {
    end = Buffer.concat([end, piece]).subarray(-most);
  });
  const lengthAt = end.length - LENGTH_BYTES;
  const length = lengthAt < 0 ? 0 : end.readUInt32BE(lengthAt);
  if (length === 0 || length > lengthAt) {
    throw unreadable();
  }
  const manifest = manifestIn(end.subarray(lengthAt - length, lengthAt).toString());
  return { manifest, databaseBytes: sealed.length - LENGTH_BYTES - length };
}

function manifestIn(text: string): BackupManifest {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) {
    throw unreadable();
  }
  const { account, block, madeAt, version, databaseVersion, stopped } = value;
  if (
    typeof account !== 'string' ||
    !isObject(block) ||
    typeof madeAt !== 'number' ||
    typeof version !== 'string' ||
    typeof databaseVersion !== 'number' ||
    typeof stopped !== 'boolean'
  ) {
    throw unreadable();
  }
  return { account, block, madeAt, version, databaseVersion, stopped };
}

/** The file is genuine, so another version of the plugin wrote it. */
function unreadable(): FinalError {
  return new FinalError(
    'refused',
    message('The backup is of another version of the plugin. Update the plugin first.'),
  );
}
