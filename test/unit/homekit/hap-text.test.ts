// Texts of the service in HomeKit's form, held against HAP's own checks.
import fc from 'fast-check';
import { Accessory, Characteristic, uuid } from 'hap-nodejs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hapFirmware, hapName, hapNameEnding, hapText } from '../../../src/homekit/hap-text.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
);

describe('a name', () => {
  it.each([
    ['Front door', 'Front door'],
    ["  Anna's door!  ", "Anna's door"],
    ['🔒 Front 🚪 door 🔒', 'Front door'],
    ['Haustür №2', 'Haustür 2'],
    ['Café', 'Café'],
    ['正面玄関', '正面玄関'],
    ['A', 'Lock A'],
    ['', 'Lock'],
    ['🔒', 'Lock'],
    ['"', 'Lock'],
    ['x\u001B[31mred\nline', 'x 31mred line'],
    ['<b>Door</b>', 'b Door /b'],
  ])('%j becomes %j', (given, name) => {
    expect(hapName(given)).toBe(name);
  });

  it('is cut to 64 bytes, inside no character', () => {
    expect(hapName('a'.repeat(100))).toBe('a'.repeat(64));
    expect(hapName('玄'.repeat(100))).toBe('玄'.repeat(21));
  });

  it('is never one of which HAP warns, whatever the service sends', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    fc.assert(
      fc.property(anyText, (text) => {
        const name = hapName(text);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(69);
        expect(() => new Accessory(name, uuid.generate('a'))).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
    expect(warn).not.toHaveBeenCalled();
  });

  it('is left as it is when HomeKit takes it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(hapName(hapName(text))).toBe(hapName(text));
      }),
    );
  });
});

describe('a name with an end of its own', () => {
  const LONG = 'Grandmothers garden house side door by the old apple tree north';

  it.each([
    ['Front door', 'jammed', 'Front door jammed'],
    [LONG, 'jammed', 'Grandmothers garden house side door by the old apple tree jammed'],
    [LONG, 'unlocked by Dog walker', 'Grandmothers garden house side door by th unlocked by Dog walker'],
    ['Садовая калитка у старой яблони за домом', 'jammed', 'Садовая калитка у старой яблон jammed'],
    ['玄'.repeat(21), 'jammed', `${'玄'.repeat(19)} jammed`],
    ['Front door', `by ${'玄'.repeat(24)}`, `by ${'玄'.repeat(20)}`],
    ['Front door', '🔒', 'Front door'],
    ['🔒', 'jammed', 'jammed'],
  ])('%j, %j becomes %j', (name, end, whole) => {
    expect(hapNameEnding(name, end)).toBe(whole);
  });

  it('fits, and keeps all of the end that fits', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, end) => {
        const whole = hapNameEnding(name, end);
        expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(69);
        expect(hapName(whole)).toBe(whole);
        if (hapName(end).length > 1 && Array.from(end).some((letter) => /[a-z]/u.test(letter))) {
          expect(whole.endsWith(hapName(end).replace(/^Lock (?=.$)/u, ''))).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a firmware version', () => {
  it.each([
    ['4.20.1', '4.20.1'],
    ['v4.20.1-beta.2', '4.20.1'],
    ['007.08', '7.8'],
    ['1.2.3.4', '1.2.3'],
    ['12', '12'],
    ['99999999999.1', '4294967295.1'],
    ['none', null],
    ['', null],
  ])('%j becomes %j', (given, version) => {
    expect(hapFirmware(given)).toBe(version);
  });
});

describe('a model or serial number', () => {
  it.each([
    ['SN-42', 'SN-42'],
    [' SN\n42 ', 'SN 42'],
    ['x', null],
    ['', null],
    ['\u0007', null],
  ])('%j becomes %j', (given, text) => {
    expect(hapText(given)).toBe(text);
  });

  it('is taken by HAP without a warning', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const text = hapText(given);
        const serial = new Characteristic.SerialNumber();
        const warnings: unknown[] = [];
        serial.on('characteristic-warning', (type) => {
          warnings.push(type);
        });
        if (text !== null) {
          serial.updateValue(text);
          expect(serial.value).toBe(text);
        }
        expect(warnings).toEqual([]);
      }),
    );
  });
});
