// An account over the stand-in of the service, ready for a test: what it shows, what people request, and restarts.
import { ServiceTime } from '../../src/cloud/http/service-time.ts';
import type { LockRules } from '../../src/domain/commands/intent-policy.ts';
import type { HistoryEntry } from '../../src/domain/history/history.ts';
import type { BoltPosition } from '../../src/domain/locks/bolt.ts';
import type { LeftUnlockedLimits } from '../../src/domain/locks/left-unlocked-policy.ts';
import { boltOf, type Lock, type LockId } from '../../src/domain/locks/lock.ts';
import type { ServiceTimeline } from '../../src/domain/ports.ts';
import { AccountRuntime, type PollingLimits, type RequestAnswer } from '../../src/engine/account-runtime.ts';
import { MemoryJournal, MemoryRoster } from '../stand-ins/database/locks.ts';
import { StandInLink } from '../stand-ins/service/link.ts';
import { FRONT_DOOR, StandInService } from '../stand-ins/service/locks.ts';
import { keptLog } from '../support/kept-log.ts';
import { serviceClockOf } from '../support/known-time.ts';
import { ManualClock, settlePromises } from '../support/manual-clock.ts';
import { NO_MEMORY, otherParts } from './absent-parts.ts';

const LIMITS: PollingLimits = { idleMs: 30_000, healthyMs: 60_000, evidenceMaxAgeMs: 900_000 };

export class PolledHome {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new StandInService(this.clock);
  serviceClock: ServiceTimeline = serviceClockOf(this.clock);
  readonly journal = new MemoryJournal();
  readonly knownLocks = new MemoryRoster();
  readonly link = new StandInLink();
  /** The person of the link, as its token names them. */
  subject: string | null = null;
  readonly lines: string[] = [];
  rules: LockRules = { remoteUnlock: true };
  leftUnlocked: LeftUnlockedLimits = { alertAfterMs: null, lockAfterMs: null };
  limits: PollingLimits = LIMITS;
  random = 0;
  /** The service's history, and the error that it throws instead. */
  history: readonly HistoryEntry[] = [];
  historyFault: Error | null = null;
  /** How long a history takes, and how many were requested at once. */
  historyMs = 0;
  readonly historyAsked = { atOnce: 0, most: 0 };
  runtime: AccountRuntime = this.#build();

  /** Starts the account and lets the first listing come in. */
  async start(): Promise<void> {
    const started = this.runtime.start();
    await this.clock.advance(this.service.latencyMs);
    await started;
  }

  /** Begins anew with a service whose time is known from its answers alone. */
  async measured(): Promise<void> {
    const time = new ServiceTime(this.clock);
    this.serviceClock = time;
    this.service.time = time;
    await this.restart();
  }

  /** A new process that has not started yet. */
  restartUnstarted(): void {
    this.runtime.dispose();
    this.runtime = this.#build();
  }

  /** A crash and a new process: only the journal and the known locks remain. */
  async restart(): Promise<void> {
    this.restartUnstarted();
    await this.start();
  }

  /** Requests, and lets the answer come in without moving the clock. */
  async request(rest: BoltPosition, id: LockId = FRONT_DOOR): Promise<{ answer: Promise<RequestAnswer> }> {
    const answer = this.runtime.request(id, rest);
    await settlePromises();
    return { answer };
  }

  lock(id: LockId = FRONT_DOOR): Lock {
    const lock = this.runtime.lock(id);
    if (lock === undefined) {
      throw new Error(`The account does not know ${id}`);
    }
    return lock;
  }

  /** What PolledHome would show: the bolt, and the target or null. */
  shown(id: LockId = FRONT_DOOR): [string, BoltPosition | null] {
    return [boltOf(this.lock(id)), this.lock(id).target];
  }

  #build(): AccountRuntime {
    return new AccountRuntime({
      ...otherParts(this.clock),
      gateway: this.service,
      journal: this.journal,
      knownLocks: this.knownLocks,
      link: this.link,
      subject: () => this.subject,
      serviceClock: this.serviceClock,
      log: { ...keptLog(this.lines), debug() {} },
      limits: this.limits,
      rulesFor: () => this.rules,
      leftUnlocked: this.leftUnlocked,
      random: () => this.random,
      memory: {
        ...NO_MEMORY,
        service: {
          history: async () => {
            const asked = this.historyAsked;
            asked.atOnce += 1;
            asked.most = Math.max(asked.most, asked.atOnce);
            if (this.historyMs > 0) {
              await new Promise<void>((resolve) => {
                this.clock.after(this.historyMs, resolve);
              });
            }
            asked.atOnce -= 1;
            if (this.historyFault !== null) {
              throw this.historyFault;
            }
            return Promise.resolve({ entries: this.history, limit: 100 });
          },
        },
      },
    });
  }
}

/** A started account with one door. */
export async function homeWithFrontDoor(bolt: BoltPosition = 'unsecured'): Promise<PolledHome> {
  const home = new PolledHome();
  home.service.add(FRONT_DOOR, bolt);
  await home.start();
  return home;
}
