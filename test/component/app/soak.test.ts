// Weeks of an ordinary house in seconds: polls, taps, hands at doors, outages. Nothing may pile up.
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { boltOf, lockId } from '../../../src/domain/locks/lock.ts';
import { AccountRuntime } from '../../../src/engine/account-runtime.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { howOften } from '../../harness/how-often.ts';
import { otherParts } from '../../homes/absent-parts.ts';
import { slopeOf } from '../../soak/growth.ts';
import { MemoryJournal, MemoryRoster } from '../../stand-ins/database/locks.ts';
import { StandInLink } from '../../stand-ins/service/link.ts';
import { StandInService } from '../../stand-ins/service/locks.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';

const FRONT = lockId('front-door');
const BACK = lockId('back-door');

const HOUR_MS = 3_600_000;
const DAYS = howOften(10, 30);
/** The first days fill caches and warm the compiler up. */
const WARM_UP_DAYS = 5;
/** A request or two may be on its way when the objects of a day are counted; one kept for each day would be 20. */
const MOST_OBJECTS = 10;
/**
 * Numbers and texts in a set or a map are no objects, so bytes are looked at, too. What the engine compiles adds 2 to 8 kB a
 * day here; one entry kept for each of a day's 3,000 listings would be 48 kB at least.
 */
const MOST_BYTES_A_DAY = 30_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Every object in this process once everything that can go has gone: arrays, maps and functions are objects, too. */
function objectsInUse(): number {
  return queryObjects(Object, { format: 'count' });
}

/** Bytes in use once everything that can go has gone. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** An account whose surroundings forget every night: what is left over from the days is the account's own. */
class LongLife {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly #link = new StandInLink();
  readonly #knownLocks = new MemoryRoster();
  #journal = new MemoryJournal();
  #service = this.#freshService();
  listings = 0;
  readonly runtime: AccountRuntime;

  constructor() {
    this.runtime = new AccountRuntime({
      ...otherParts(this.clock),
      gateway: {
        list: async () => this.#service.list(),
        command: async (id, target, leave) => this.#service.command(id, target, leave),
        outcome: async (id, command) => this.#service.outcome(id, command),
      },
      journal: {
        begin: (drafts) => this.#journal.begin(drafts),
        note: (notes) => {
          this.#journal.note(notes);
        },
        open: () => this.#journal.open(),
        uncertainSince: (issuedAt) => this.#journal.uncertainSince(issuedAt),
      },
      knownLocks: this.#knownLocks,
      link: this.#link,
      random: () => 0.5,
    });
  }

  /** Every hour something happens; at night the service is gone for a while. */
  async liveADay(): Promise<void> {
    for (let hour = 0; hour < 24; hour += 1) {
      const service = this.#service;
      void this.runtime.request(FRONT, hour % 2 === 0 ? 'secured' : 'unsecured');
      service.turn(hour % 3 === 0 ? 'secured' : 'unsecured', BACK);
      service.listingFault = hour === 3 ? new RetryError('unreachable', 'No answer.') : null;
      service.lock(BACK).connected = hour % 5 !== 0;
      service.mishaps = hour === 12 ? [{ kind: 'lost-reply' }] : hour === 18 ? [{ kind: 'never-ends' }] : [];
      await this.clock.advance(HOUR_MS);
    }
    this.listings += this.#service.listings;
    this.#journal = new MemoryJournal();
    this.#service = this.#freshService();
  }

  #freshService(): StandInService {
    const service = new StandInService(this.clock);
    service.add(FRONT);
    service.add(BACK);
    return service;
  }
}

describe(`an account that runs for ${String(DAYS)} days`, () => {
  it('holds no more timers, handles or memory in the end than in the beginning (faults#75)', async () => {
    const home = new LongLife();
    await home.runtime.start();
    const objects: number[] = [];
    const bytes: number[] = [];
    const timers: number[] = [];
    const handles: number[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      await home.liveADay();
      timers.push(home.clock.pendingTimers);
      handles.push(process.getActiveResourcesInfo().length);
      objects.push(objectsInUse());
      bytes.push(heapInUse());
    }
    const settled = objects.slice(WARM_UP_DAYS);
    const slope = Math.round(slopeOf(bytes.slice(WARM_UP_DAYS)));
    console.log(
      `${DAYS} days, ${home.listings} listings: ${String(settled.at(-1))} objects, ${slope} bytes more a day`,
    );
    expect(home.listings).toBeGreaterThan(DAYS * 24 * 100);
    expect(Math.max(...timers)).toBe(timers[0]);
    expect(handles.at(-1)).toBeLessThanOrEqual(handles[0] ?? 0);
    expect(Math.max(...settled) - Math.min(...settled)).toBeLessThanOrEqual(MOST_OBJECTS);
    expect(slope).toBeLessThan(MOST_BYTES_A_DAY);
    expect(home.runtime.locks().map(boltOf)).not.toContain('unknown');
    home.runtime.dispose();
    expect(home.clock.pendingTimers).toBe(0);
  }, 120_000);
});
