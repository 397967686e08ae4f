// Compressed answers: unpacked up to the limit, refused beyond it, and left alone where they are not what they claim.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unpacked } from '../../../src/cloud/http/content-coding.ts';

const PLAIN = Buffer.from('[{"id":"door-1"}]');

describe('an answer', () => {
  it.each([
    ['gzip', gzipSync(PLAIN)],
    [' GZIP ', gzipSync(PLAIN)],
    ['x-gzip', gzipSync(PLAIN)],
    ['deflate', deflateSync(PLAIN)],
    ['deflate', deflateRawSync(PLAIN)],
    ['br', brotliCompressSync(PLAIN)],
    ['identity', PLAIN],
    ['utf-8', PLAIN],
    [undefined, PLAIN],
  ])('coded as %s is read', (coding, bytes) => {
    expect(unpacked(bytes, coding, 1_000)).toEqual(PLAIN);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ])('that is a bomb in %s is refused at the limit (faults#74)', (coding, compress) => {
    const bytes = compress(Buffer.alloc(1_001));
    expect(unpacked(bytes, coding, 1_000)).toBeNull();
    expect(unpacked(bytes, coding, 1_001)).toHaveLength(1_001);
  });

  it('stays unchanged when its bytes are not in that coding, or were packed more than once', () => {
    expect(unpacked(PLAIN, 'gzip', 1_000)).toBe(PLAIN);
    const twice = gzipSync(gzipSync(PLAIN));
    expect(unpacked(twice, 'gzip, gzip', 1_000)).toBe(twice);
    const cut = gzipSync(PLAIN).subarray(0, 20);
    expect(unpacked(cut, 'gzip', 1_000)).toBe(cut);
    expect(unpacked(Buffer.alloc(0), 'gzip', 1_000)).toHaveLength(0);
  });
});
