// Text files in the encodings that spreadsheets write: read, or named.
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/support/text/text-encoding.ts';

const TEXT = 'lock,name\nHaustür,Zoë\n';

const LITTLE = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');

describe('a text file', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16 of Windows', LITTLE],
    ['UTF-16, the other way round', Buffer.from(LITTLE).swap16()],
  ])('is read from %s (faults#121)', (_, bytes) => {
    expect(decodeText(bytes)).toBe(TEXT);
  });

  it.each([
    ['UTF-16 without a mark', LITTLE.subarray(2), 'The file is UTF-16 without its mark, or no text.'],
    ['Latin 1', Buffer.from(TEXT, 'latin1'), 'The file is no UTF-8 text.'],
    ['half of a UTF-16 letter', LITTLE.subarray(0, 5), 'The file is no UTF-16LE text.'],
  ])('is refused with what to do for %s, without its content', (_, bytes, words) => {
    expect(() => decodeText(bytes)).toThrow(`${words} Save it as UTF-8; spreadsheets call that "CSV UTF-8".`);
  });
});
