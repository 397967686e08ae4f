// The text format of Prometheus, held against a reader of its grammar that is written here.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byLabel, Histogram, prometheusText, single } from '../../../src/support/server/prometheus.ts';
import { anyText } from '../../support/any-text.ts';

const SAMPLE =
  /^(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?<labels>[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*")*)\})? (?<value>[+-]?(?:Inf|\d[\d.e+-]*)|NaN)$/u;
const HELP = /^# HELP (?<name>\w+) (?:[^\\\n]|\\[\\n])*$/u;
const TYPE = /^# TYPE (?<name>\w+) (?:counter|gauge|histogram)$/u;

/** Lines that are in no rule of the format, and samples outside of their figure's group. */
function faultsOf(text: string): readonly string[] {
  let family = '';
  if (text !== '' && !text.endsWith('\n')) {
    return ['The last line has no end.'];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => {
      const head = HELP.exec(line) ?? TYPE.exec(line);
      if (head !== null) {
        family = head.groups?.['name'] ?? '';
        return false;
      }
      const sample = SAMPLE.exec(line)?.groups?.['name'];
      return sample?.replace(/_(?:bucket|sum|count)$/u, '') !== family && sample !== family;
    });
}

describe('the text for Prometheus', () => {
  it('gives each figure its help, its type and its samples', () => {
    expect(
      prometheusText([
        single('latchkey_ready', 'gauge', 'Whether it serves.', 1),
        byLabel('latchkey_answers_total', 'counter', 'Answers.', 'answer', { accepted: 2, forged: 0 }),
        single('latchkey_age_seconds', 'gauge', 'Left out while nothing is known.', null),
      ]),
    ).toBe(
      [
        '# HELP latchkey_ready Whether it serves.',
        '# TYPE latchkey_ready gauge',
        'latchkey_ready 1',
        '# HELP latchkey_answers_total Answers.',
        '# TYPE latchkey_answers_total counter',
        'latchkey_answers_total{answer="accepted"} 2',
        'latchkey_answers_total{answer="forged"} 0',
        '',
      ].join('\n'),
    );
  });

  it('counts a duration in every bucket that reaches as far, and a longer one in +Inf alone', () => {
    const histogram = new Histogram([0.1, 1]);
    for (const seconds of [0.1, 0.5, 7]) {
      histogram.observe(seconds);
    }
    expect(
      prometheusText([histogram.metric('took_seconds', 'How long.')])
        .split('\n')
        .slice(2, -1),
    ).toEqual([
      'took_seconds_bucket{le="0.1"} 1',
      'took_seconds_bucket{le="1"} 2',
      'took_seconds_bucket{le="+Inf"} 3',
      'took_seconds_sum 7.6',
      'took_seconds_count 3',
    ]);
  });

  it('stays within the grammar with any label or help', () => {
    fc.assert(
      fc.property(fc.string(), anyText(), fc.double(), (help, label, value) => {
        const text = prometheusText([
          { name: 'figure', type: 'gauge', help, samples: [{ labels: { word: label }, value }] },
        ]);
        expect(faultsOf(text)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('is checked here by a reader that also finds wrong figures', () => {
    expect(faultsOf('# TYPE a gauge\na{b="c"d"} 1\nother 1\na one\n')).toHaveLength(3);
  });
});
