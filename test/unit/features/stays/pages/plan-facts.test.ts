// What today brings, and where the bars of the plan stand.
import { describe, expect, it } from 'vitest';
import { message } from '../../../../../src/domain/language/message.ts';
import { dayAfter, planLines, planRows, todayOf } from '../../../../../web/panel/stays/plan-facts.ts';
import { aStay, dayThere } from '../../../../stand-ins/account/stays.ts';

const TODAY = dayThere(0);
const LATE = { alarms: [message('The code is not on every lock.')] };

describe('what today brings', () => {
  it('counts who arrives, who leaves and what needs a person', () => {
    const stays = [
      aStay(0, 2),
      aStay(0, 3, LATE),
      aStay(-2, 0, { phase: 'arrived' }),
      aStay(1, 4, { obstacles: [message('The lock is offline.')] }),
      aStay(9, 12, { obstacles: [message('The lock is offline.')] }),
      aStay(-3, 0, { phase: 'gone', isCancelled: true }),
      aStay(0, 1, { phase: 'skipped', isSkipped: true, ...LATE }),
    ];
    const { arriving, leaving, needing } = todayOf(stays, TODAY);
    expect([arriving.length, leaving.length, needing.length]).toEqual([2, 1, 2]);
  });
});

describe('the plan of the homes', () => {
  it('has a row for each home, and bars from an afternoon to a morning within its days', () => {
    const homes = [
      { id: 'page:1', name: 'Flat 1' },
      { id: 'page:2', name: 'Flat 2' },
    ];
    const stays = [aStay(1, 3), aStay(-5, 1), aStay(12, 20), aStay(30, 33), aStay(4, 4)];
    const [one, two] = planRows(homes, stays, dayAfter(TODAY, -1), 14);
    expect(one?.bars.map(({ from, halves }) => [from, halves])).toEqual([
      [5, 4],
      [0, 5],
      [27, 1],
      [10, 2],
    ]);
    expect(two).toEqual({ id: 'page:2', name: 'Flat 2', bars: [] });
  });

  it('fills a line from end to end, cuts free time where today begins, and gives stays that overlap lines of their own', () => {
    const homes = [{ id: 'page:1', name: 'Flat 1' }];
    const stays = [aStay(1, 3), aStay(2, 4), aStay(4, 6)];
    const bars = planRows(homes, stays, dayAfter(TODAY, -1), 14)[0]?.bars ?? [];
    const lines = planLines(bars, 28, 2);
    const shape = lines.map((cells) => cells.map(({ stay, halves }) => (stay === null ? -halves : halves)));
    expect(shape).toEqual([
      [-2, -3, 4, -2, 4, -13],
      [-2, -5, 4, -17],
    ]);
    expect(planLines([], 28, -2).map((cells) => cells.length)).toEqual([1]);
  });
});
