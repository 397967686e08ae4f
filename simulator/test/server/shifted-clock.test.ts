// The simulator's clock: it runs with its base, and a step of it skips nothing that falls due.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { ShiftedClock } from '../../src/time/shifted-clock.ts';

const START = Date.UTC(2026, 3, 14, 12);

describe('the shifted clock', () => {
  test('runs with its base', async () => {
    const base = new ManualClock(START);
    const clock = new ShiftedClock(base);
    const fired: number[] = [];
    clock.after(100, () => fired.push(clock.now()));
    await base.advance(99);
    expect(fired).toEqual([]);
    await base.advance(1);
    expect(fired).toEqual([START + 100]);
  });

  test('can begin at another moment', () => {
    const clock = new ShiftedClock(new ManualClock(START), START + 5000);
    expect([clock.now(), clock.monotonic()]).toEqual([START + 5000, 0]);
  });

  test('fires the timers of a step in order, each at its own instant, those set on the way included', () => {
    const clock = new ShiftedClock(new ManualClock(START));
    const fired: (readonly [string, number])[] = [];
    const at = (name: string, delayMs: number, then = (): void => undefined) =>
      clock.after(delayMs, () => {
        fired.push([name, clock.now() - START]);
        then();
      });
    at('late', 300);
    at('early', 100, () => at('nested', 50));
    at('never', 1000);
    clock.advance(500);
    expect(fired).toEqual([
      ['early', 100],
      ['nested', 150],
      ['late', 300],
    ]);
    expect(clock.now()).toBe(START + 500);
  });

  test('makes timers that are due after the step fire that much sooner on the base', async () => {
    const base = new ManualClock(START);
    const clock = new ShiftedClock(base);
    const fired: number[] = [];
    clock.after(1000, () => fired.push(base.now() - START));
    clock.advance(900);
    await base.advance(100);
    expect(fired).toEqual([100]);
  });

  test('does not fire a cancelled timer, and stopping leaves none behind', async () => {
    const base = new ManualClock(START);
    const clock = new ShiftedClock(base);
    clock.after(10, () => expect.unreachable())();
    clock.after(20, () => expect.unreachable());
    clock.advance(5);
    clock.stop();
    clock.advance(100);
    await base.advance(100);
    expect(base.pendingTimers).toBe(0);
  });

  test('fires the same timers in the same order for any division of a time into steps and waits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 8 }),
        fc.array(fc.record({ ms: fc.integer({ min: 0, max: 300 }), step: fc.boolean() }), { maxLength: 6 }),
        async (delays, moves) => {
          const base = new ManualClock(START);
          const clock = new ShiftedClock(base);
          const fired: (readonly [number, number])[] = [];
          for (const [index, delayMs] of delays.entries()) {
            clock.after(delayMs, () => fired.push([index, clock.now() - START]));
          }
          for (const { ms, step } of moves) {
            await (step ? clock.advance(ms) : base.advance(ms));
          }
          const end = moves.reduce((sum, { ms }) => sum + ms, 0);
          const due = delays
            .map((delayMs, index) => [index, delayMs] as const)
            .filter(([, delayMs]) => delayMs <= end);
          // A timer of no delay waits for the next move.
          const moved =
            moves.length > 0 ? due.sort((left, right) => left[1] - right[1] || left[0] - right[0]) : [];
          expect(fired).toEqual(moved);
        },
      ),
    );
  });
});
