// The history for people: the service's list, the archive, and the entries of webhooks; of one lock and of all.

import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/domain/history/history.ts';
import { verbatim } from '../../../src/domain/language/message.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { NO_MOVES } from '../../../src/domain/locks/move.ts';
import type { ServiceReport } from '../../../src/domain/webhooks/service-event.ts';
import { HistoryReader } from '../../../src/engine/history/history-reader.ts';
import { EventBus } from '../../../src/engine/locks/event-bus.ts';
import { FinalError, RelinkError, RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { NO_PAGES } from '../../homes/absent-parts.ts';
import { MemoryArchive } from '../../stand-ins/database/history.ts';
import { StandInHistoryService } from '../../stand-ins/service/history.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import { named } from '../../support/named-lock.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
const BY = { method: 'thumbturn', id: null, name: null } as const;
const MOVE = { type: 'bolt', bolt: 'secured', accessor: BY } as const;

const READING = {
  description: named('Door'),
  bolt: 'secured',
  connected: true,
  lastConnectedAt: null,
  wifiDbm: null,
  battery: { grade: 'normal', percent: 80 },
} as const;

function entry(id: string, at = 1_000): HistoryEntry {
  return { id, at, offsetMinutes: 60, what: 'secured', by: BY };
}

function reading() {
  const clock = new ManualClock(undefined, settlePromises);
  const service = new StandInHistoryService();
  const archive = new MemoryArchive();
  const lines: string[] = [];
  const log = {
    ...silentLog,
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
  };
  const bus = new EventBus(log);
  const book = new HistoryReader({
    bus,
    service,
    archive,
    pages: NO_PAGES,
    attribution: () => ({ recent: NO_MOVES, subject: null, calledBy: () => null }),
    clock,
    serviceClock: clock,
    log,
  });
  const received = (eventId: string, report: ServiceReport = MOVE): void => {
    bus.emit({ type: 'event-received', event: { ...report, eventId, at: 1_000, lockId: FRONT } });
  };
  return { bus, clock, service, archive, lines, book, received };
}

it('a reading that joins an earlier one moves the cursor to where the earlier list ends, so that newer entries are read later', async () => {
  const { book, archive, service } = reading();
  service.entries = [entry('h-1')];
  const earlier = book.read(FRONT, 1_000);
  await Promise.all([earlier, book.read(FRONT, 2_000)]);
  expect(service.asked).toHaveLength(1);
  expect(archive.marks.get(FRONT)).toBe(1_000);
});

describe('a request for a history', () => {
  const newest = { limit: 20 };

  it('returns the listed and the stored entries', async () => {
    const { service, book, archive } = reading();
    archive.lines.set(FRONT, [entry('h-1')]);
    service.entries = [entry('h-2', 2_000)];
    expect(await book.history(FRONT, newest)).toEqual({
      lines: [entry('h-2', 2_000), entry('h-1')],
      unanswered: null,
    });
    const { lines } = await book.history(FRONT, { limit: 1 });
    expect(lines).toEqual([entry('h-2', 2_000)]);
  });

  it('returns the stored entries where the service gives none, with the reason, unless a person has to act or none are stored', async () => {
    const { service, book, archive } = reading();
    archive.lines.set(FRONT, [entry('h-1')]);
    for (const fault of [
      new RetryError('unreachable', 'No answer.'),
      new FinalError('not-permitted', 'This account may not do that.'),
    ]) {
      service.fault = fault;
      expect(await book.history(FRONT, newest)).toMatchObject({
        lines: [{ id: 'h-1' }],
        unanswered: verbatim(fault.message),
      });
      await expect(book.history(BACK, newest)).rejects.toThrow(fault.message);
    }
    service.fault = new RelinkError('revoked', 'Link again.');
    await expect(book.history(FRONT, newest)).rejects.toThrow('Link again.');
  });

  it('returns the listed entries though the disk fails, with one line in the log, and one when it works', async () => {
    const { service, book, archive, lines } = reading();
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

  it('returns and stores no name that may be a secret (faults#66)', async () => {
    const { service, book, archive } = reading();
    service.entries = [{ ...entry('h-1'), by: { ...BY, name: '4711' } }];
    const { lines } = await book.history(FRONT, { limit: 1 });
    expect(lines).toEqual([entry('h-1')]);
    expect(archive.lines.get(FRONT)).toEqual([entry('h-1')]);
  });

  it('shares one call with others', async () => {
    const { service, book } = reading();
    await Promise.all(Array.from({ length: 50 }, async () => book.history(FRONT, newest)));
    expect(service.asked).toHaveLength(1);
    await book.history(FRONT, newest);
    expect(service.asked).toHaveLength(2);
  });
});

describe('an entry from a webhook', () => {
  it('is stored within ten seconds, in one commit', async () => {
    const { clock, archive, received } = reading();
    for (const id of ['e-1', 'e-2', 'e-3']) {
      received(id);
    }
    expect(archive.reported).toEqual([]);
    await clock.advance(10_000);
    expect([archive.reported.map(({ id }) => id), archive.commits, clock.pendingTimers]).toEqual([
      ['e-1', 'e-2', 'e-3'],
      1,
      0,
    ]);
  });

  it('is stored without a name that may be a secret (faults#66)', async () => {
    const { clock, archive, received } = reading();
    received('e-1', { ...MOVE, accessor: { ...BY, name: '4711' } });
    await clock.advance(10_000);
    expect(archive.reported.map(({ by }) => by)).toEqual([BY]);
  });

  it('is stored before older entries are listed, in any number', async () => {
    const { book, archive, received } = reading();
    received('e-1');
    await book.history(FRONT, { limit: 1 });
    expect(archive.reported.map(({ id }) => id)).toEqual(['e-1']);
    for (let count = 0; count < 4_000; count += 1) {
      received(`flood-${count}`);
    }
    expect([archive.reported.length, archive.commits]).toEqual([4_001, 3]);
  });

  it('remains when the lock is forgotten', async () => {
    const { bus, clock, archive, received } = reading();
    archive.lines.set(FRONT, [entry('h-1')]);
    received('e-1');
    bus.publish({ type: 'lock-removed', id: FRONT, name: 'Front' });
    await clock.advance(10_000);
    expect([archive.lines.get(FRONT), archive.reported.length]).toEqual([[entry('h-1')], 1]);
  });
});

describe('the history of all locks', () => {
  const LOCKS = ['a', 'b', 'c', 'd', 'e', 'f'].map(lockId);

  /** A reader to which a listing has told when its locks changed. */
  function listed(updatedAt: number | null) {
    const parts = reading();
    const { bus, service } = parts;
    const atOnce = { now: 0, most: 0 };
    const answer = service.history.bind(service);
    service.history = async (...question) => {
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      await Promise.resolve();
      atOnce.now -= 1;
      return answer(...question);
    };
    const list = (changedAt: number | null): void => {
      const locks = LOCKS.map((id) => ({ ...READING, id, updatedAt: changedAt }));
      bus.emit({ type: 'listed', listing: { locks, askedAt: 1, unread: 0 } });
    };
    list(updatedAt);
    return { ...parts, list, atOnce, asked: () => service.asked.map(({ lock }) => lock) };
  }

  it('is read once for each lock, then only of those with news, and four at a time', async () => {
    const { book, asked, atOnce, list } = listed(1_000);
    expect(await book.refresh(LOCKS)).toBeNull();
    expect([asked(), atOnce.most]).toEqual([LOCKS, 4]);
    await book.refresh(LOCKS);
    expect(asked()).toHaveLength(6);
    list(2_000);
    await book.refresh(LOCKS.slice(0, 1));
    expect(asked().slice(6)).toEqual(LOCKS.slice(0, 1));
  });

  it('is read each time where the service does not say when a lock changed, and never before a listing', async () => {
    const { book, asked } = listed(null);
    await book.refresh(LOCKS.slice(0, 1));
    await book.refresh(LOCKS.slice(0, 1));
    expect(asked()).toHaveLength(2);
    const unlisted = reading();
    expect([await unlisted.book.refresh(LOCKS), unlisted.service.asked]).toEqual([null, []]);
  });

  it('may lack the newest entries for a reason, which is said and stops the calls until the next time, or rejects where only a person can help', async () => {
    const { book, service, asked } = listed(1_000);
    service.fault = new RetryError('unreachable', 'The service cannot be reached.');
    expect(await book.refresh(LOCKS)).toEqual(verbatim('The service cannot be reached.'));
    expect(asked()).toHaveLength(4);
    service.fault = null;
    expect([await book.refresh(LOCKS), asked().length]).toEqual([null, 10]);
    const unlinked = listed(1_000);
    unlinked.service.fault = new RelinkError('revoked', 'The link has ended.');
    await expect(unlinked.book.refresh(LOCKS)).rejects.toThrow('The link has ended.');
  });
});
