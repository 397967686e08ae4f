// A pulse: on for its length, prolonged by a start while it is on, and off once.
import { describe, expect, it } from 'vitest';
import { Pulse } from '../../../../src/homekit/hap/pulse.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function pulseOf(lengthMs: number): { pulse: Pulse; clock: ManualClock; shown: readonly boolean[] } {
  const clock = new ManualClock();
  const shown: boolean[] = [];
  return { clock, shown, pulse: new Pulse(clock, lengthMs, (on) => shown.push(on)) };
}

describe('a pulse', () => {
  it('ends by itself, at its length and not before', async () => {
    const { pulse, clock, shown } = pulseOf(5_000);
    pulse.start();
    await clock.advance(4_999);
    expect(shown).toEqual([true]);
    await clock.advance(1);
    expect(shown).toEqual([true, false]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('that is started again while it is on lasts its whole length from then, and ends once', async () => {
    const { pulse, clock, shown } = pulseOf(5_000);
    pulse.start();
    await clock.advance(4_000);
    pulse.start();
    await clock.advance(4_999);
    expect(shown).toEqual([true, true]);
    await clock.advance(1);
    expect(shown).toEqual([true, true, false]);
    await clock.advance(60_000);
    expect(shown).toEqual([true, true, false]);
  });

  it('can be ended at once, and leaves no timer', () => {
    const { pulse, clock, shown } = pulseOf(5_000);
    pulse.start();
    pulse.end();
    pulse.end();
    expect(shown).toEqual([true, false]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('that was not started has no end', () => {
    const { pulse, shown } = pulseOf(5_000);
    pulse.end();
    expect(shown).toEqual([]);
  });
});
