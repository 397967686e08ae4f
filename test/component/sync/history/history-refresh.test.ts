// The history of all locks: the service is called only for locks with news, and a failure is reported.
import { describe, expect, it } from 'vitest';
import { verbatim } from '../../../../src/domain/language/message.ts';
import { type LockId, lockId } from '../../../../src/domain/locks/lock.ts';
import { RelinkError, RetryError } from '../../../../src/support/errors.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { HistoryReader } from '../../../../src/sync/history/history-reader.ts';
import { EventBus } from '../../../../src/sync/locks/event-bus.ts';
import { NO_PAGES } from '../../../homes/absent-parts.ts';
import { MemoryArchive } from '../../../stand-ins/database/history.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { named } from '../../../support/named-lock.ts';

const LOCKS = ['a', 'b', 'c', 'd', 'e', 'f'].map(lockId);

const READING = {
  description: named('Door'),
  bolt: 'secured',
  connected: true,
  lastConnectedAt: null,
  wifiDbm: null,
  battery: { grade: 'normal', percent: 80 },
} as const;

function opened() {
  const bus = new EventBus(silentLog);
  const archive = new MemoryArchive();
  const asked: LockId[] = [];
  const state: { fault: Error | null; atOnce: number; most: number } = { fault: null, atOnce: 0, most: 0 };
  const service = {
    history: async (id: LockId) => {
      asked.push(id);
      state.atOnce += 1;
      state.most = Math.max(state.most, state.atOnce);
      await Promise.resolve();
      state.atOnce -= 1;
      if (state.fault !== null) {
        throw state.fault;
      }
      return { entries: [], limit: 100 };
    },
  };
  const clock = new ManualClock();
  const time = { clock, serviceClock: clock };
  const archived = new HistoryReader({ bus, service, archive, pages: NO_PAGES, ...time, log: silentLog });
  const list = (updatedAt: number | null): void => {
    const locks = LOCKS.map((id) => ({ ...READING, id, updatedAt }));
    bus.emit({ type: 'listed', listing: { locks, askedAt: 1, complete: true } });
  };
  return { archived, asked, state, list };
}

describe('the history of all locks', () => {
  it('calls the service once for each lock, then only for those with news, and four at a time', async () => {
    const { archived, asked, state, list } = opened();
    expect([await archived.refresh(LOCKS), asked]).toEqual([null, []]);
    list(1_000);
    expect(await archived.refresh(LOCKS)).toBeNull();
    expect([asked, state.most]).toEqual([LOCKS, 4]);
    await archived.refresh(LOCKS);
    expect(asked).toHaveLength(6);
    list(2_000);
    await archived.refresh(LOCKS.slice(0, 1));
    expect(asked.slice(6)).toEqual(LOCKS.slice(0, 1));
  });

  it('calls it each time where the service does not say when a lock changed', async () => {
    const { archived, asked, list } = opened();
    list(null);
    await archived.refresh(LOCKS.slice(0, 1));
    await archived.refresh(LOCKS.slice(0, 1));
    expect(asked).toHaveLength(2);
  });

  it('says why the newest entries may be missing, stops calling, and calls again the next time', async () => {
    const { archived, asked, state, list } = opened();
    list(1_000);
    state.fault = new RetryError('unreachable', 'The service cannot be reached.');
    expect(await archived.refresh(LOCKS)).toEqual(verbatim('The service cannot be reached.'));
    expect(asked).toHaveLength(4);
    state.fault = null;
    expect([await archived.refresh(LOCKS), asked.length]).toEqual([null, 10]);
  });

  it('rejects where only a person can help', async () => {
    const { archived, state, list } = opened();
    list(1_000);
    state.fault = new RelinkError('revoked', 'The link has ended.');
    await expect(archived.refresh(LOCKS)).rejects.toThrow('The link has ended.');
  });
});
