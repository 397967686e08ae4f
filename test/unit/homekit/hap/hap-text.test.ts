// Texts of the service in HomeKit's form, held against HAP's own checks.
import fc from 'fast-check';
import { Accessory, Characteristic, uuid } from 'hap-nodejs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  hapFirmware,
  hapName,
  hapNameEnding,
  hapText,
  READ_AT_MOST,
} from '../../../../src/homekit/hap/hap-text.ts';
import { anyText as textOfAny } from '../../../support/any-text.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Letters of scripts that write vowels or tones as marks. */
const MARKED = /[\p{M}\u200C\u200D]/u;

const anyText = fc.oneof(textOfAny({ maxLength: 90 }), fc.string({ unit: 'grapheme', maxLength: 90 }));

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
    // Cut to 64 bytes, inside no character, and never between a letter and its mark.
    ['a'.repeat(100), 'a'.repeat(64)],
    ['玄'.repeat(100), '玄'.repeat(21)],
    ['कि'.repeat(40), 'कि'.repeat(10)],
  ])('%j becomes %j', (given, name) => {
    expect(hapName(given)).toBe(name);
  });

  it('never causes a warning of HAP, with any text of the service, and stays unchanged where HomeKit accepts it', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    fc.assert(
      fc.property(anyText, (text) => {
        const name = hapName(text);
        expect(hapName(name)).toBe(name);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(69);
        expect(() => new Accessory(name, uuid.generate('a'))).not.toThrow();
        // HAP-NodeJS does not know that marks are parts of letters; HomeKit itself takes them.
        expect(warn.mock.calls.length === 0 || MARKED.test(name)).toBe(true);
        warn.mockClear();
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['Hindi', 'मुख्य दरवाज़ा'],
    ['Tamil', 'முன் கதவு'],
    ['Bengali', 'সামনের দরজা'],
    ['Thai', 'ประตูหน้าบ้าน'],
    ['Hebrew with points', 'דֶּלֶת'],
    ['Arabic with vowels', 'بَابُ البَيْتِ'],
    ['Vietnamese', 'Cửa trước'],
    ['Korean', '현관문'],
  ])('in %s stays unchanged (faults#95)', (_script, name) => {
    expect(hapName(name)).toBe(name.normalize('NFC'));
    expect(hapName(name.normalize('NFD'))).toBe(name.normalize('NFC'));
  });

  it.each([
    ['a non-joiner separates words', 'می\u200Cخواهم', 'می خواهم'],
    ['a joiner is left out', 'ක්\u200Dරම', 'ක්රම'],
    ['direction marks are left out', '\u200Fדלת\u200E', 'דלת'],
    ['stacked accents are left out', `D${'\u0301\u0336'.repeat(50)}oor`, 'Door'],
    ['a letter has at most three marks', `क${'ि'.repeat(9)} दरवाज़ा`, `क${'ि'.repeat(3)} दरवाज़ा`],
    ['a mark without a letter is left out', '\u093Fdoor - \u093F', 'door'],
  ])('is handled: %s (faults#95)', (_what, given, name) => {
    expect(hapName(given)).toBe(name);
  });

  it.each([
    ['one letter', 'a'],
    ['dots', '.'],
    ['marks', '\u0301'],
    ['vowel marks', '\u093F'],
    ['spaces', ' '],
    ['a letter with marks', 'क\u093F\u093F'],
    ['letters and dots', 'a....'],
  ])('of 100,000 characters of %s is judged by its start alone (faults#95)', (_what, unit) => {
    const long = unit.repeat(100_000 / unit.length);
    const start = long.slice(0, READ_AT_MOST);
    const looked = vi.spyOn(String.prototype, 'normalize');
    expect(hapName(long)).toBe(hapName(start));
    expect(hapNameEnding(long, long)).toBe(hapNameEnding(start, start));
    expect(hapText(long)).toBe(hapText(start));
    expect(Math.max(...looked.mock.contexts.map((text) => String(text).length))).toBeLessThanOrEqual(
      READ_AT_MOST,
    );
  });
});

describe('a name with a fixed end', () => {
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

  it('has at most 64 bytes, and keeps as much of its end as fits', () => {
    fc.assert(
      fc.property(anyText, anyText, (name, end) => {
        const whole = hapNameEnding(name, end);
        expect(Buffer.byteLength(whole)).toBeLessThanOrEqual(69);
        expect(hapName(whole)).toBe(whole);
        if (hapName(end).length > 1 && Array.from(end).some((letter) => /[a-z]/u.test(letter))) {
          expect(whole.endsWith(hapName(end).replace(/^Lock (?=.$)/u, ''))).toBe(true);
        }
      }),
      { numRuns: 500 },
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

  it('causes no warning of HAP', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const text = hapText(given);
        const serial = new Characteristic.SerialNumber();
        serial.on('characteristic-warning', (type) => expect.fail(`HAP warns: ${type}`));
        if (text !== null) {
          serial.updateValue(text);
          expect(serial.value).toBe(text);
        }
      }),
    );
  });
});
