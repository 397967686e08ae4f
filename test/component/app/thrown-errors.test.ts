// A call of an adapter throws once, each in a run of its own: the process lives, and the account goes on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { boltOf, type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import { AccountRuntime } from '../../../src/engine/account-runtime.ts';
import { howOften } from '../../harness/how-often.ts';
import { NO_MEMORY, otherParts } from '../../homes/absent-parts.ts';
import { MemoryJournal, MemoryRoster } from '../../stand-ins/database/locks.ts';
import { StandInLink } from '../../stand-ins/service/link.ts';
import { type Mishap, StandInService } from '../../stand-ins/service/locks.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';

const FRONT = lockId('front-door');
const BACK = lockId('back-door');

/** Counts calls of ports; the one with the chosen number throws instead of doing its work. */
class Saboteur {
  calls = 0;
  /** What was thrown at, for the words of a failure. */
  struck: string | null = null;
  readonly #at: number;

  /** `at`: which call throws, from 1; 0: none. */
  constructor(at: number) {
    this.#at = at;
  }

  /** The same port, on which every call of a method counts. */
  sabotage<Port extends object>(name: string, port: Port): Port {
    return new Proxy(port, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') {
          return member;
        }
        return (...args: readonly unknown[]): unknown => {
          this.strike(`${name}.${String(key)}`);
          return Reflect.apply(member, target, args);
        };
      },
    });
  }

  strike(where: string): void {
    this.calls += 1;
    if (this.calls === this.#at) {
      this.struck = where;
      throw new TypeError(`sabotage of ${where}`);
    }
  }
}

/** One account in memory, whose every port may throw. */
class SabotagedHome {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new StandInService(this.clock);
  readonly saboteur: Saboteur;
  readonly #journal = new MemoryJournal();
  readonly #knownLocks = new MemoryRoster();
  readonly link = new StandInLink();
  runtime: AccountRuntime;

  constructor(at: number) {
    this.saboteur = new Saboteur(at);
    this.service.add(FRONT, 'unsecured');
    this.service.add(BACK, 'secured');
    this.runtime = this.#build();
  }

  async restart(): Promise<void> {
    this.runtime.dispose();
    this.runtime = this.#build();
    await this.runtime.start();
  }

