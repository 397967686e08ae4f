// What was missed, read from the service one lock at a time, and what people are told of the past.
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/domain/history.ts';
import { type LockId, lockId } from '../../../src/domain/lock.ts';
import type { Listing } from '../../../src/domain/ports.ts';
import type { ServiceEvent } from '../../../src/domain/service-event.ts';
import { FinalError, RelinkError, RetryError, WaitError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { HistoryCatchUp } from '../../../src/sync/history/history-catch-up.ts';
import { HistoryReader } from '../../../src/sync/history/history-reader.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import { Remembering, Shelf } from './pretend-memory.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
const BY = { method: 'thumbturn', id: null, name: null } as const;

function entry(id: string, at = 1_000): HistoryEntry {
  return { id, at, offsetMinutes: 60, what: 'secured', by: BY };
}

function event(eventId: string): ServiceEvent {
  return { type: 'bolt', bolt: 'secured', accessor: BY, eventId, at: 1_000, lockId: FRONT };
}

function desk() {
  const clock = new ManualClock(undefined, settlePromises);
  const service = new Remembering();
  const archive = new Shelf();
  // Both were listed by an earlier run.
  archive.begin([FRONT, BACK].map((each) => ({ lockId: each, updatedAt: 1 })));
  archive.commits = 0;
  const lines: string[] = [];
  const log = {
    ...silentLog,
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
  };
  const book = new HistoryReader({ service, archive, clock, serviceClock: clock, log });
  const traffic = { busy: false, relied: true };
  const unannounced: (readonly [LockId, number])[] = [];
  const catchUp = new HistoryCatchUp({
    book,
    archive,
    busy: () => traffic.busy,
    relied: () => traffic.relied,
    unannounced: (id, at) => unannounced.push([id, at]),
    clock,
    log,
  });
  /** All that listings are going to say was told by events. */
  const allTold = (): void => {
    catchUp.told(clock.now(), FRONT);
    catchUp.told(clock.now(), BACK);
  };
  return { clock, service, archive, lines, book, catchUp, traffic, unannounced, allTold };
}

function listing(clock: ManualClock, updated: Readonly<Record<string, number | null>>): Listing {
  const description = { name: '', model: '', serial: '', firmware: '', role: 'owner' } as const;
  return {
    askedAt: clock.now(),
    complete: true,
    locks: Object.entries(updated).map(([id, updatedAt]) => ({
      id: lockId(id),
      description,
      bolt: 'secured',
      connected: true,
      lastHeardAt: null,
      updatedAt,
      battery: { grade: 'normal', percent: 50 },
    })),
  };
}

describe('what was missed', () => {
  it('is read after the first listing, one lock at a time, whole, and never twice without news', async () => {
    const { clock, service, catchUp } = desk();
    catchUp.listed(listing(clock, { front: 10, back: 20 }));
    expect(service.asked).toEqual([]);
    await clock.advance(6_000);
    expect(service.asked).toEqual([{ lock: FRONT, limit: 100, deviceTime: true }]);
    await clock.advance(6_000);
    expect(service.asked.map(({ lock }) => lock)).toEqual([FRONT, BACK]);
    catchUp.missed(clock.now());
    catchUp.listed(listing(clock, { front: 10, back: 20 }));
    await clock.advance(3_600_000);
    expect([service.asked.length, clock.pendingTimers]).toEqual([2, 0]);
  });

  it('is nothing of a lock that was never known: 149 new locks cost no call until there is news', async () => {
    const { clock, service, archive, catchUp } = desk();
    const doors = Array.from({ length: 149 }, (_, door) => `door ${String(door)}`);
    const at = (updatedAt: number) => Object.fromEntries(doors.map((door) => [door, updatedAt]));
    catchUp.listed(listing(clock, at(10)));
    catchUp.listed(listing(clock, at(10)));
    await clock.advance(3_600_000);
    expect([service.asked.length, archive.commits, clock.pendingTimers]).toEqual([0, 1, 0]);
    catchUp.missed(clock.now());
    catchUp.listed(listing(clock, { ...at(10), 'door 7': 11 }));
    await clock.advance(3_600_000);
    expect(service.asked.map(({ lock }) => lock)).toEqual(['door 7']);
  });

  it('begins anew for a lock that left and came back', async () => {
    const { clock, service, archive, catchUp } = desk();
    catchUp.listed(listing(clock, { front: 1 }));
    catchUp.forget(FRONT);
    archive.forget(FRONT);
    catchUp.missed(clock.now());
    catchUp.listed(listing(clock, { front: 10 }));
    await clock.advance(60_000);
    expect([service.asked.length, archive.marks.get(FRONT)]).toEqual([0, 10]);
  });

  it('is looked for only after a gap, and only where the service knows something new', async () => {
    const { clock, service, catchUp, allTold } = desk();
    allTold();
    catchUp.listed(listing(clock, { front: 10, back: 20 }));
    await clock.advance(600_000);
    catchUp.listed(listing(clock, { front: 11, back: 21 }));
    await clock.advance(600_000);
    expect(service.asked).toHaveLength(2);
    catchUp.missed(clock.now());
    catchUp.listed(listing(clock, { front: 11, back: 20 }));
    await clock.advance(600_000);
    expect(service.asked.slice(2).map(({ lock }) => lock)).toEqual([FRONT]);
  });

  it('waits for a listing that was asked after the gap', async () => {
    const { clock, service, catchUp, allTold } = desk();
    allTold();
    catchUp.listed(listing(clock, { front: 10 }));
    await clock.advance(600_000);
    const old = listing(clock, { front: 11 });
    await clock.advance(1);
    catchUp.missed(clock.now());
    catchUp.listed(old);
    await clock.advance(600_000);
    expect(service.asked).toHaveLength(1);
    catchUp.listed(listing(clock, { front: 11 }));
    await clock.advance(600_000);
    expect(service.asked).toHaveLength(2);
  });

  it('at one lock is read at that lock alone, and again only after five minutes', async () => {
    const { clock, service, catchUp, allTold } = desk();
    allTold();
    catchUp.listed(listing(clock, { front: 10, back: 20 }));
    await clock.advance(600_000);
    for (let time = 0; time < 10; time += 1) {
      catchUp.missed(clock.now(), BACK);
      catchUp.listed(listing(clock, { front: 11 + time, back: 21 + time }));
      await clock.advance(60_000);
    }
    await clock.advance(600_000);
    const later = service.asked.slice(2).map(({ lock }) => lock);
    expect([new Set(later), later.length]).toEqual([new Set([BACK]), 3]);
  });

  it('waits while a command is under way', async () => {
    const { clock, service, catchUp, traffic } = desk();
    traffic.busy = true;
    catchUp.listed(listing(clock, { front: 10 }));
    await clock.advance(60_000);
    expect(service.asked).toEqual([]);
    traffic.busy = false;
    await clock.advance(6_000);
    expect(service.asked).toHaveLength(1);
  });

  it('is tried again, ever less often, and after as long as the service asks for', async () => {
    const { clock, service, catchUp, archive } = desk();
    service.fault = new RetryError('unreachable', 'No answer.');
    catchUp.listed(listing(clock, { front: 10 }));
    await clock.advance(24 * 3_600_000);
    expect(service.asked.length).toBeGreaterThan(20);
    expect(service.asked.length).toBeLessThan(32);
    service.fault = new WaitError('rate-limited', 'Too many.', 7_200_000);
    await clock.advance(3_600_000);
    const before = service.asked.length;
    await clock.advance(3_500_000);
    expect(service.asked).toHaveLength(before);
    service.fault = null;
    await clock.advance(7_200_000);
    expect(archive.marks.get(FRONT)).toBe(10);
  });

  it('is left alone where trying again would not help, until the next gap', async () => {
    const { clock, service, catchUp } = desk();
    service.fault = new FinalError('not-permitted', 'Not allowed.');
    catchUp.listed(listing(clock, { front: 10 }));
    await clock.advance(24 * 3_600_000);
    expect(service.asked).toHaveLength(1);
    catchUp.missed(clock.now());
    catchUp.listed(listing(clock, { front: 10 }));
    await clock.advance(60_000);
    expect(service.asked).toHaveLength(2);
  });

  it('of a lock that is gone is not read, and a house that ends leaves no timer', async () => {
    const { clock, service, catchUp } = desk();
    catchUp.listed(listing(clock, { front: 10, back: 20 }));
    catchUp.forget(FRONT);
    await clock.advance(7_000);
    expect(service.asked.map(({ lock }) => lock)).toEqual([BACK]);
    catchUp.missed(clock.now());
    catchUp.listed(listing(clock, { front: 12 }));
    catchUp.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});

/** A desk where everything was read when the story begins, and the door's history is what a test makes it. */
async function upToDate(relied: boolean) {
  const made = desk();
  const { clock, service, catchUp, traffic } = made;
  traffic.relied = relied;
  catchUp.listed(listing(clock, { front: 10 }));
  await clock.advance(6_000);
  service.asked.length = 0;
  /** The bolt moves now, and the service knows of it. */
  const turn = (): void => {
    service.entries = [entry(`h-${clock.now()}`, clock.now()), ...service.entries].slice(0, 100);
  };
  const list = (updatedAt: number | null = service.entries[0]?.at ?? 10): void => {
    catchUp.listed(listing(clock, { front: updatedAt }));
  };
  return { ...made, turn, list };
}

describe('what no event told while webhooks are relied on', () => {
  it('is read after the next listing, and the move that none announced is named', async () => {
    const { clock, service, unannounced, turn, list } = await upToDate(true);
    await clock.advance(300_000);
    turn();
    const movedAt = clock.now();
    await clock.advance(20_000);
    list();
    await clock.advance(6_000);
    expect([service.asked.length, unannounced]).toEqual([1, [[FRONT, movedAt]]]);
  });

  it.each([-29_000, 0, 29_000])(
    'is not read when an event told of it, by a clock that is off by %i ms, before or while it waits',
    async (off) => {
      const { clock, service, catchUp, turn, list } = await upToDate(true);
      for (const late of [false, true]) {
        await clock.advance(300_000);
        turn();
        const at = clock.now() + off;
        await clock.advance(1_000);
        if (!late) {
          catchUp.told(at, FRONT);
        }
        list();
        await clock.advance(5_000);
        if (late) {
          catchUp.told(at, FRONT);
        }
        await clock.advance(60_000);
      }
      expect(service.asked).toHaveLength(0);
    },
  );

  it('is read though an event told of another time while it waits', async () => {
    const { clock, service, catchUp, turn, list } = await upToDate(true);
    await clock.advance(300_000);
    turn();
    list();
    catchUp.told(clock.now() - 3_600_000, FRONT);
    await clock.advance(6_000);
    expect(service.asked).toHaveLength(1);
  });

  it('raises no doubt where a command of ours, a hint or a gap explains it', async () => {
    const { clock, service, catchUp, unannounced, turn, list } = await upToDate(true);
    const explanations = [
      () => {
        catchUp.explained(clock.now(), FRONT);
      },
      () => {
        catchUp.explained(clock.now());
      },
      () => {
        catchUp.missed(clock.now());
      },
      () => {
        catchUp.missed(clock.now(), FRONT);
      },
    ];
    for (const explain of explanations) {
      await clock.advance(300_000);
      turn();
      explain();
      list();
      await clock.advance(6_000);
    }
    expect([service.asked.length, unannounced]).toEqual([4, []]);
  });

  it('raises no doubt where only a battery or a sign of life was new, and is looked for ever less often', async () => {
    const { clock, service, unannounced, turn, list } = await upToDate(true);
    turn();
    for (let time = 0; time < 288; time += 1) {
      await clock.advance(300_000);
      list(clock.now());
    }
    expect(unannounced).toEqual([]);
    expect(service.asked.length).toBeLessThanOrEqual(10);
  });

  it('raises no doubt where it happened before the lock was known here', async () => {
    const { clock, service, catchUp, unannounced } = desk();
    service.entries = [entry('h-1', clock.now() - 60_000)];
    catchUp.listed(listing(clock, { 'new door': 10 }));
    await clock.advance(300_000);
    catchUp.listed(listing(clock, { 'new door': clock.now() }));
    await clock.advance(6_000);
    expect([service.asked.length, unannounced]).toEqual([1, []]);
  });

  it('is not asked for again and again where it may not be read', async () => {
    const { clock, service, list } = await upToDate(true);
    service.fault = new FinalError('not-permitted', 'Not allowed.');
    for (let time = 0; time < 288; time += 1) {
      await clock.advance(300_000);
      list(clock.now());
    }
    expect(service.asked.length).toBeLessThanOrEqual(10);
  });
});

describe('a bolt that is told to rest where it rested already', () => {
  /** It was read there, left untold where `left` says so, and an event tells that it is there again. */
  async function returning(left: boolean) {
    const made = await upToDate(true);
    const { clock, service, catchUp } = made;
    const returns = async (): Promise<void> => {
      const since = clock.now();
      await clock.advance(300_000);
      const leftAt = clock.now();
      await clock.advance(20_000);
      const until = clock.now();
      const moves = left ? [{ ...entry(`u-${leftAt}`, leftAt), what: 'unsecured' as const }] : [];
      service.entries = [entry(`s-${until}`, until), ...moves];
      catchUp.returned(FRONT, { to: 'secured', since, until });
      catchUp.told(until, FRONT);
      await clock.advance(1_000);
    };
    return { ...made, returns };
  }

  it('has its history read, and the leaving that none announced is named', async () => {
    const { clock, service, unannounced, returns } = await returning(true);
    await returns();
    await clock.advance(6_000);
    expect([service.asked.length, unannounced]).toEqual([1, [[FRONT, clock.now() - 27_000]]]);
  });

  it('raises no doubt where it had not left, and is looked into once in four hours', async () => {
    const { clock, service, unannounced, returns } = await returning(false);
    for (let time = 0; time < 40; time += 1) {
      await returns();
      await clock.advance(14 * 60_000);
    }
    // Ten hours and more.
    expect([service.asked.length, unannounced]).toEqual([4, []]);
  });

  it('is looked into again soon after it had left', async () => {
    const { clock, unannounced, returns } = await returning(true);
    for (let time = 0; time < 3; time += 1) {
      await returns();
      await clock.advance(6_000);
    }
    expect(unannounced).toHaveLength(3);
  });

  it('raises no doubt where an event tells late that it had left', async () => {
    const { clock, catchUp, unannounced, returns } = await returning(true);
    await returns();
    catchUp.told(clock.now() - 21_000, FRONT);
    await clock.advance(60_000);
    expect(unannounced).toEqual([]);
  });

  it('raises no doubt where a hint or a command of ours explains that it had left', async () => {
    const { clock, catchUp, unannounced, returns } = await returning(true);
    await returns();
    catchUp.explained(clock.now() - 1_000, FRONT);
    await clock.advance(60_000);
    expect(unannounced).toEqual([]);
  });

  it('is not looked into while webhooks are not relied on, nor where the lock is gone or unknown', async () => {
    const { clock, service, traffic, catchUp, returns } = await returning(true);
    traffic.relied = false;
    await returns();
    traffic.relied = true;
    catchUp.returned(BACK, { to: 'secured', since: 0, until: clock.now() });
    await returns();
    catchUp.forget(FRONT);
    await clock.advance(60_000);
    expect(service.asked).toEqual([]);
  });

  it('keeps other news of the lock from being looked for no longer than before', async () => {
    const { clock, service, returns, list } = await returning(false);
    await returns();
    await clock.advance(6_000);
    await clock.advance(300_000);
    service.entries = [entry('untold', clock.now()), ...service.entries];
    list();
    await clock.advance(6_000);
    expect(service.asked).toHaveLength(2);
  });
});

describe('what no event told while there are no webhooks to rely on', () => {
  it('is all kept, before the service forgets it, by few calls', async () => {
    const { clock, service, archive, unannounced, turn, list } = await upToDate(false);
    for (let time = 0; time < 520; time += 1) {
      await clock.advance(20_000);
      turn();
      await clock.advance(10_000);
      turn();
      list();
    }
    await clock.advance(60_000);
    expect(archive.lines.get(FRONT)?.length).toBeGreaterThan(980);
    expect([service.asked.length, unannounced]).toEqual([20, []]);
  });

  it('is read once in six hours where little happens', async () => {
    const { clock, service, turn, list } = await upToDate(false);
    for (let minutes = 0; minutes < 48 * 60; minutes += 1) {
      await clock.advance(60_000);
      if (minutes % 180 === 0) {
        turn();
      }
      list();
    }
    expect(service.asked.length).toBe(7);
  });

  it('is not read where nothing is new, nor where the service does not say', async () => {
    const { clock, service, list } = await upToDate(false);
    for (let hour = 0; hour < 48; hour += 1) {
      await clock.advance(3_600_000);
      list(hour % 2 === 0 ? 10 : null);
    }
    expect(service.asked).toHaveLength(0);
  });

  it('costs little where the service finds something new at every listing, though nothing happens', async () => {
    const { clock, service, list } = await upToDate(false);
    for (let time = 0; time < 2_880; time += 1) {
      await clock.advance(30_000);
      list(clock.now());
    }
    expect(service.asked.length).toBeLessThanOrEqual(10);
  });
});

describe('whoever asks for a history', () => {
  const newest = { limit: 20, deviceTime: false };

  it('is told what the service lists and what was kept, at the time of the machine or of the door', async () => {
    const { service, book, archive } = desk();
    archive.lines.set(FRONT, [entry('h-1')]);
    service.entries = [entry('h-2', 2_000)];
    expect(await book.history(FRONT, newest)).toEqual({
      lines: [
        { ...entry('h-1'), offsetMinutes: null },
        { ...entry('h-2', 2_000), offsetMinutes: null },
      ],
      unanswered: null,
    });
    const { lines } = await book.history(FRONT, { limit: 1, deviceTime: true });
    expect(lines).toEqual([entry('h-1')]);
  });

  it('is told what was kept while the service does not answer, and that it is only that', async () => {
    const { service, book, archive } = desk();
    archive.lines.set(FRONT, [entry('h-1')]);
    service.fault = new RetryError('unreachable', 'No answer.');
    expect(await book.history(FRONT, newest)).toMatchObject({
      lines: [{ id: 'h-1' }],
      unanswered: 'No answer.',
    });
    await expect(book.history(BACK, newest)).rejects.toThrow('No answer.');
    service.fault = new RelinkError('revoked', 'Link again.');
    await expect(book.history(FRONT, newest)).rejects.toThrow('Link again.');
  });

  it('is told what the service says though the disk fails, with one line in the log, and one when it works', async () => {
    const { service, book, archive, lines } = desk();
    service.entries = [entry('h-2'), entry('h-1')];
    archive.broken = true;
    expect(await book.history(FRONT, { ...newest, limit: 1 })).toMatchObject({ lines: [{ id: 'h-2' }] });
    archive.broken = false;
    await book.history(FRONT, newest);
    expect(lines).toEqual([
      'The history of the locks cannot be kept: The disk is full.',
      'The history of the locks can be kept again.',
    ]);
  });

  it('meets no name that may be a secret, neither now nor in the archive (faults#66)', async () => {
    const { service, book, archive } = desk();
    service.entries = [{ ...entry('h-1'), by: { ...BY, name: '4711' } }];
    const { lines } = await book.history(FRONT, { limit: 1, deviceTime: true });
    expect(lines).toEqual([entry('h-1')]);
    expect(archive.lines.get(FRONT)).toEqual([entry('h-1')]);
  });

  it('shares one question with others', async () => {
    const { service, book } = desk();
    await Promise.all(Array.from({ length: 50 }, async () => book.history(FRONT, newest)));
    expect(service.asked).toHaveLength(1);
    await book.history(FRONT, newest);
    expect(service.asked).toHaveLength(2);
  });
});

describe('what webhooks told', () => {
  it('is kept within ten seconds, in one commit', async () => {
    const { clock, book, archive } = desk();
    for (const id of ['e-1', 'e-2', 'e-3']) {
      book.told(event(id));
    }
    expect(archive.told.map(({ id }) => id)).toEqual([]);
    await clock.advance(10_000);
    expect([archive.told.map(({ id }) => id), archive.commits, clock.pendingTimers]).toEqual([
      ['e-1', 'e-2', 'e-3'],
      1,
      0,
    ]);
  });

  it('is kept without a name that may be a secret (faults#66)', async () => {
    const { clock, book, archive } = desk();
    book.told({
      ...event('e-1'),
      type: 'bolt',
      bolt: 'unsecured',
      accessor: { method: 'access-code', id: 'a71e', name: '4711' },
    });
    await clock.advance(10_000);
    expect(archive.told.map(({ by }) => by)).toEqual([{ method: 'access-code', id: 'a71e', name: null }]);
  });

  it('is kept before anybody is told of the past, and however much there is', async () => {
    const { book, archive } = desk();
    book.told(event('e-1'));
    await book.history(FRONT, { limit: 1, deviceTime: false });
    expect(archive.told.map(({ id }) => id)).toEqual(['e-1']);
    for (let count = 0; count < 4_000; count += 1) {
      book.told(event(`flood-${count}`));
    }
    expect([archive.told.length, archive.commits]).toEqual([4_001, 3]);
  });
});
