// Texts for Matter: never longer than it takes, never empty, no character split.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matterName, matterSerial, matterVersion } from '../../../../src/features/matter/node/matter-text.ts';
import { anyText } from '../../../support/any-text.ts';

describe('a name over Matter', () => {
  it.each([
    ['Front door', 'Front door'],
    ['  Front \n door ', 'Front door'],
    ['', 'Lock'],
    ['\u0000\u200e', 'Lock'],
    ['The door between the kitchen and the garden', 'The door between the kitchen and'],
    ['Haustür '.repeat(5), 'Haustür Haustür Haustür Haust'],
    ['🔒'.repeat(20), '🔒'.repeat(8)],
  ])('of %j is %j', (text, name) => {
    expect(matterName(text)).toBe(name);
  });

  it('has 1 to 32 characters and bytes, for any name of a lock (longer ones do not register)', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 80 }), (text) => {
        for (const result of [matterName(text), matterSerial(text, 'a-b')]) {
          expect(result.length).toBeGreaterThan(0);
          expect(Buffer.byteLength(result)).toBeLessThanOrEqual(32);
          expect(result).toBe(result.trim());
        }
        expect(Buffer.byteLength(matterVersion(text))).toBeLessThanOrEqual(64);
      }),
    );
  });
});

it('a serial number that the service leaves out is made of the UUID', () => {
  expect(matterSerial('', '7c919bee-aa77-4c29-834f-03e868aeaafa')).toBe('7c919beeaa774c29834f03e868aeaafa');
  expect(matterSerial('SN-1', 'x')).toBe('SN-1');
});