  #build(): AccountRuntime {
    const { saboteur } = this;
    const runtime = new AccountRuntime({
      ...otherParts(this.clock),
      gateway: saboteur.sabotage('gateway', this.service),
      journal: saboteur.sabotage('journal', this.#journal),
      knownLocks: saboteur.sabotage('roster', this.#knownLocks),
      link: this.link,
      memory: {
        service: saboteur.sabotage('history', NO_MEMORY.service),
        archive: saboteur.sabotage('archive', NO_MEMORY.archive),
        pages: NO_MEMORY.pages,
      },
    });
    runtime.subscribe(() => {
      saboteur.strike('a listener');
    });
    return runtime;
  }
}

/** Some calls in each run of the tests; in torture every one. A prime meets each port at another of its calls. */
const STRIDE = howOften(23, 1);

/** What the commands of one hour meet, in order. */
const HOURS: readonly (readonly [Mishap, Mishap, Mishap, Mishap])[] = [
  [
    { kind: 'fails', reason: 'bolt-jammed' },
    { kind: 'busy', forMs: 3_000 },
    { kind: 'lost-reply' },
    { kind: 'never-ends' },
  ],
  [
    { kind: 'fails', reason: 'lock-silent' },
    { kind: 'lost-request' },
    { kind: 'never-ends' },
    { kind: 'unsent' },
  ],
  [
    { kind: 'fails', reason: 'claims-success' },
    { kind: 'fails', reason: 'lock-busy' },
    { kind: 'busy', forMs: 20_000 },
    { kind: 'lost-reply' },
  ],
];

/** A busy hour: taps, two taps in a row, hands at the door, four mishaps, outages, a sign-out, restarts. */
async function live(home: SabotagedHome, mishaps: (typeof HOURS)[number]): Promise<void> {
  const { clock, service, link } = home;
  const tap = async (id: LockId, rest: BoltPosition, thenMs: number): Promise<void> => {
    void home.runtime.request(id, rest);
    await clock.advance(thenMs);
  };
  await home.runtime.start();
  await tap(FRONT, 'secured', 5_000);
  await tap(FRONT, 'unsecured', 300);
  await tap(FRONT, 'secured', 20_000);
  service.turn('unsecured', FRONT);
  await tap(BACK, 'unsecured', 45_000);
  service.mishaps = [mishaps[0]];
  await tap(BACK, 'secured', 10_000);
  service.turn('secured', BACK);
  service.mishaps = [mishaps[1]];
  await tap(FRONT, 'secured', 30_000);
  service.mishaps = [mishaps[2]];
  await tap(FRONT, 'unsecured', 2_000);
  await home.restart();
  await tap(FRONT, 'secured', 1_000);
  await home.restart();
  await clock.advance(30_000);
  service.mishaps = [mishaps[3]];
  await tap(BACK, 'unsecured', 90_000);
  service.lock(BACK).connected = false;
  await clock.advance(60_000);
  service.lock(BACK).connected = true;
  link.set('revoked');
  await tap(FRONT, 'secured', 10_000);
  link.set('linked');
  service.lock(BACK).listed = false;
  await clock.advance(120_000);
  service.lock(BACK).listed = true;
  await clock.advance(60_000);
  await tap(BACK, 'unsecured', 10_000);
  await tap(FRONT, 'secured', 5_000);
  await tap(FRONT, 'unsecured', 60_000);
  await tap(BACK, 'secured', 1_200_000);
}

/** The faults after a run in which one call threw. Ends the account. */
function wrongsOf({ runtime, service, saboteur, clock }: SabotagedHome): readonly string[] {
  const wrongs = [FRONT, BACK].flatMap((id) => {
    const lock = runtime.lock(id);
    const truth = service.lock(id).bolt;
    const shown = lock === undefined ? 'nothing' : boltOf(lock);
    const right = shown === truth || (truth === 'unknown' && shown === 'jammed');
    return right && lock?.target === null
      ? []
      : [`${id} shows ${shown} with target ${String(lock?.target)} and is ${truth}`];
  });
  runtime.dispose();
  const timers = clock.pendingTimers > 0 ? [`${clock.pendingTimers} timers were left`] : [];
  return [...wrongs, ...timers].map((wrong) => `after ${saboteur.struck ?? 'nothing'} threw: ${wrong}`);
}

describe('a port that throws', () => {
  const uncaught: unknown[] = [];
  const hear = (reason: unknown): void => {
    uncaught.push(reason);
  };

  beforeAll(() => {
    process.on('unhandledRejection', hear);
    process.on('uncaughtException', hear);
  });

  afterAll(() => {
    process.off('unhandledRejection', hear);
    process.off('uncaughtException', hear);
  });

  it('never ends the process, and leaves an account that comes to the truth: at some calls of a busy hour, at every one in torture (faults#1, faults#2)', async () => {
    let points = 0;
    const wrongs: string[] = [];
    for (const mishaps of HOURS) {
      const quiet = new SabotagedHome(0);
      await live(quiet, mishaps);
      quiet.runtime.dispose();
      for (let at = 1; at <= quiet.saboteur.calls; at += STRIDE) {
        const home = new SabotagedHome(at);
        await live(home, mishaps);
        wrongs.push(...wrongsOf(home));
        points += 1;
      }
    }
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    console.log(`${points} places to throw: ${uncaught.length} uncaught, ${wrongs.length} wrong in the end`);
    expect(uncaught.map(String)).toEqual([]);
    expect(wrongs).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(howOften(80, 1_000));
  }, 120_000);
});
