// The clock of a soak: it leaps over rest alone, to the next thing that is due, and no further than it is allowed to.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeapTimers } from '../../soak/leap-timers.ts';
import { Leaper } from '../../soak/leaper.ts';

const ENOUGH_LOOKS = 40;
const HOUR_MS = 3_600_000;

/** A home that does nothing by itself; `now` is true time and leaps. */
class Resting {
  trueMs = 1_000;
  work = 0;
  readonly fired: (readonly [name: string, at: number])[] = [];
  readonly file = { leaptMs: 0, limitAt: Number.POSITIVE_INFINITY };
  readonly timers = new LeapTimers(() => this.now);
  readonly leaper = new Leaper({
    now: () => this.now,
    timers: this.timers,
    file: this.file,
    underWay: () => this.work,
  });

  get now(): number {
    return this.trueMs + this.file.leaptMs;
  }

  in(delayMs: number, name: string): void {
    this.timers.set(delayMs, () => this.fired.push([name, this.now]));
  }

  look(times = ENOUGH_LOOKS): void {
    for (let look = 0; look < times; look += 1) {
      this.leaper.look();
    }
  }
}

describe('the clock of a soak', () => {
  it('leaps from timer to timer, and each fires at its own time', () => {
    const home = new Resting();
    home.in(2 * HOUR_MS, 'later');
    home.in(HOUR_MS, 'sooner');
    home.in(HOUR_MS, 'at once with it');
    home.look();
    expect(home.fired).toEqual([
      ['sooner', 1_000 + HOUR_MS],
      ['at once with it', 1_000 + HOUR_MS],
      ['later', 1_000 + 2 * HOUR_MS],
    ]);
  });

  it('runs truly while work is under way, so that a deadline keeps its length', () => {
    const home = new Resting();
    home.in(2_000, 'deadline');
    home.work = 1;
    home.look();
    expect(home.file.leaptMs).toBe(0);
    home.trueMs += 1_999;
    home.look();
    expect(home.fired).toEqual([]);
    home.trueMs += 1;
    home.look();
    expect(home.fired).toEqual([['deadline', 3_000]]);
  });

  it('does not leap in the turns after an answer, in which its reader is at work', () => {
    const home = new Resting();
    home.in(HOUR_MS, 'next listing');
    home.leaper.noteWork();
    home.look(3);
    expect(home.file.leaptMs).toBe(0);
    home.look();
    expect(home.fired).toHaveLength(1);
  });

  it('leaps to the limit and no further, and not at all where it is held', () => {
    const home = new Resting();
    home.in(HOUR_MS, 'past the limit');
    home.file.limitAt = 0;
    home.look();
    expect(home.now).toBe(1_000);
    home.file.limitAt = 1_000 + HOUR_MS / 2;
    home.look();
    expect(home.now).toBe(1_000 + HOUR_MS / 2);
    expect(home.fired).toEqual([]);
  });

  it('forgets a timer that was cleared, and fires one that was set anew at its new time', () => {
    const home = new Resting();
    const timer = home.timers.set(HOUR_MS, () => home.fired.push(['renewed', home.now]));
    home.timers.clear(home.timers.set(HOUR_MS / 4, () => home.fired.push(['cleared', home.now])));
    home.trueMs += HOUR_MS / 2;
    home.timers.postpone(timer, HOUR_MS);
    home.look();
    expect(home.fired).toEqual([['renewed', 1_000 + 1.5 * HOUR_MS]]);
  });

  it('fires any timers in the order in which they are due, none early and none past the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 100_000 }),
        (delays, limitMs) => {
          const home = new Resting();
          home.file.limitAt = 1_000 + limitMs;
          for (const delayMs of delays) {
            home.in(delayMs, String(delayMs));
          }
          home.look(10 * ENOUGH_LOOKS);
          const due = delays.filter((delayMs) => delayMs <= limitMs).toSorted((a, b) => a - b);
          // Two milliseconds are not worth a leap: true time brings the last ones.
          home.trueMs += 2;
          home.look();
          expect(home.fired.map(([name]) => Number(name)).slice(0, due.length)).toEqual(due);
          expect(home.fired.every(([name, at]) => at >= 1_000 + Number(name))).toBe(true);
        },
      ),
    );
  });
});
