// The form of a sealed file: its content is returned unchanged, and a file with any changed byte returns nothing.
import { createCipheriv, createHmac, scryptSync } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkedPassphrase, type KeyCost, SealedFile, Sealing } from '../../../src/backup/sealed-file.ts';
import { FinalError, messageOf } from '../../../src/support/errors.ts';
import { howOften } from '../../harness/how-often.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PASSPHRASE = 'four words are easy';
/** The least that a file may ask for, so that a test that tries each byte is quick. */
const QUICK: KeyCost = { log2N: 14, r: 8, p: 1 };
const KEPT = Buffer.from('refresh token');
/** The offsets of the parts, by the form's own words (decision 0060). */
const [VERSION_AT, COST_AT, LENGTH_AT, KEPT_AT] = [8, 9, 40, 80];

function sealed(kept: Buffer = KEPT): string {
  return written(new Sealing(PASSPHRASE, kept.length, QUICK), kept);
}

function written(sealing: Sealing, kept: Buffer): string {
  const file = join(temporaryFolder(), 'sealed');
  writeFileSync(file, Buffer.concat([sealing.head, sealing.next(kept), sealing.end()]));
  return file;
}

function unsealed(file: string, passphrase = PASSPHRASE): Buffer {
  const opened = new SealedFile(file);
  const pieces: Buffer[] = [];
  try {
    opened.read(opened.unlock(passphrase), (piece) => pieces.push(piece));
    return Buffer.concat(pieces);
  } finally {
    opened.close();
  }
}

/** Why it was refused; throws when it was not, or not as a refusal. */
function refusalOf(file: string, passphrase?: string): string {
  try {
    unsealed(file, passphrase);
  } catch (error) {
    expect(error).toBeInstanceOf(FinalError);
    return messageOf(error);
  }
  throw new Error('It was read');
}

function changed(file: string, at: number, to: (byte: number) => number): string {
  const bytes = readFileSync(file);
  bytes.writeUInt8(to(bytes.readUInt8(at)), at);
  writeFileSync(file, bytes);
  return file;
}

describe('a sealed file', () => {
  it.each([0, 1, 1_048_576, 2_500_000])('returns the %i bytes that were sealed', (length) => {
    const kept = Buffer.alloc(length, 'some bytes');
    expect(unsealed(sealed(kept)).equals(kept)).toBe(true);
  });

  it('differs each time, and holds no readable text', () => {
    const [first, second] = [readFileSync(sealed()), readFileSync(sealed())];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('refresh token')).toBe(false);
  });

  it('derives its key by scrypt with 64 MiB twice, and is AES-256-GCM as any other program would write it', () => {
    const file = readFileSync(written(new Sealing(PASSPHRASE, KEPT.length), KEPT));
    expect([...file.subarray(0, 12)]).toEqual([...Buffer.from('LATCHKEY'), 1, 16, 8, 2]);
    const header = file.subarray(0, 48);
    const both = scryptSync(PASSPHRASE, header.subarray(12, 28), 64, {
      N: 65_536,
      r: 8,
      p: 2,
      maxmem: 2 ** 28,
    });
    const check = createHmac('sha256', both.subarray(32)).update(header).digest();
    const cipher = createCipheriv('aes-256-gcm', both.subarray(0, 32), header.subarray(28, 40));
    cipher.setAAD(Buffer.concat([header, check]));
    const kept = Buffer.concat([cipher.update(KEPT), cipher.final(), cipher.getAuthTag()]);
    expect(file.equals(Buffer.concat([header, check, kept]))).toBe(true);
  });

  it('is refused with any of its bytes changed', () => {
    const file = sealed();
    const whole = readFileSync(file);
    for (let at = 0; at < whole.length; at += howOften(7, 1)) {
      changed(file, at, (byte) => byte ^ 1);
      expect(refusalOf(file)).not.toBe('');
      writeFileSync(file, whole);
    }
    expect(unsealed(file).equals(KEPT)).toBe(true);
  });

  it('is refused when it was cut off anywhere, or has more bytes behind it', () => {
    const file = sealed();
    const whole = readFileSync(file);
    for (let length = 0; length < whole.length; length += 1) {
      truncateSync(file, length);
      expect(refusalOf(file)).toMatch(/not whole|too short/u);
      writeFileSync(file, whole);
    }
    writeFileSync(file, Buffer.concat([whole, Buffer.of(0)]));
    expect(refusalOf(file)).toContain('not whole');
  });

  it('tells a wrong passphrase from damage', () => {
    const file = sealed();
    expect(refusalOf(file, 'four other words')).toContain('The passphrase is wrong');
    expect(refusalOf(changed(file, KEPT_AT, (byte) => byte ^ 128))).toContain('The file is damaged');
  });

  it('of another version or kind is named as such', () => {
    expect(refusalOf(changed(sealed(), VERSION_AT, () => 2))).toContain('Update the plugin');
    expect(refusalOf(changed(sealed(), 0, () => 0))).toContain('no backup of Latchkey');
  });

  it.each([
    ['less than a quarter of our memory', 0, 13],
    ['512 MiB', 0, 19],
    ['more memory than there is', 0, 63],
    ['another block size', 1, 255],
    ['no rounds', 2, 0],
    ['endless rounds', 2, 255],
  ])('that asks for %s causes no derivation of a key', (_, offset, value) => {
    const file = changed(sealed(), COST_AT + offset, () => value);
    expect(() => new SealedFile(file)).toThrow('out of bounds');
  });

  it('that claims a length beyond its own causes no allocation for it', () => {
    const file = changed(sealed(), LENGTH_AT, () => 255);
    expect(() => new SealedFile(file)).toThrow('not whole');
  });

  it('that does not exist is named', () => {
    expect(() => new SealedFile('/nowhere/sealed')).toThrow('/nowhere/sealed cannot be read (ENOENT)');
  });
});

describe('a passphrase', () => {
  it.each([0, 1, 11, 1_025])('of %i characters is refused', (length) => {
    expect(() => checkedPassphrase(`  ${'x'.repeat(length)}  `)).toThrow('12 to 1024 characters');
  });

  it('is the same from two keyboards that write one letter differently', () => {
    expect(checkedPassphrase(' schlu\u0308ssel im haus ')).toBe('schl\u00fcssel im haus');
  });
});
