// What makes a house look back: an outage, a lock that was away, somebody unknown at the door; and what it forgets.
import { describe, expect, it } from 'vitest';
import { type LockId, lockId, unknownLock } from '../../../src/domain/lock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { HistoryService } from '../../../src/sync/history/history-service.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import { Remembering, Shelf } from './pretend-memory.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
const description = { name: '', model: '', serial: '', firmware: '', role: 'owner' } as const;

/** A history that is up to date with both doors, a minute ago. */
async function upToDate() {
  const clock = new ManualClock(undefined, settlePromises);
  const service = new Remembering();
  const archive = new Shelf();
  const unannounced: LockId[] = [];
  const history = new HistoryService({
    service,
    archive,
    clock,
    serviceClock: clock,
    log: silentLog,
    busy: () => false,
    relied: () => true,
    unannounced: (id) => unannounced.push(id),
  });
  const list = (updatedAt: number): void => {
    const locks = [FRONT, BACK].map((id) => ({
      id,
      description,
      bolt: 'secured' as const,
      connected: true,
      lastHeardAt: null,
      updatedAt,
      battery: { grade: 'normal', percent: 50 } as const,
    }));
    history.listed({ askedAt: clock.now(), complete: true, locks });
  };
  list(1);
  await clock.advance(600_000);
  for (const id of [FRONT, BACK]) {
    history.heard({ type: 'connectivity', connected: true, eventId: id, at: clock.now(), lockId: id });
  }
  service.asked.length = 0;
  const read = async (): Promise<readonly LockId[]> => {
    list(2);
    await clock.advance(60_000);
    return service.asked.map(({ lock }) => lock);
  };
  return { clock, service, archive, history, list, read, unannounced };
}

describe('a house', () => {
  it('does not look back while it was told of everything', async () => {
    const { history, clock, archive, read } = await upToDate();
    const by = { method: 'thumbturn', id: null, name: null } as const;
    history.heard({
      type: 'bolt',
      bolt: 'secured',
      accessor: by,
      eventId: 'e',
      at: clock.now(),
      lockId: FRONT,
    });
    expect(await read()).toEqual([]);
    expect(archive.told.map(({ id }) => id)).toEqual(['e']);
  });

  it('looks back at all doors after a gap', async () => {
    const { history, read } = await upToDate();
    history.gap();
    expect(await read()).toEqual([FRONT, BACK]);
  });

  it('looks back at a door of which an event does not say who moved it, and does not keep that event', async () => {
    const { history, clock, archive, read } = await upToDate();
    // Our time of the service may be behind what it says by as much as this.
    const at = clock.now() + 1_500;
    const by = { method: 'unavailable', id: null, name: null } as const;
    history.heard({
      type: 'bolt',
      bolt: 'unsecured',
      accessor: by,
      eventId: 'e',
      at,
      lockId: BACK,
    });
    expect(await read()).toEqual([BACK]);
    expect(archive.told).toEqual([]);
  });

  it.each(['offline', 'missing'] as const)(
    'looks back at a door that was %s and is back',
    async (presence) => {
      const { history, clock, read } = await upToDate();
      const previous = { ...unknownLock(BACK, description), presence };
      const lock = { ...previous, presence: 'reachable' as const, presenceAt: clock.now() };
      history.happened({ type: 'lock-changed', lock: previous, previous: lock });
      expect(await read()).toEqual([]);
      history.happened({ type: 'lock-changed', lock, previous });
      expect(await read()).toEqual([BACK]);
    },
  );

  it.each([true, false])(
    'doubts a move unless a command of ours explains it (a command: %s)',
    async (ours) => {
      const { history, clock, service, list, unannounced } = await upToDate();
      const by = { method: 'platform', id: null, name: null } as const;
      await clock.advance(600_000);
      const at = clock.now();
      if (ours) {
        const previous = unknownLock(BACK, description);
        const inFlight = { target: 'secured', before: 'unsecured', from: at - 2_000, until: at } as const;
        history.happened({ type: 'lock-changed', lock: { ...previous, inFlight }, previous });
      }
      service.entries = [{ id: 'h', at, offsetMinutes: null, what: 'secured', by }];
      list(at);
      await clock.advance(60_000);
      expect(unannounced.includes(BACK)).toBe(!ours);
    },
  );

  it('forgets a lock that is gone, with all that waits', async () => {
    const { history, clock, archive, read } = await upToDate();
    archive.lines.set(BACK, []);
    const by = { method: 'thumbturn', id: null, name: null } as const;
    history.heard({
      type: 'bolt',
      bolt: 'secured',
      accessor: by,
      eventId: 'e',
      at: clock.now(),
      lockId: BACK,
    });
    history.happened({ type: 'lock-removed', id: BACK, name: 'Back door' });
    expect([archive.lines.has(BACK), await read(), archive.told]).toEqual([false, [], []]);
  });

  it('keeps what it was told when it ends, and leaves no timer', async () => {
    const { history, clock, archive } = await upToDate();
    history.heard({ type: 'alarm', eventId: 'e', at: clock.now(), lockId: FRONT });
    history.gap();
    history.dispose();
    expect([archive.told.map(({ what }) => what), clock.pendingTimers]).toEqual([['alarm'], 0]);
  });
});
