// A house over the pretend service, ready for a test: what it shows, what people wish, and restarts.
import type { Rest } from '../../../src/domain/bolt.ts';
import type { LockRules } from '../../../src/domain/intent-policy.ts';
import { boltOf, type Lock, type LockId } from '../../../src/domain/lock.ts';
import type { Log } from '../../../src/support/log.ts';
import { House, type PollingLimits, type WishAnswer } from '../../../src/sync/house.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import {
  FRONT_DOOR,
  MemoryJournal,
  MemoryRoster,
  NO_MEMORY,
  PretendLink,
  PretendPerson,
  PretendService,
} from './pretend-service.ts';

const LIMITS: PollingLimits = { idleMs: 30_000, healthyMs: 300_000, evidenceMaxAgeMs: 900_000 };

export class Home {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new PretendService(this.clock);
  readonly journal = new MemoryJournal();
  readonly roster = new MemoryRoster();
  readonly link = new PretendLink();
  readonly person = new PretendPerson();
  readonly lines: string[] = [];
  rules: LockRules = { remoteUnlock: true, force: false };
  limits: PollingLimits = LIMITS;
  house: House = this.#build();

  /** Starts the house and lets the first listing come in. */
  async start(): Promise<void> {
    const started = this.house.start();
    await this.clock.advance(this.service.latencyMs);
    await started;
  }

  /** A crash and a new process: only the journal and the roster remain. */
  async restart(): Promise<void> {
    this.house.dispose();
    this.house = this.#build();
    await this.start();
  }

  /** Wishes, and lets the answer come in without moving the clock. */
  async wish(rest: Rest, id: LockId = FRONT_DOOR): Promise<{ answer: Promise<WishAnswer> }> {
    const answer = this.house.wish(id, rest);
    await settlePromises();
    return { answer };
  }

  lock(id: LockId = FRONT_DOOR): Lock {
    const lock = this.house.lock(id);
    if (lock === undefined) {
      throw new Error(`The house does not know ${id}`);
    }
    return lock;
  }

  /** What Home would show: the bolt, and the wish or null. */
  shown(id: LockId = FRONT_DOOR): [string, Rest | null] {
    return [boltOf(this.lock(id)), this.lock(id).wish];
  }

  #build(): House {
    const say = (line: string): void => {
      this.lines.push(line);
    };
    const log: Log = { debug() {}, info: say, warn: say, error: say };
    return new House({
      gateway: this.service,
      journal: this.journal,
      roster: this.roster,
      link: this.link,
      person: this.person,
      clock: this.clock,
      serviceClock: this.clock,
      log,
      limits: this.limits,
      rulesFor: () => this.rules,
      chance: () => 0,
      memory: NO_MEMORY,
    });
  }
}

/** A started house with one door. */
export async function homeWithFrontDoor(bolt: Rest = 'unsecured'): Promise<Home> {
  const home = new Home();
  home.service.add(FRONT_DOOR, bolt);
  await home.start();
  return home;
}
