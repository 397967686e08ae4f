// A credentialing client over the real simulator and a real database, on one clock that a test moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/src/partner-server.ts';
import type { Clock } from '../../src/support/clock.ts';
import { settleCalls, watchCalls } from '../stand-ins/service/settle-calls.ts';
import { control, partnerOptions, requestsAt, type SentRequest } from '../stand-ins/service/simulated.ts';
import { type OpenedProcess, openProcess } from '../support/credentialing-process.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Time is moved on by so much at a time, for three hours at the most. */
const STEP_MS = 1_000;
const MAX_STEPS = 10_800;

/** `partner` of a platform block for a simulator and the first of its logins. */
export function credentialingOptions(simulator: Simulator): Readonly<Record<string, unknown>> {
  const [user] = simulator.credentialingUsers;
  return {
    ...partnerOptions(simulator),
    credentialsUrl: simulator.credentialsBaseUrl,
    credentialsUsername: user?.username,
    credentialsPassword: user?.password,
  };
}

export class CredentialingHome {
  readonly clock: ManualClock;
  readonly simulator: Simulator;
  readonly folder = mkdtempSync(join(tmpdir(), 'latchkey-credentials-'));
  readonly path = join(this.folder, 'latchkey.db');
  /** How far this machine's wall clock is ahead of the service's, in milliseconds. */
  aheadMs = 0;

  readonly #endings: (() => Promise<void>)[] = [];

  private constructor(clock: ManualClock, simulator: Simulator) {
    this.clock = clock;
    this.simulator = simulator;
  }

  /** `settings`: switches of the credentialing interface. Closed with the running test. */
  static async ofTest(settings: Readonly<Record<string, unknown>> = {}): Promise<CredentialingHome> {
    const home = await CredentialingHome.open(settings);
    onTestFinished(async () => home.close());
    return home;
  }

  static async open(settings: Readonly<Record<string, unknown>> = {}): Promise<CredentialingHome> {
    const unwatch = watchCalls();
    const clock = new ManualClock(undefined, settleCalls);
    const simulator = await startSimulator({ clock });
    const stand = new CredentialingHome(clock, simulator);
    stand.#endings.push(async () => {
      unwatch();
      await simulator.close();
      rmSync(stand.folder, { recursive: true, force: true });
    });
    await stand.control('house/configure-credentialing', settings);
    return stand;
  }

  /** The interface as one more process of this machine has it, with other options where they are given. */
  process(changes: Readonly<Record<string, unknown>> = {}): OpenedProcess {
    const { clock, simulator, path } = this;
    const machine: Clock = {
      commits: clock.commits,
      now: () => clock.now() + this.aheadMs,
      monotonic: () => clock.monotonic(),
      after: (delayMs, callback) => clock.after(delayMs, callback),
    };
    const opened = openProcess({ ...credentialingOptions(simulator), ...changes }, path, machine);
    this.#endings.push(opened.close);
    return opened;
  }

  async close(): Promise<void> {
    for (const end of this.#endings.splice(0).toReversed()) {
      await end();
    }
  }

  async control(path: string, details: object = {}): Promise<unknown> {
    return control(this.simulator.controlUrl, path, details);
  }

  /** Calls of the credentialing interface so far, oldest first. */
  async calls(): Promise<readonly SentRequest[]> {
    const all = await requestsAt(this.simulator.controlUrl);
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
