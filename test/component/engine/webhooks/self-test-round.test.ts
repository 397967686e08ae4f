// The path of webhooks, tested whenever it has been quiet: a silence without any change is noticed.
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import type { SelfTestFinding } from '../../../../src/domain/webhooks/report.ts';
import { EventBus } from '../../../../src/engine/locks/event-bus.ts';
import { WebhookMonitor } from '../../../../src/engine/webhooks/monitor.ts';
import { SelfTestRound } from '../../../../src/engine/webhooks/self-test-round.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { ManualClock, settlePromises } from '../../../support/manual-clock.ts';

const FRONT = lockId('front-door');

const MINUTE = 60_000;

function round(testable = true) {
  const clock = new ManualClock(undefined, settlePromises);
  const lines: string[] = [];
  const log = { ...silentLog, info: (line: string) => lines.push(line) };
  const watch = new WebhookMonitor({ clock, log, bus: new EventBus(log) });
  watch.opened();
  const way = { finding: 'came-through' as SelfTestFinding, testable, tests: 0, onTest(): void {} };
  const tests = new SelfTestRound({
    watch,
    test: async () => {
      way.tests += 1;
      way.onTest();
      return Promise.resolve({ finding: way.finding, status: 204, tookMs: 1, at: clock.now() });
    },
    testable: () => way.testable,
    clock,
  });
  return { clock, watch, lines, way, tests };
}

describe('webhooks in an account where nothing happens', () => {
  it('are proven by a test at once, and stay so by one every five minutes', async () => {
    const { clock, watch, way, tests, lines } = round();
    tests.testIfDue();
    await clock.advance(0);
    expect([watch.report, way.tests]).toEqual([{ health: 'healthy', because: 'self-test' }, 1]);
    await clock.advance(60 * MINUTE);
    expect([watch.health, way.tests, lines.length]).toEqual(['healthy', 13, 2]);
  });

  it('that stop are noticed within two listings, with one line, and so is their return (faults#54)', async () => {
    const { clock, watch, way, tests, lines } = round();
    tests.testIfDue();
    await clock.advance(30 * MINUTE);
    way.finding = 'unreachable';
    await clock.advance(2 * 5 * MINUTE);
    expect(watch.report).toEqual({ health: 'degraded', because: 'silent' });
    expect(tests.last?.finding).toBe('unreachable');
    await clock.advance(10 * 60 * MINUTE);
    expect(lines).toHaveLength(3);
    way.finding = 'came-through';
    await clock.advance(15 * MINUTE);
    expect([watch.health, lines.length]).toEqual(['healthy', 4]);
  });

  it('are proven by their events alone where the account cannot reach itself, for half a day each', async () => {
    const { clock, watch, way, tests } = round();
    way.finding = 'unreachable';
    tests.testIfDue();
    await clock.advance(60 * MINUTE);
    expect(watch.report).toEqual({ health: 'degraded', because: 'none-received' });
    watch.proved(FRONT);
    await clock.advance(11 * 60 * MINUTE);
    expect(watch.health).toBe('healthy');
    await clock.advance(70 * MINUTE);
    expect(watch.report).toEqual({ health: 'degraded', because: 'silent' });
  });

  it('that arrive although tests are lost are believed from then on, because the tests prove nothing here', async () => {
    const { clock, watch, way, tests, lines } = round();
    tests.testIfDue();
    await clock.advance(MINUTE);
    way.finding = 'unreachable';
    await clock.advance(20 * MINUTE);
    watch.proved(FRONT);
    const before = lines.length;
    await clock.advance(10 * 60 * MINUTE);
    expect([watch.health, lines.length]).toEqual(['healthy', before]);
  });

  it('are not proven by a test while the service does not have the address', async () => {
    const { clock, watch, way, tests } = round(false);
    tests.testIfDue();
    await clock.advance(60 * MINUTE);
    expect(way.tests).toBe(0);
    await tests.testNow();
    expect(watch.health).toBe('degraded');
    way.testable = true;
    tests.testIfDue();
    await clock.advance(0);
    expect(watch.health).toBe('healthy');
  });

  it('are tested again 30 s and 90 s after a test that was lost, then ever less often', async () => {
    const { clock, way, tests } = round();
    way.finding = 'unreachable';
    const at: number[] = [];
    way.onTest = () => at.push(clock.monotonic());
    tests.testIfDue();
    await clock.advance(20 * MINUTE);
    const [first = 0] = at;
    expect(at.map((each) => (each - first) / 1_000)).toEqual([0, 30, 90, 210, 450, 930]);
  });

  it('are not tested after the round is stopped, which leaves no timer', async () => {
    const { clock, way, tests } = round();
    tests.testIfDue();
    await clock.advance(0);
    tests.dispose();
    await clock.advance(60 * MINUTE);
    expect([way.tests, clock.pendingTimers]).toEqual([1, 0]);
  });
});
