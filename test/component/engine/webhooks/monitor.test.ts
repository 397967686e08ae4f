// How far webhooks can be relied on: proven, doubted, and how often the service is asked for it.
import { describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { type LockId, lockId } from '../../../../src/domain/locks/lock.ts';
import { EventBus } from '../../../../src/engine/locks/event-bus.ts';
import { WebhookMonitor } from '../../../../src/engine/webhooks/monitor.ts';
import type { Log } from '../../../../src/support/log.ts';
import { ManualClock, settlePromises } from '../../../support/manual-clock.ts';

const FRONT = lockId('front-door');
const BACK = lockId('back-door');

/** Webhooks on a bus on which the test emits what the other modules find; open and proven where that is given. */
function watching(proof: 'event' | 'self-test' | null = null) {
  const clock = new ManualClock(undefined, settlePromises);
  const lines: string[] = [];
  let changes = 0;
  let gaps = 0;
  const log: Log = { debug() {}, info: (line) => lines.push(line), warn() {}, error() {} };
  const bus = new EventBus(log);
  bus.on('webhooks-changed', ({ report, previous }) => {
    changes += report.health === previous ? 0 : 1;
  });
  bus.on('gap', () => {
    gaps += 1;
  });
  const watch = new WebhookMonitor({ clock, log, bus });
  if (proof !== null) {
    watch.opened();
    if (proof === 'event') {
      watch.proved(FRONT);
    } else {
      watch.cameThrough();
    }
  }
  return {
    watch,
    clock,
    lines,
    changes: () => changes,
    gaps: () => gaps,
    foundByPoll: (id: LockId, to: BoltPosition) => {
      bus.emit({ type: 'move-found', id, to, since: 0 });
    },
    foundInHistory: (id: LockId) => {
      bus.emit({ type: 'move-missed', id });
    },
    unverified: () => {
      bus.emit({ type: 'unverified-received' });
    },
    remove: (id: LockId) => {
      bus.publish({ type: 'lock-removed', id, name: '' });
    },
  };
}

describe('webhooks', () => {
  it('are absent until a listener is open, doubted until one arrives, then proven, and absent again when it closes', () => {
    const { watch, clock, changes, foundByPoll } = watching();
    watch.proved(FRONT);
    expect(watch.health).toBe('absent');
    watch.opened();
    expect(watch.health).toBe('degraded');
    watch.proved(FRONT);
    expect([watch.health, changes()]).toEqual(['healthy', 2]);
    foundByPoll(FRONT, 'unsecured');
    watch.closed();
    expect([watch.health, clock.pendingTimers]).toEqual(['absent', 0]);
  });

  it('are doubted half a minute after a poll found an unannounced change, with one line (faults#54)', async () => {
    const { watch, clock, lines, foundByPoll } = watching('event');
    foundByPoll(FRONT, 'unsecured');
    await clock.advance(29_999);
    expect(watch.health).toBe('healthy');
    await clock.advance(1);
    foundByPoll(FRONT, 'secured');
    await clock.advance(60_000);
    expect([watch.health, lines.length]).toEqual(['degraded', 3]);
  });

  it.each<[string, BoltPosition, string]>([
    ['announces the same', 'unsecured', 'healthy'],
    ['announces something else', 'secured', 'degraded'],
  ])('stay healthy when a late event %s', async (_title, rest, health) => {
    const { watch, clock, foundByPoll } = watching('event');
    foundByPoll(FRONT, 'unsecured');
    await clock.advance(20_000);
    watch.announced(FRONT, rest);
    await clock.advance(60_000);
    expect(watch.health).toBe(health);
  });

  it('are doubted at once when the history shows an unannounced move, because it is read late enough (faults#54)', () => {
    const { watch, foundInHistory } = watching('self-test');
    foundInHistory(FRONT);
    expect(watch.report).toEqual({ health: 'degraded', because: 'missed-change' });
    watch.cameThrough();
    expect(watch.health).toBe('degraded');
  });

  it('that cannot be verified announce changes within half a minute, before and after', async () => {
    const { watch, clock, foundByPoll, unverified } = watching('self-test');
    unverified();
    await clock.advance(10_000);
    foundByPoll(FRONT, 'unsecured');
    await clock.advance(60_000);
    foundByPoll(FRONT, 'secured');
    await clock.advance(10_000);
    unverified();
    await clock.advance(60_000);
    expect(watch.report).toEqual({ health: 'healthy', because: 'self-test' });
  });

  it('that cannot be verified let a self-test prove the address again after an unannounced change', async () => {
    const { watch, clock, gaps, foundByPoll, unverified } = watching('self-test');
    foundByPoll(FRONT, 'unsecured');
    await clock.advance(30_000);
    unverified();
    expect(watch.report).toEqual({ health: 'degraded', because: 'missed-change' });
    watch.cameThrough();
    expect([watch.report, gaps()]).toEqual([{ health: 'healthy', because: 'self-test' }, 2]);
  });

  it('that missed a change are healthy again by an event only, not by a self-test', async () => {
    const { watch, clock, gaps, foundByPoll } = watching('self-test');
    expect(watch.report).toEqual({ health: 'healthy', because: 'self-test' });
    foundByPoll(FRONT, 'unsecured');
    await clock.advance(30_000);
    watch.cameThrough();
    expect(watch.report).toEqual({ health: 'degraded', because: 'missed-change' });
    watch.proved(FRONT);
    expect([watch.report, gaps()]).toEqual([{ health: 'healthy', because: 'event' }, 2]);
  });

  it.each<[string, (home: ReturnType<typeof watching>) => void]>([
    ['an event of that lock', ({ watch }) => watch.announced(FRONT, 'secured')],
    [
      'the events of others once that lock has left',
      ({ watch, remove }) => {
        remove(FRONT);
        watch.proved(BACK);
      },
    ],
  ])(
    'that never report one lock stay doubted while they report others, with one line each time, until %s',
    async (_title, heal) => {
      const home = watching();
      const { watch, clock, lines, foundByPoll } = home;
      watch.opened();
      watch.proved(BACK);
      for (const rest of ['unsecured', 'secured', 'unsecured', 'secured'] as const) {
        foundByPoll(FRONT, rest);
        await clock.advance(30_000);
        watch.proved(BACK);
      }
      expect(watch.report).toEqual({ health: 'degraded', because: 'missed-change' });
      // Nothing heard, heard, lost one, heard, lost another.
      expect(lines).toHaveLength(5);
      heal(home);
      expect(watch.report).toEqual({ health: 'healthy', because: 'event' });
    },
  );

  it('that are doubted report that each time, and not while they were unverified', async () => {
    const { watch, clock, foundByPoll } = watching();
    const doubts: string[] = [];
    const unsubscribe = watch.subscribe(({ report, previous }) => {
      if (previous === 'healthy' && report.health === 'degraded') {
        doubts.push(report.because);
      }
    });
    watch.opened();
    watch.proved(FRONT);
    foundByPoll(FRONT, 'unsecured');
    await clock.advance(30_000);
    watch.proved(FRONT);
    watch.fellSilent();
    watch.fellSilent();
    watch.proved(FRONT);
    unsubscribe();
    watch.fellSilent();
    expect(doubts).toEqual(['missed-change', 'silent']);
  });

  it('that stopped are healthy again by a self-test, and the locks are listed after the gap', () => {
    const { watch, gaps, changes } = watching('self-test');
    watch.fellSilent();
    expect(watch.report).toEqual({ health: 'degraded', because: 'silent' });
    watch.cameThrough();
    expect([watch.health, gaps(), changes()]).toEqual(['healthy', 2, 4]);
  });
});
