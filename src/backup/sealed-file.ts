// The format of an encrypted file: a header, then the content, under a key that is derived from a passphrase.
//
// 48 bytes of header: the name of the form (8), its version (1), scrypt's log2 N, r and p (1 each), the salt (16), the nonce (12) and
// the length of the content (8, big-endian). A check of the header (32, HMAC-SHA256) detects a wrong passphrase before anything is
// decrypted. Then the content, and its tag (16): AES-256-GCM, with header and check as additional data (decision 0060).

import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Message, message } from '../domain/language/message.ts';
import { FinalError, systemCodeOf } from '../support/errors.ts';

/** scrypt (RFC 7914): 128 * 2^log2N * r bytes of memory, p times. */
export interface KeyCost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** 64 MiB, twice: a row of OWASP's list for scrypt that a small computer can spare. A third of a second to three. */
const COST: KeyCost = { log2N: 16, r: 8, p: 2 };

/** The limits of a file's scrypt parameters: 256 MiB at most, and no less than a quarter of ours. */
const LEAST_LOG2_N = 14;
const MOST_LOG2_N = 18;
const BLOCK_SIZE = 8;
const MOST_P = 4;

/** The shortest passphrase, in characters (our choice): a finder of the file has unlimited tries. */
const LEAST_PASSPHRASE = 12;
const MOST_PASSPHRASE = 1_024;

const FORM = Buffer.from('LATCHKEY', 'latin1');
const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
const HEADER_BYTES = 48;
const CHECK_BYTES = 32;
const TAG_BYTES = 16;
const SALT_AT = 12;
const NONCE_AT = SALT_AT + SALT_BYTES;
const LENGTH_AT = NONCE_AT + NONCE_BYTES;
const KEPT_AT = HEADER_BYTES + CHECK_BYTES;

/** The size of a piece, in bytes. */
const CHUNK_BYTES = 1_048_576;

const CIPHER = 'aes-256-gcm';

/** Throws `bad-request` for one that is too easily guessed. The same letters of two keyboards are the same passphrase. */
export function checkedPassphrase(typed: string): string {
  const passphrase = typed.trim().normalize('NFKC');
  if (passphrase.length < LEAST_PASSPHRASE || passphrase.length > MOST_PASSPHRASE) {
    throw new FinalError(
      'bad-request',
      message(
        'Nothing was written: a passphrase has {least} to {most} characters. Four or five words are easy to keep.',
        { least: String(LEAST_PASSPHRASE), most: String(MOST_PASSPHRASE) },
      ),
    );
  }
  return passphrase;
}

export class Sealing {
  /** To be written first. */
  readonly head: Buffer;
  readonly #cipher: CipherGCM;

  /** `length`: of everything that is to be kept, in bytes. */
  constructor(passphrase: string, length: number, cost: KeyCost = COST) {
    const header = Buffer.alloc(HEADER_BYTES);
    FORM.copy(header);
    header.set([VERSION, cost.log2N, cost.r, cost.p], FORM.length);
    randomBytes(SALT_BYTES + NONCE_BYTES).copy(header, SALT_AT);
    header.writeBigUInt64BE(BigInt(length), LENGTH_AT);
    const { key, checkOf } = keysOf(passphrase, header);
    this.head = Buffer.concat([header, checkOf]);
    this.#cipher = createCipheriv(CIPHER, key, nonceOf(header));
    this.#cipher.setAAD(this.head);
  }

  /** The bytes to write for the next ones that are kept. */
  next(kept: Uint8Array): Buffer {
    return this.#cipher.update(kept);
  }

