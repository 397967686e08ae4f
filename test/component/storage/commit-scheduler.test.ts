// Commits are slow on some disks: when several are due at once, pending requests are read between any two.

import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { assert, describe, expect, it, onTestFinished } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { NO_MOVES } from '../../../src/domain/locks/move.ts';
import { JournalQueue } from '../../../src/engine/commands/journal-queue.ts';
import { HistoryReader } from '../../../src/engine/history/history-reader.ts';
import { EventBus, type EventOf } from '../../../src/engine/locks/event-bus.ts';
import { Ownership } from '../../../src/ownership/ownership.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { type CommitScheduler, LoopCommitScheduler } from '../../../src/support/commit-scheduler.ts';
import { silentLog } from '../../../src/support/log.ts';
import { LedgerQueue } from '../../../src/webhook/ledger-queue.ts';
import { ManualClock, settle, settlePromises } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DOOR = lockId('door-1');

/** Commits, and the number of those without a request read in between. Requests come all the time, and are read when the event loop polls. */
class Commits {
  count = 0;
  mostInARow = 0;
  #inARow = 0;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => {
      this.#inARow = 0;
      port1.postMessage('');
    });
    port1.postMessage('');
    onTestFinished(() => {
      port1.close();
    });
  }

  add(): void {
    this.count += 1;
    this.#inARow += 1;
    this.mostInARow = Math.max(this.mostInARow, this.#inARow);
  }
}

/** Moved by hand, but for turns: those are of the event loop. All timers that are due fire in one of them. */
class LoopClock extends ManualClock {
  override readonly commits: CommitScheduler;

  constructor(commits: CommitScheduler) {
    super(undefined, settlePromises);
    this.commits = commits;
  }
}

/** Everything that writes to a database by itself, with its commits counted. */
async function runtime() {
  const commits = new Commits();
  const scheduler = new LoopCommitScheduler();
  const clock = new LoopClock({
    take: (work) => {
      scheduler.take(work);
    },
    takeFirst: (work) => {
      scheduler.takeFirst(work);
    },
    held: () => {
      commits.add();
      scheduler.held();
    },
  });
  const path = join(temporaryFolder(), 'latchkey.db');
  const storage = openStorage({ path, clock, log: silentLog });
  const log = silentLog;
  const parts = {
    owner: storage.owner,
    socketPath: 'nowhere',
    clock,
    log,
    askToStepBack: async () => Promise.resolve(false),
    comesFirst: true,
    onObstacle: () => {},
    onOwned: async () => {},
  };
  const ownership = new Ownership(parts);
  onTestFinished(async () => {
    await ownership.retire();
    storage.close();
  });
  await ownership.take();
  await settle();
  const service = { history: async () => ({ entries: [], limit: 100 }) };
  const bus = new EventBus(log);
  return {
    clock,
    commits,
    ownership,
    journal: new JournalQueue(storage.journal, clock, log),
    book: new HistoryReader({
      bus,
      service,
      archive: storage.archive,
      pages: storage.historyPages,
      clock,
      serviceClock: clock,
      attribution: () => ({ recent: NO_MOVES, subject: null, calledBy: () => null }),
      log,
    }),
    bus,
    ledger: new LedgerQueue(storage.ledger, clock.commits, log),
    storage,
  };
}

const event = (index: number, at: number): EventOf<'event-received'>['event'] => ({
  type: 'bolt',
  bolt: 'secured',
  accessor: null,
  eventId: `e-${String(index)}`,
  at,
  lockId: DOOR,
});

describe('commits', () => {
  it('that are due at one time never follow each other before pending requests were read (faults#79)', async () => {
    const { bus, clock, commits, journal, book, ledger } = await runtime();
    const draft = { lockId: DOOR, target: 'secured', issuedAt: clock.now() } as const;
    // All of it falls due together.
    bus.emit({ type: 'event-received', event: event(1, clock.now()) });
    await clock.advance(9_900);
    const journalId = await journal.begin(draft);
    assert(journalId !== undefined);
    await settle();
    const before = commits.count;
    commits.mostInARow = 0;
    journal.note({ journalId, outcome: 'moved' });
    const advanced = clock.advance(100);
    const others = Promise.all([
      journal.begin(draft),
      book.read(DOOR, 1),
      ledger.add({ event: event(2, clock.now()), receivedAt: clock.now() }),
    ]);
    await Promise.all([advanced, others]);
    await settle();
    expect(commits.count - before).toBe(5);
    expect(commits.mostInARow).toBe(1);
  });

  it('before a command go at once where no request was held up, and first in the queue otherwise', async () => {
    const { clock, commits, journal, storage } = await runtime();
    const draft = { lockId: DOOR, target: 'secured', issuedAt: clock.now() } as const;
    const before = commits.count;
    const begun = journal.begin(draft);
    await Promise.resolve();
    await Promise.resolve();
    expect(commits.count - before).toBe(1);
    await begun;
    const order: string[] = [];
    clock.commits.take(() => order.push('waits'));
    const second = journal.begin(draft).then(() => order.push('begun'));
    await Promise.all([second, settle()]);
    expect(order).toEqual(['begun', 'waits']);
    expect(storage.journal.open()).toHaveLength(2);
  });

  it('of webhooks wait behind another commit, too', async () => {
    const { clock, commits, ledger, storage } = await runtime();
    commits.mostInARow = 0;
    storage.settings.write('key', 'just before the events are written');
    expect(await ledger.add({ event: event(1, clock.now()), receivedAt: clock.now() })).toBe(true);
    expect(commits.mostInARow).toBe(1);
  });
});
