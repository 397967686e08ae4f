// When wrong codes are an alert: the table of counts, windows and edges.
import { describe, expect, it } from 'vitest';
import { countWrongCode, type WrongCodeLimits } from '../../../src/homekit/wrong-code-policy.ts';

/** The instants of those wrong codes that were an alert. */
function alerts(limits: WrongCodeLimits, ...entered: readonly number[]): readonly number[] {
  let recent: readonly number[] = [];
  return entered.filter((at) => {
    const counted = countWrongCode(recent, at, limits);
    ({ recent } = counted);
    return counted.alert;
  });
}

const THREE_IN_FIVE_MINUTES = { count: 3, windowMs: 300_000 };

describe('three wrong codes within five minutes', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['none', [], []],
    ['one', [0], []],
    ['two', [0, 1], []],
    ['three in a row', [0, 1, 2], [2]],
    ['three at the same instant', [7, 7, 7], [7]],
    ['three, the last within the window by a millisecond', [0, 1, 299_999], [299_999]],
    ['three, the last a whole window after the first', [0, 1, 300_000], []],
    ['three far apart', [0, 300_000, 600_000], []],
    ['four, of which the last three are close', [0, 299_999, 300_000, 300_001], [300_001]],
    ['four: the count begins anew after the alert', [0, 1, 2, 3], [2]],
    ['three, told in another order', [299_999, 0, 1], [1]],
    ['three, of which the first is told last and too old', [300_000, 300_001, 0], []],
    ['six are two alerts', [0, 1, 2, 3, 4, 5], [2, 5]],
    ['seven with a long pause', [0, 1, 900_000, 900_001, 900_002, 900_003, 900_004], [900_002]],
  ])('%s', (_what, entered, expected) => {
    expect(alerts(THREE_IN_FIVE_MINUTES, ...entered)).toEqual(expected);
  });
});

describe('other limits', () => {
  it('of one make every wrong code an alert', () => {
    expect(alerts({ count: 1, windowMs: 60_000 }, 0, 1, 90_000)).toEqual([0, 1, 90_000]);
  });

  it('never remember more than they count', () => {
    let recent: readonly number[] = [];
    for (let at = 0; at < 1_000; at += 1) {
      ({ recent } = countWrongCode(recent, at, { count: 20, windowMs: 3_600_000 }));
      expect(recent.length).toBeLessThan(20);
    }
  });
});
