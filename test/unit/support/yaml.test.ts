// YAML within bounds: accepted values, refusals with their place, and that no value is ever quoted.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readYaml, type YamlValues } from '../../../src/support/text/yaml.ts';

function valueOf(text: string, values: YamlValues): unknown {
  const reading = readYaml(text, values);
  return reading.ok ? reading.value : reading.faults;
}

function faultsOf(text: string, values: YamlValues = 'text'): readonly string[] {
  const reading = readYaml(text, values);
  return reading.ok ? [] : reading.faults;
}

describe('values without quotes', () => {
  it('keep every character as text, so that no code loses a zero', () => {
    const text = 'a: 0417\nb: 0o17\nc: 1e3\nd: yes\ne: ~\nf: 0x1f\ng: 12_34\nh:\n';
    expect(valueOf(text, 'text')).toEqual({
      a: '0417',
      b: '0o17',
      c: '1e3',
      d: 'yes',
      e: '~',
      f: '0x1f',
      g: '12_34',
      h: '',
    });
  });

  it('are numbers, true, false and null where they are typed', () => {
    const text = 'port: 18584\non: true\noff: false\nnone: null\nrate: 1.5\nword: yes\nquoted: "0417"\n';
    expect(valueOf(text, 'typed')).toEqual({
      port: 18584,
      on: true,
      off: false,
      none: null,
      rate: 1.5,
      word: 'yes',
      quoted: '0417',
    });
  });

  it.each(['0417', '1e3', '0x1f', '12345678901234567890', '+1', '.inf'])(
    'are refused as a number that is written as %s',
    (written) => {
      expect(faultsOf(`partner:\n  clientSecret: ${written}\n`, 'typed')).toEqual([
        'Line 2, column 17 (partner.clientSecret): this is read as a number, and would change. Put it in quotes.',
      ]);
    },
  );

  it('are read back as they were written, with any content', () => {
    const anything = fc.string({ unit: 'grapheme', maxLength: 30 });
    const rows = fc.array(fc.dictionary(fc.constantFrom('lock', 'name', 'code', 'schedule'), anything));
    fc.assert(
      fc.property(rows, fc.constantFrom<YamlValues>('text', 'typed'), (list, values) => {
        expect(valueOf(stringify(list), values)).toEqual(list);
      }),
    );
  });
});

describe('a refused text', () => {
  it.each([
    ['code: 1\ncode: 2471\n', 'Line 2, column 1: this key stands there twice. Remove one of them.'],
    [
      'a:\n  - b: 1\n    b: 2471\n',
      'Line 3, column 5 (a[0]): this key stands there twice. Remove one of them.',
    ],
    ['\tcode: 2471\n', 'Line 1, column 1: a tab indents this line. Use spaces.'],
    ['code: "2471\n', 'Line 2, column 1: a quote, a bracket or a comma is missing before this place.'],
    ['code: @2471\n', 'Line 1, column 7: a value cannot begin with this character. Put it in quotes.'],
    ['code: 2471\n---\ncode: 2471\n', 'Line 2, column 1: a second document begins. A file holds one.'],
    ['? [2471]\n: b\n', 'Line 1, column 3: a key must be plain text.'],
    [
      'a: 1\nb: &x 2471\n',
      'Line 2, column 4: anchors (&) are not read. Put the value in quotes if it begins with &.',
    ],
    [
      'b: *2471\n',
      'Line 1, column 4: aliases (*) are not read. Put the value in quotes if it begins with *.',
    ],
    [
      'b: !secret 2471\n',
      'Line 1, column 4: tags (!) are not read. Put the value in quotes if it begins with !.',
    ],
    [
      'b: !!binary MjQ3MQ==\n',
      'Line 1, column 4: tags (!) are not read. Put the value in quotes if it begins with !.',
    ],
    ['%YAML 1.1\n---\ncode: 2471\n', 'Line 1, column 1: directives (%) are not read.'],
  ])('%j has its place named, and no value quoted', (text, fault) => {
    const faults = faultsOf(text);
    expect(faults[0]).toBe(fault);
    expect(faults.join(' ')).not.toMatch(/2471|MjQ3/u);
  });

  it('has no key quoted that may be a misplaced value', () => {
    const faults = faultsOf('24710: {s3cr#t: {1: 0417}}', 'typed');
    expect(faults).toEqual([
      'Line 1, column 21 (?.?.?): this is read as a number, and would change. Put it in quotes.',
    ]);
  });

  it('has few faults, even where one mistake causes thousands', () => {
    expect(faultsOf(`${'{a: '.repeat(20)}1\n${'b\n'.repeat(500)}`).length).toBeLessThanOrEqual(3);
  });
});

describe('the limits of a text', () => {
  it.each([
    ['brackets', '['.repeat(100_000)],
    ['braces', '{a: '.repeat(50_000)],
    ['dashes', '- '.repeat(100_000)],
    ['question marks', '? '.repeat(100_000)],
    ['lines', Array.from({ length: 200 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ])('refuse %s that are nested without end', (_, text) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining('nested too deeply')]);
  });

  it('refuse more than a million characters', () => {
    expect(faultsOf('#'.repeat(1_000_001))).toEqual(['The file is too large.']);
  });

  it('take as many codes as twenty full locks have', () => {
    const row = '- { lock: Front door, name: Cleaner, code: 0417, schedule: always }\n';
    expect(valueOf(row.repeat(2_000), 'text')).toHaveLength(2_000);
  });
});

describe('a value of a text', () => {
  it('has the line on which each of its parts begins', () => {
    const reading = readYaml('# codes\n- lock: a\n\n- lock: b\n  name: c\n', 'text');
    const lines =
      reading.ok && Array.isArray(reading.value)
        ? reading.value.map((item: object) => reading.lineOf(item))
        : [];
    expect(lines).toEqual([2, 4]);
  });

  it('is null for an empty text, and keeps a key called __proto__ as a member', () => {
    expect(valueOf('', 'text')).toBeNull();
    expect(Object.keys(valueOf('__proto__: {x: 1}', 'text') as object)).toEqual(['__proto__']);
  });
});
