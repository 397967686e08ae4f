// Whether an event is new: known ids, bounded memory, and questions to the disk.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import { silentLog } from '../../../src/support/log.ts';
import { MOST_IDS_HELD, ReplayGuard } from '../../../src/webhook/replay-guard.ts';
import { MemoryLedger } from '../../stand-ins/database/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const start = Date.UTC(2026, 3, 14, 12);
const event = (eventId: string, at: number | null = start): ServiceEvent => ({
  type: 'alarm',
  eventId,
  at,
  lockId: null,
});

/** What is still held counts, not what was: the collector is not to be had otherwise within a running process. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

function guard(ledger = new MemoryLedger()): {
  guard: ReplayGuard;
  ledger: MemoryLedger;
  clock: ManualClock;
} {
  const clock = new ManualClock(start);
  return { guard: new ReplayGuard({ ledger, serviceClock: clock, log: silentLog }), ledger, clock };
}

describe('the replay guard', () => {
  it('tells new events from emitted and stored ones', () => {
    const { guard: replay } = guard();
    expect(replay.meet(event('a'))).toBe('new');
    expect(replay.meet(event('a'))).toBe('emitted');
    replay.add(event('a'));
    expect(replay.meet(event('a'))).toBe('kept');
  });

  it('refuses what is older than 25 hours, and nothing that is 25 hours old', () => {
    const { guard: replay } = guard();
    expect(replay.meet(event('a', start - 25 * 3_600_000))).toBe('new');
    expect(replay.meet(event('b', start - 25 * 3_600_000 - 1))).toBe('too-old');
  });

  it('holds 10,000 of a million ids at most, in less than 10 MB, and still knows the others (faults#48)', () => {
    const { guard: replay, ledger } = guard();
    const distinct = 1_000_000;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    for (let index = 0; index < distinct; index += 1) {
      const met = event(`e-${String(index)}-of-a-flood`, start + (index % 3));
      replay.meet(met);
      most = Math.max(most, replay.held);
    }
    expect(most).toBe(MOST_IDS_HELD);
    expect(MOST_IDS_HELD).toBe(10_000);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1_048_576);
    ledger.appendAll([{ event: event('e-0-of-a-flood'), receivedAt: start }]);
    expect(replay.meet(event('e-0-of-a-flood'))).toBe('kept');
  });

  it('asks the disk only for ids that it may have forgotten', () => {
    const { guard: replay, ledger } = guard();
    for (let index = 0; index < 2 * MOST_IDS_HELD; index += 1) {
      replay.meet(event(String(index), start + index));
    }
    expect(ledger.asked).toBe(0);
    replay.meet(event('late', start + 5));
    expect(ledger.asked).toBe(1);
    replay.meet(event('timeless', null));
    expect(ledger.asked).toBe(2);
  });

  it('knows the last 5,000 without the disk, and also which of them are on it', () => {
    const { guard: replay, ledger } = guard();
    const ids = Array.from({ length: 17_500 }, (_, index) => String(index));
    for (const id of ids) {
      replay.meet(event(id));
    }
    const last = ids.slice(-MOST_IDS_HELD / 2);
    replay.add(event(last[0] ?? ''));
    const asked = ledger.asked;
    expect(last.map((id) => replay.meet(event(id)))).toEqual(['kept', ...last.slice(1).map(() => 'emitted')]);
    expect(ledger.asked).toBe(asked);
  });

  it('keeps an id that comes again and again, however many others come', () => {
    const { guard: replay, ledger } = guard();
    expect(replay.meet(event('again'))).toBe('new');
    for (let index = 0; index < 5 * MOST_IDS_HELD; index += 1) {
      replay.meet(event(String(index), start + index));
      if (index % 4_000 === 0) {
        expect(replay.meet(event('again', start - 1))).toBe('emitted');
      }
    }
    expect(ledger.asked).toBe(0);
  });

  it('asks the disk for events that may have come before a restart', () => {
    const ledger = new MemoryLedger();
    ledger.appendAll([{ event: event('before', start), receivedAt: start }]);
    const { guard: replay } = guard(ledger);
    expect(replay.meet(event('before'))).toBe('kept');
    expect(replay.meet(event('older', start - 1))).toBe('new');
    expect(ledger.asked).toBe(2);
    expect(replay.meet(event('after', start + 1))).toBe('new');
    expect(ledger.asked).toBe(2);
  });

  it('takes an event for new when the disk fails', () => {
    const ledger = new MemoryLedger();
    ledger.broken = true;
    const { guard: replay } = guard(ledger);
    expect(replay.meet(event('a'))).toBe('new');
    expect(replay.meet(event('a'))).toBe('emitted');
  });

  it('passes each event once, in any order and number, across restarts', () => {
    const arrivals = fc.array(fc.record({ id: fc.nat(8), restart: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(arrivals, (sequence) => {
        const ledger = new MemoryLedger();
        let { guard: replay } = guard(ledger);
        const emitted: number[] = [];
        for (const { id, restart } of sequence) {
          if (restart) {
            replay = guard(ledger).guard;
          }
          const met = event(String(id), start - id * 1_000);
          if (replay.meet(met) === 'new') {
            emitted.push(id);
          }
          ledger.appendAll([{ event: met, receivedAt: start }]);
          replay.add(met);
        }
        expect(emitted).toHaveLength(new Set(sequence.map(({ id }) => id)).size);
      }),
    );
  });
});
