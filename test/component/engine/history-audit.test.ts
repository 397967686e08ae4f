// Auditing the history: when a lock is read unasked, what the reading proves about webhooks, and its cost.

import { describe, expect, it } from 'vitest';
import type { HistoryEntry, HistoryWhat } from '../../../src/domain/history/history.ts';
import type { Reported } from '../../../src/domain/locks/event.ts';
import { type Lock, type LockId, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import { NO_MOVES } from '../../../src/domain/locks/move.ts';
import type { Instant } from '../../../src/domain/time/instant.ts';
import type { ServiceReport } from '../../../src/domain/webhooks/service-event.ts';
import { HistoryAudit } from '../../../src/engine/history/history-audit.ts';
import { HistoryReader } from '../../../src/engine/history/history-reader.ts';
import { EventBus } from '../../../src/engine/locks/event-bus.ts';
import { FinalError, RetryError, WaitError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { NO_PAGES } from '../../homes/absent-parts.ts';
import { MemoryArchive } from '../../stand-ins/database/history.ts';
import { StandInHistoryService } from '../../stand-ins/service/history.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import { named } from '../../support/named-lock.ts';

const FRONT = lockId('front');
const BACK = lockId('back');
const BY = { method: 'thumbturn', id: null, name: null } as const;
const DESCRIPTION = named('');
const LISTED_EVERY_MS = 60_000;

/** An audit over a bus on which the test emits the events of the other modules. */
class Audited {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new StandInHistoryService();
  readonly archive = new MemoryArchive();
  readonly bus = new EventBus(silentLog);
  readonly commands = { busy: false };
  readonly webhooks = { health: 'healthy' };
  readonly missed: LockId[] = [];
  readonly updated = new Map<LockId, Instant | null>([[FRONT, 1]]);
  readonly audit: HistoryAudit;
  #lock: Lock = unknownLock(FRONT, DESCRIPTION);

  constructor() {
    const { bus, clock, service, archive } = this;
    const common = { bus, service, archive, pages: NO_PAGES, clock, serviceClock: clock, log: silentLog };
    // Both were listed by an earlier run.
    archive.begin([FRONT, BACK].map((each) => ({ lockId: each, updatedAt: 1 })));
    archive.commits = 0;
    const reader = new HistoryReader({
      ...common,
      attribution: () => ({ recent: NO_MOVES, subject: null, calledBy: () => null }),
    });
    this.audit = new HistoryAudit({ ...common, reader, commands: this.commands, webhooks: this.webhooks });
    bus.on('move-missed', ({ id }) => this.missed.push(id));
    this.list();
  }

  get read(): readonly LockId[] {
    return this.service.asked.map(({ lock }) => lock);
  }

  list(askedAt = this.clock.now()): void {
    const locks = [...this.updated].map(([id, updatedAt]) => ({
      id,
      description: DESCRIPTION,
      bolt: 'secured' as const,
      connected: true,
      lastConnectedAt: null,
      updatedAt,
      battery: { grade: 'normal', percent: 50 } as const,
      wifiDbm: null,
    }));
    this.bus.emit({ type: 'listed', listing: { askedAt, unread: 0, locks } });
  }

  /** Lets time pass in which the service is polled. */
  async poll(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += LISTED_EVERY_MS) {
      await this.clock.advance(LISTED_EVERY_MS);
      this.list();
    }
    await this.clock.advance(0);
  }

  /** A hand turns the bolt; the service remembers it and changes its record of the lock. */
  turn(what: HistoryWhat = 'unsecured'): Instant {
    const at = this.clock.now();
    const entry: HistoryEntry = { id: String(at), at, offsetMinutes: 0, what, by: BY };
    this.service.entries = [entry, ...this.service.entries].slice(0, 100);
    this.updated.set(FRONT, at);
    return at;
  }

  receive(at: Instant, report: ServiceReport = { type: 'bolt', bolt: 'secured', accessor: BY }): void {
    const event = { ...report, eventId: String(at), at, lockId: FRONT };
    this.bus.emit({ type: 'event-received', event });
  }

  /** The lock machine takes a report in. */
  report(more: Partial<Reported>): void {
    const previous = this.#lock;
    const at = this.clock.now();
    this.#lock = advanceLock(previous, { type: 'reported', source: 'event', at, ...more });
    this.bus.publish({ type: 'lock-changed', lock: this.#lock, previous });
  }

  command(until: Instant | null): void {
    const previous = this.#lock;
    this.#lock = { ...previous, inFlight: { target: 'secured', before: 'unsecured', from: 0, until } };
    this.bus.publish({ type: 'lock-changed', lock: this.#lock, previous });
  }
}

/** The same, when the gap of the start is closed and nothing is due. */
async function upToDate(): Promise<Audited> {
  const home = new Audited();
  await home.poll(3_600_000);
  home.service.asked.length = 0;
  return home;
}

describe('a missed move', () => {
  it('is found within two listings, and webhooks are doubted once (faults#54)', async () => {
    const home = await upToDate();
    home.turn('unsecured');
    await home.clock.advance(10_000);
    home.turn('secured');
    await home.poll(2 * LISTED_EVERY_MS);
    await home.clock.advance(6_000);
    expect([home.read, home.missed]).toEqual([[FRONT], [FRONT]]);
    await home.poll(3_600_000);
    expect(home.missed).toHaveLength(1);
  });

  it('is no missed one where an event comes within half a minute, and costs no call', async () => {
    const home = await upToDate();
    const at = home.turn('secured');
    home.list();
    await home.clock.advance(25_000);
    home.receive(at);
    await home.poll(600_000);
    expect([home.read, home.missed]).toEqual([[], []]);
  });

  it('is found where the event of its return comes, and names the former belief', async () => {
    const home = await upToDate();
    home.report({ bolt: 'secured', source: 'poll', connected: true });
    await home.clock.advance(60_000);
    home.turn('unsecured');
    await home.clock.advance(10_000);
    const back = home.turn('secured');
    home.report({ bolt: 'secured', accessor: BY });
    home.receive(back);
    await home.poll(2 * LISTED_EVERY_MS);
    await home.clock.advance(6_000);
    expect([home.read, home.missed]).toEqual([[FRONT], [FRONT]]);
  });

  it.each<[string, (home: Audited, at: Instant) => void]>([
    ['a command of ours', (home, at) => home.command(at)],
    ['a command of ours that is under way', (home) => home.command(null)],
    ['an event that nothing proves', (home) => home.bus.emit({ type: 'unverified-received' })],
    ['a gap', (home) => home.bus.emit({ type: 'gap' })],
    [
      'an event that cannot say who moved the bolt, as after an absence',
      (home, at) =>
        home.receive(at + 31_000, {
          type: 'bolt',
          bolt: 'secured',
          accessor: { ...BY, method: 'unavailable' },
        }),
    ],
    ['a late event', (home, at) => home.receive(at)],
  ])('is explained by %s', async (_title, explain) => {
    const home = await upToDate();
    const at = home.turn('secured');
    home.list();
    await home.clock.advance(35_000);
    explain(home, at);
    await home.poll(600_000);
    expect(home.missed).toEqual([]);
  });

  it('is explained by the return of a lock that was away', async () => {
    const home = await upToDate();
    home.report({ connected: false });
    home.turn();
    await home.clock.advance(60_000);
    home.report({ connected: true });
    await home.poll(600_000);
    expect([home.read, home.missed]).toEqual([[FRONT], []]);
  });

  it('raises no doubt where webhooks are doubted already', async () => {
    const home = await upToDate();
    home.webhooks.health = 'degraded';
    home.turn();
    await home.poll(7_200_000);
    expect([home.read, home.missed]).toEqual([[FRONT], []]);
  });
});

describe('after a gap', () => {
  it('each lock with news is read completely, one at a time, and none twice', async () => {
    const home = new Audited();
    home.updated.set(FRONT, 10).set(BACK, 20);
    home.bus.emit({ type: 'gap' });
    home.list();
    expect(home.read).toEqual([]);
    await home.clock.advance(6_000);
    expect(home.service.asked).toEqual([{ lock: FRONT, limit: 100, deviceTime: true }]);
    await home.clock.advance(6_000);
    expect(home.read).toEqual([FRONT, BACK]);
    home.bus.emit({ type: 'gap' });
    await home.poll(3_600_000);
    expect([home.read.length, home.clock.pendingTimers]).toEqual([2, 0]);
  });

  it('the readings wait for a listing that was asked for after the gap', async () => {
    const home = await upToDate();
    const before = home.clock.now();
    await home.clock.advance(1);
    home.updated.set(FRONT, 2);
    home.receive(2);
    home.bus.emit({ type: 'gap' });
    home.list(before);
    await home.clock.advance(60_000);
    expect(home.read).toEqual([]);
    home.list();
    await home.clock.advance(6_000);
    expect(home.read).toEqual([FRONT]);
  });

  it('149 locks without a known history cost one commit and no call', async () => {
    const home = new Audited();
    home.archive.commits = 0;
    home.updated.clear();
    for (let door = 0; door < 149; door += 1) {
      home.updated.set(lockId(`door ${String(door)}`), 10);
    }
    await home.poll(3_600_000);
    expect([home.read.length, home.archive.commits, home.clock.pendingTimers]).toEqual([0, 1, 0]);
  });

  it('a lock that was forgotten and came back keeps its history, and its moves meanwhile are read', async () => {
    const home = await upToDate();
    home.bus.publish({ type: 'lock-removed', id: FRONT, name: '' });
    home.turn();
    await home.poll(600_000);
    expect([home.read, home.missed, home.archive.lines.get(FRONT)?.length]).toEqual([[FRONT], [], 1]);
  });
});

describe('a reading of the history', () => {
  it('waits while a command is under way', async () => {
    const home = await upToDate();
    home.commands.busy = true;
    home.turn();
    await home.poll(600_000);
    expect(home.read).toEqual([]);
    home.commands.busy = false;
    await home.clock.advance(6_000);
    expect(home.read).toEqual([FRONT]);
  });

  it.each<[string, Error, number]>([
    [
      'is tried again ever more patiently where the service does not answer',
      new RetryError('unreachable', 'No.'),
      7,
    ],
    ['waits as long as the service asks', new WaitError('rate-limited', 'Later.', 1_800_000), 3],
    ['counts as done where trying again would not help', new FinalError('wire-mismatch', 'What?'), 5],
  ])('%s', async (_title, fault, most) => {
    const home = await upToDate();
    home.service.fault = fault;
    home.turn();
    await home.poll(3_600_000);
    expect(home.read.length).toBeGreaterThanOrEqual(2);
    expect(home.read.length).toBeLessThanOrEqual(most);
  });

  it.each([
    ['does not begin while the disk cannot tell how far the last one went', 'healthy', 2],
    ['does not begin then either where the service never says when a history changed', 'absent', null],
  ])('%s', async (_title, health, updatedAt) => {
    const home = new Audited();
    home.updated.set(FRONT, updatedAt);
    home.webhooks.health = health;
    home.archive.mark = () => {
      throw new RetryError('storage-failed', 'The disk is full.');
    };
    await home.poll(2 * 3_600_000);
    expect(home.read).toEqual([]);
  });

  it('is rare where the service reports news at every listing, though nothing happens', async () => {
    for (const health of ['healthy', 'degraded']) {
      const home = await upToDate();
      home.webhooks.health = health;
      for (let time = 0; time < 1_440; time += 1) {
        home.updated.set(FRONT, home.clock.now());
        await home.poll(LISTED_EVERY_MS);
      }
      expect(home.read.length).toBeLessThanOrEqual(11);
    }
  });

  it('ends with the account', async () => {
    const home = await upToDate();
    home.turn();
    await home.poll(2 * LISTED_EVERY_MS);
    home.audit.dispose();
    await home.poll(600_000);
    expect([home.read, home.clock.pendingTimers]).toEqual([[], 0]);
  });
});

it('without webhooks every move is kept before the service forgets it, by one call an hour', async () => {
  const home = await upToDate();
  home.webhooks.health = 'absent';
  for (let time = 0; time < 240; time += 1) {
    home.turn(time % 2 === 0 ? 'unsecured' : 'secured');
    await home.poll(LISTED_EVERY_MS);
  }
  await home.poll(3_600_000);
  expect([home.archive.lines.get(FRONT)?.length, home.missed]).toEqual([240, []]);
  expect(home.read.length).toBeLessThanOrEqual(6);
});
