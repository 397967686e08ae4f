// A credentialing client over the real simulator and a real database, on one clock that a test moves.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Credentialing } from '../../../src/app/credentialing.ts';
import { readConfig } from '../../../src/config/read-config.ts';
import type { CardDraft } from '../../../src/domain/credential.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/partner-server.ts';
import { openStorage, type Storage } from '../../../src/storage/storage.ts';
import type { Clock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settleCalls, watchCalls } from '../../support/settle-calls.ts';
import { partnerOptions } from '../../support/simulated-partner.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A call as the simulator recorded it. */
export interface RecordedCall {
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

/** Time is moved on by so much at a time, for three hours at the most. */
const STEP_MS = 1_000;
const MAX_STEPS = 10_800;

/** A user id, one for each number. */
export function userOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function cardOf(number: number, changes: Partial<CardDraft> = {}): CardDraft {
  return {
    kind: 'card',
    userId: userOf(number),
    mobileNumber: `+1555${String(number).padStart(7, '0')}`,
    cardFormat: '26A',
    facilityCode: 12,
    issueCode: 0,
    cardNumber: null,
    attributes: { siteId: '7', siteName: 'North block' },
    ...changes,
  };
}

/** One process's view of the interface. */
export interface OpenedProcess {
  readonly credentialing: Credentialing;
  readonly storage: Storage;
  close(): Promise<void>;
}

export class Stand {
  readonly clock: ManualClock;
  readonly simulator: Simulator;
  readonly path = join(temporaryFolder(), 'latchkey.db');
  /** How far this machine's wall clock is ahead of the service's, in milliseconds. */
  aheadMs = 0;

  private constructor(clock: ManualClock, simulator: Simulator) {
    this.clock = clock;
    this.simulator = simulator;
  }

  static async open(settings: Readonly<Record<string, unknown>> = {}): Promise<Stand> {
    onTestFinished(watchCalls());
    const clock = new ManualClock(undefined, settleCalls);
    const simulator = await startSimulator({ clock });
    const stand = new Stand(clock, simulator);
    onTestFinished(async () => simulator.close());
    await stand.control('house/configure-credentialing', settings);
    return stand;
  }

  /** The interface as one more process of this machine has it. */
  process(): OpenedProcess {
    const { clock, simulator } = this;
    const [user] = simulator.credentialingUsers;
    const reading = readConfig({
      partner: {
        ...partnerOptions(simulator),
        credentialsUrl: simulator.credentialsBaseUrl,
        credentialsUsername: user?.username,
        credentialsPassword: user?.password,
      },
    });
    if (!reading.ok || reading.config.partner?.credentialsUrl == null) {
      throw new Error('The simulator has no credentialing interface');
    }
    const { partner } = reading.config;
    const machine: Clock = {
      commits: clock.commits,
      now: () => clock.now() + this.aheadMs,
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
    };
    const storage = openStorage({ path: this.path, clock: machine, log: silentLog, ownerId: 'stand' });
    const credentialing = new Credentialing({
      partner,
      credentialsUrl: partner.credentialsUrl ?? '',
      subscriptionKeys: () => partner.credentials.subscriptionKeys,
      storage,
      clock: machine,
    });
    let closed = false;
    const close = async (): Promise<void> => {
      if (!closed) {
        closed = true;
        await credentialing.close();
        storage.close();
      }
    };
    onTestFinished(close);
    return { credentialing, storage, close };
  }

  async control(path: string, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const answer = await fetch(`${this.simulator.controlUrl}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(details),
    });
    if (!answer.ok) {
      throw new Error(`The simulator refused ${path}: ${await answer.text()}`);
    }
  }

  /** Calls of the credentialing interface so far, oldest first. */
  async calls(): Promise<readonly RecordedCall[]> {
    const answer = await fetch(`${this.simulator.controlUrl}/requests`);
    const all = (await answer.json()) as readonly RecordedCall[];
    return all.filter(({ url }) => url.includes('/SMC/'));
  }

  /** Moves time on until the work ends: as it must, within hours. */
  async until<T>(work: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const ended = work.finally(() => {
      state.isOver = true;
    });
    ended.catch(() => {});
    for (let steps = 0; !state.isOver && steps < MAX_STEPS; steps += 1) {
      await this.clock.advance(STEP_MS);
    }
    return ended;
  }
}
