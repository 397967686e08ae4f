// The history of a lock for people: the service's list, the archive, and the entries of webhooks.
import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../src/domain/history/history.ts';
import { verbatim } from '../../../src/domain/language/message.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { ServiceReport } from '../../../src/domain/webhooks/service-event.ts';
import { FinalError, RelinkError, RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { HistoryReader } from '../../../src/sync/history/history-reader.ts';
import { EventBus } from '../../../src/sync/locks/event-bus.ts';
import { NO_PAGES } from '../../homes/absent-parts.ts';
import { MemoryArchive } from '../../stand-ins/database/history.ts';
import { StandInHistoryService } from '../../stand-ins/service/history.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
const BY = { method: 'thumbturn', id: null, name: null } as const;
const MOVE: ServiceReport = { type: 'bolt', bolt: 'secured', accessor: BY };

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
  const book = new HistoryReader({ bus, service, archive, pages: NO_PAGES, clock, serviceClock: clock, log });
  const received = (eventId: string, report: ServiceReport = MOVE): void => {
    bus.emit({ type: 'event-received', event: { ...report, eventId, at: 1_000, lockId: FRONT } });
  };
  return { bus, clock, service, archive, lines, book, received };
}

describe('a reading that joins an earlier one', () => {
  it('moves the cursor to where the earlier list ends, so that newer entries are read later', async () => {
    const { book, archive, service } = reading();
    service.entries = [entry('h-1')];
    const earlier = book.read(FRONT, 1_000);
    await Promise.all([earlier, book.read(FRONT, 2_000)]);
    expect(service.asked).toHaveLength(1);
    expect(archive.marks.get(FRONT)).toBe(1_000);
  });
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

  it('returns the stored entries while the service does not answer, and marks them as such', async () => {
    const { service, book, archive } = reading();
    archive.lines.set(FRONT, [entry('h-1')]);
    service.fault = new RetryError('unreachable', 'No answer.');
    expect(await book.history(FRONT, newest)).toMatchObject({
      lines: [{ id: 'h-1' }],
      unanswered: verbatim('No answer.'),
    });
    await expect(book.history(BACK, newest)).rejects.toThrow('No answer.');
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

  it('returns the stored entries when the service refuses, with the reason', async () => {
    const { service, book, archive } = reading();
    archive.lines.set(FRONT, [entry('h-1')]);
    service.fault = new FinalError('not-permitted', 'This account may not do that.');
    expect(await book.history(FRONT, newest)).toMatchObject({
      lines: [{ id: 'h-1' }],
      unanswered: verbatim('This account may not do that.'),
    });
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
    expect(archive.reported.map(({ id }) => id)).toEqual([]);
    await clock.advance(10_000);
    expect([archive.reported.map(({ id }) => id), archive.commits, clock.pendingTimers]).toEqual([
      ['e-1', 'e-2', 'e-3'],
      1,
      0,
    ]);
  });

  it('is stored without a name that may be a secret (faults#66)', async () => {
    const { clock, archive, received } = reading();
    received('e-1', {
      type: 'bolt',
      bolt: 'unsecured',
      accessor: { method: 'access-code', id: 'a71e', name: '4711' },
    });
    await clock.advance(10_000);
    expect(archive.reported.map(({ by }) => by)).toEqual([{ method: 'access-code', id: 'a71e', name: null }]);
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
