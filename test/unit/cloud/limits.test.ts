// The waits that the service asks for, whatever it writes, and the gate that keeps them.
import { describe, expect, it } from 'vitest';
import { askedWaitMs, CallGate } from '../../../src/cloud/http/limits.ts';
import { WaitError } from '../../../src/support/errors.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 3, 14, 12);

describe('the wait of an answer', () => {
  it.each([
    [{ 'x-retry-after': '37' }, 37_000],
    [{ 'x-retry-after': '0' }, 1_000],
    [{ 'retry-after': '0.2' }, 1_000],
    [{ 'x-retry-after': '-37' }, 60_000],
    [{ 'x-retry-after': 'soon' }, 60_000],
    [{ 'x-retry-after': '37000' }, 37_000_000],
    [{ 'x-retry-after': '99999999999999999999' }, DAY_MS],
    [{ 'x-retry-after': '9'.repeat(400) }, DAY_MS],
    [{ 'retry-after': 'Thu, 31 Dec 2099 23:59:59 GMT' }, DAY_MS],
    [{ 'x-rate-limit-reset': '2099-12-31T23:59:59Z' }, DAY_MS],
    [{ 'x-rate-limit-reset': '4102444799' }, DAY_MS],
    [{}, 60_000],
  ])(
    'with 429 and %j is %d ms: no call at once, and none stopped for years (faults#142)',
    (headers, waitMs) => {
      expect(askedWaitMs({ status: 429, headers }, '', NOW)).toBe(waitMs);
    },
  );

  it('with 503 is the one that is named, if any, and a minute at most (faults#172)', () => {
    expect(askedWaitMs({ status: 503, headers: { 'retry-after': '0' } }, '', NOW)).toBe(1_000);
    expect(askedWaitMs({ status: 503, headers: { 'retry-after': '59' } }, '', NOW)).toBe(59_000);
    expect(askedWaitMs({ status: 503, headers: { 'retry-after': '3600' } }, '', NOW)).toBe(60_000);
    expect(askedWaitMs({ status: 503, headers: {} }, '', NOW)).toBeNull();
    expect(askedWaitMs({ status: 500, headers: { 'retry-after': '9' } }, '', NOW)).toBeNull();
  });
});

describe('the gate', () => {
  function stopped(ms = DAY_MS) {
    const clock = new ManualClock();
    const gate = new CallGate(clock);
    gate.begin('command', ms);
    /** How long a call has to wait; 0 when it is let through. */
    const waitMs = (): number | null => {
      try {
        gate.pass('command');
        return 0;
      } catch (error) {
        return error instanceof WaitError ? error.waitMs : null;
      }
    };
    return { clock, gate, waitMs };
  }

  it('lets nothing through that nobody tapped, until the end of the pause', async () => {
    const { clock, waitMs } = stopped();
    expect(waitMs()).toBe(DAY_MS);
    await clock.advance(DAY_MS - 1);
    expect(waitMs()).toBe(1);
    await clock.advance(1);
    expect(waitMs()).toBe(0);
  });

  it('lets one tapped call through after a minute, and the next a minute later', async () => {
    const { clock, gate, waitMs } = stopped();
    gate.tapped();
    expect(waitMs()).toBe(60_000);
    await clock.advance(59_000);
    gate.tapped();
    expect(waitMs()).toBe(1_000);
    await clock.advance(1_000);
    expect([waitMs(), waitMs()]).toEqual([0, 60_000]);
    await clock.advance(31_000);
    expect(waitMs()).toBe(DAY_MS - 91_000);
    gate.tapped();
    expect(waitMs()).toBe(29_000);
    await clock.advance(29_000);
    gate.tapped();
    expect(waitMs()).toBe(0);
  });

  it('believes the answer to such a call, a shorter pause as well as none', async () => {
    const { clock, gate, waitMs } = stopped();
    await clock.advance(60_000);
    gate.tapped();
    expect(waitMs()).toBe(0);
    expect(gate.begin('command', 5_000)).toBe(5_000);
    expect(waitMs()).toBe(5_000);
    await clock.advance(5_000);
    expect(waitMs()).toBe(0);
    gate.begin('command', DAY_MS);
    await clock.advance(60_000);
    gate.tapped();
    expect(waitMs()).toBe(0);
    gate.taken('command');
    expect([waitMs(), gate.longPauseMs]).toEqual([0, null]);
  });

  it('does not take the answer to an earlier call for the end of a pause', () => {
    const { gate, waitMs } = stopped();
    gate.taken('command');
    gate.begin('command', 5_000);
    expect(waitMs()).toBe(DAY_MS);
  });

  it('never holds a tap up for longer than a short pause lasts', () => {
    const { gate, waitMs } = stopped(5_000);
    gate.tapped();
    expect(waitMs()).toBe(5_000);
  });
});