  /** To be written last. */
  end(): Buffer {
    return Buffer.concat([this.#cipher.final(), this.#cipher.getAuthTag()]);
  }
}

export class SealedFile {
  /** The length of the content, in bytes. */
  readonly length: number;
  readonly #file: string;
  readonly #descriptor: number;
  readonly #head: Buffer;

  /** Throws `not-found`, or `refused` where it is another kind of file, of another version, out of bounds, or cut off. */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = opened(file);
    try {
      this.#head = this.#readAt(0, KEPT_AT);
      const header = this.#header;
      assertReadable(header);
      this.length = keptLength(header, fstatSync(this.#descriptor).size);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  /** Derives the key of the content, which takes time and memory. Throws `refused` for a wrong passphrase. */
  unlock(passphrase: string): Buffer {
    const { key, checkOf } = keysOf(passphrase, this.#header);
    if (!timingSafeEqual(checkOf, this.#head.subarray(HEADER_BYTES))) {
      throw refusal(message('The passphrase is wrong, or the beginning of the file is damaged.'));
    }
    return key;
  }

  /** Passes on the content, piece by piece. Do not use any before this returns: it throws `refused` when a byte is not genuine. */
  read(key: Buffer, take: (kept: Buffer) => void): void {
    const decipher = createDecipheriv(CIPHER, key, nonceOf(this.#header), { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#head);
    for (let at = 0; at < this.length; at += CHUNK_BYTES) {
      const piece = this.#readAt(KEPT_AT + at, Math.min(CHUNK_BYTES, this.length - at));
      take(decipher.update(piece));
    }
    decipher.setAuthTag(this.#readAt(KEPT_AT + this.length, TAG_BYTES));
    try {
      decipher.final();
    } catch (error) {
      throw refusal(
        message('The file is damaged: it is not as it was written. Use another copy of it.'),
        error,
      );
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  get #header(): Buffer {
    return this.#head.subarray(0, HEADER_BYTES);
  }

  #readAt(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let filled = 0; filled < length; ) {
      const count = this.#readInto(bytes, filled, position + filled);
      if (count === 0) {
        throw refusal('This is no whole backup of Latchkey: the file is too short.');
      }
      filled += count;
    }
    return bytes;
  }

  #readInto(bytes: Buffer, offset: number, position: number): number {
    try {
      return readSync(this.#descriptor, bytes, offset, bytes.length - offset, position);
    } catch (error) {
      throw unread(this.#file, error);
    }
  }
}

function keysOf(passphrase: string, header: Buffer): { readonly key: Buffer; readonly checkOf: Buffer } {
  const { log2N, r, p } = costOf(header);
  const salt = header.subarray(SALT_AT, NONCE_AT);
  // Node's own limit is 32 MiB. scrypt takes a little more than the formula says.
  const maxmem = 2 * 128 * 2 ** log2N * r;
  const both = scryptSync(passphrase, salt, 2 * KEY_BYTES, { N: 2 ** log2N, r, p, maxmem });
  const checkOf = createHmac('sha256', both.subarray(KEY_BYTES)).update(header).digest();
  return { key: both.subarray(0, KEY_BYTES), checkOf };
}

function assertReadable(header: Buffer): void {
  if (!header.subarray(0, FORM.length).equals(FORM)) {
    throw refusal('This is no backup of Latchkey.');
  }
  const version = header.readUInt8(FORM.length);
  if (version !== VERSION) {
    throw refusal(
      `The backup has version ${String(version)}, and this plugin knows ${String(VERSION)}. Update the plugin.`,
    );
  }
  const { log2N, r, p } = costOf(header);
  const isBounded =
    log2N >= LEAST_LOG2_N && log2N <= MOST_LOG2_N && r === BLOCK_SIZE && p >= 1 && p <= MOST_P;
  if (!isBounded) {
    throw refusal(
      `The backup asks for a key derivation that is out of bounds (N 2^${String(log2N)}, r ${String(r)}, p ${String(p)}). The file is damaged or forged.`,
    );
  }
}

function costOf(header: Buffer): KeyCost {
  const at = FORM.length + 1;
  return { log2N: header.readUInt8(at), r: header.readUInt8(at + 1), p: header.readUInt8(at + 2) };
}

function keptLength(header: Buffer, size: number): number {
  const length = header.readBigUInt64BE(LENGTH_AT);
  const expected = BigInt(KEPT_AT) + length + BigInt(TAG_BYTES);
  if (expected !== BigInt(size)) {
    throw refusal(
      `The backup is not whole: it has ${String(size)} bytes instead of ${String(expected)}. Copy the file again.`,
    );
  }
  return Number(length);
}

const nonceOf = (header: Buffer): Buffer => header.subarray(NONCE_AT, LENGTH_AT);

function opened(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw unread(file, error);
  }
}

function unread(file: string, error: unknown): FinalError {
  const code = systemCodeOf(error) ?? 'unknown';
  return new FinalError('not-found', message('{file} cannot be read ({code}).', { file, code }), {
    cause: error,
  });
}

function refusal(words: string | Message, cause?: unknown): FinalError {
  return new FinalError('refused', words, { cause });
}
