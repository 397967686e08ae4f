// A whole account over the real simulator, on one clock that a test moves: the app, its storage and its log.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/src/partner-server.ts';
import { App } from '../../src/app/app.ts';
import { OPENS_AFTER_MS } from '../../src/app/webhooks/service.ts';
import type { Config } from '../../src/config/config.ts';
import { type LockId, lockId } from '../../src/domain/locks/lock.ts';
import { settleCalls, watchCalls } from '../stand-ins/service/settle-calls.ts';
import {
  consent,
  control,
  partnerOptions,
  requestsAt,
  type SentRequest,
} from '../stand-ins/service/simulated.ts';
import { configOf } from '../support/checked-config.ts';
import { keptLog } from '../support/kept-log.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The person of the simulator's default house who owns its locks. */
export const RESIDENT = 'resident';

/**
 * The account is taken within this time, even by an app whose predecessor could not give it back and seems to live, since
 * both are in one process (faults, row 17).
 */
const TAKEN_WITHIN_MS = 31_000;

export interface SimulatedHomeOptions {
  readonly simulator?: Omit<SimulatorOptions, 'clock'>;
  /** Options of the plugin; in `partner` those that differ from the simulator's, undefined to leave one out. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Homebridge's folder, which stays; a new one that goes with the test if left out. */
  readonly folder?: string;
  /** Outlives the test that opens it: the test file closes it. */
  readonly lasting?: boolean;
}

export class SimulatedHome {
  readonly clock: ManualClock;
  readonly simulator: Simulator;
  readonly folder: string;
  /** Every line of the log, debug included. */
  readonly lines: string[] = [];
  /** The instants of the monotonic clock at which timers of the account fired: each wakes the machine. */
  readonly wokenAt = new Set<number>();
  readonly #keepsFolder: boolean;
  readonly #unwatch: () => void;
  #config: Config;
  #app: App;
  #closed = false;

  /** A running account, not linked yet; everything is ended and removed with the test, unless it is to last. */
  static async open({
    simulator: simulatorOptions = {},
    options = {},
    folder,
    lasting = false,
  }: SimulatedHomeOptions = {}): Promise<SimulatedHome> {
    const unwatch = watchCalls();
    const clock = new ManualClock(undefined, settleCalls);
    const simulator = await startSimulator({
      ...simulatorOptions,
      clock,
      authorization: { autoApproveUserId: RESIDENT, ...simulatorOptions.authorization },
    });
    const home = new SimulatedHome(clock, simulator, options, folder, unwatch);
    if (!lasting) {
      onTestFinished(async () => home.close());
    }
    await home.#app.start();
    await home.listening();
    return home;
  }

  /** The same, linked as a person links it, with the first listing read. */
  static async linked(options?: SimulatedHomeOptions): Promise<SimulatedHome> {
    const home = await SimulatedHome.open(options);
    await home.link();
    return home;
  }

  private constructor(
    clock: ManualClock,
    simulator: Simulator,
    options: Readonly<Record<string, unknown>>,
    folder: string | undefined,
    unwatch: () => void,
  ) {
    this.#unwatch = unwatch;
    this.clock = clock;
    this.simulator = simulator;
    this.#keepsFolder = folder !== undefined;
    this.folder = folder ?? mkdtempSync(join(tmpdir(), 'latchkey-home-'));
    this.#config = configFor(simulator, options);
    this.#app = this.another();
  }

  get app(): App {
    return this.#app;
  }

  get config(): Config {
    return this.#config;
  }

  async link(): Promise<void> {
    const { operations } = this.#app;
    const { authorizeUrl } = await operations['link.start']({});
    await this.answered(operations['link.finish']({ redirectedUrl: await consent(authorizeUrl) }));
    await this.clock.advance(0);
  }

  /** What was asked, once it is answered: a listing may have to wait its turn, which is five seconds at most. */
  async answered<T>(asked: Promise<T>): Promise<T> {
    const answer = { isThere: false };
    const settled = (): void => {
      answer.isThere = true;
    };
    asked.then(settled, settled);
    for (let waitedMs = 0; !answer.isThere && waitedMs <= 5_000; waitedMs += 500) {
      await this.clock.advance(waitedMs === 0 ? 0 : 500);
    }
    return asked;
  }

  /** Ends the process's part of the world and begins it anew on the same folder, with other options where they are given. */
  async restart(options?: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#app.dispose();
    if (options !== undefined) {
      this.#config = configFor(this.simulator, options);
    }
    this.#app = this.another();
    const started = this.#app.start();
    for (let waitedMs = 0; !owned(this.#app) && waitedMs < TAKEN_WITHIN_MS; waitedMs += 1_000) {
      await this.clock.advance(1_000);
    }
    await started;
    await this.listening();
  }

  /** Lets the listener open, which it does soon after the account was taken, or find out that it cannot. */
  async listening(app: App = this.#app): Promise<void> {
    if (this.#config.webhooks === null) {
      return;
    }
    await this.clock.advance(OPENS_AFTER_MS);
    for (;;) {
      const { listener, trouble } = await app.operations['webhooks.status']({});
      if (listener !== null || trouble !== null) {
        return;
      }
      await this.clock.advance(0);
    }
  }

  /** Ends everything and removes the folder. Closing twice does nothing. */
  async close(): Promise<void> {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    await this.#app.dispose();
    await this.simulator.close();
    if (!this.#keepsFolder) {
      rmSync(this.folder, { recursive: true, force: true });
    }
    this.#unwatch();
  }

  /** The id of a lock by its name. */
  idOf(name: string): LockId {
    const { world } = this.simulator;
    const id = world.deviceIds().find((candidate) => world.inspect(candidate).name === name);
    if (id === undefined) {
      throw new Error(`The simulator has no lock called ${name}`);
    }
    return lockId(id);
  }

  /** The requests of this kind that the service was sent, oldest first. */
  async requests(method: string, part: string): Promise<readonly SentRequest[]> {
    const all = await requestsAt(this.simulator.controlUrl);
    return all.filter((request) => request.method === method && request.url.includes(part));
  }

  /** How many of them there were. */
  async count(method: string, part: string): Promise<number> {
    return (await this.requests(method, part)).length;
  }

  /** Every request to this path meets the fault, until `house/clear-faults`. */
  async fail(path: string, fault: object): Promise<void> {
    await this.control('house/inject-fault', { kind: 'status', often: 'always', path, ...fault });
  }

  /** One call of the simulator's control API. */
  async control(path: string, details: object = {}): Promise<unknown> {
    return control(this.simulator.controlUrl, path, details);
  }

  /** An app as another process would have it, with options and a folder of its own where given; not started yet. */
  another(options?: Readonly<Record<string, unknown>>, resident = true, folder = this.folder): App {
    return new App({
      config: options === undefined ? this.#config : configFor(this.simulator, options),
      homebridgeFolder: folder,
      clock: {
        commits: this.clock.commits,
        now: () => this.clock.now(),
        monotonic: () => this.clock.monotonic(),
        after: (delayMs, callback) =>
          this.clock.after(delayMs, () => {
            this.wokenAt.add(this.clock.monotonic());
            callback();
          }),
      },
      log: keptLog(this.lines),
      random: () => 0.5,
      resident,
      onAskedToStepBack: () => false,
    });
  }
}

function owned(app: App): boolean {
  return app.runtime.linkState() !== 'other-process';
}

/** The platform block for a simulator. */
export function platformBlock(simulator: Simulator) {
  return {
    platform: 'Latchkey',
    name: 'Latchkey',
    partner: { ...partnerOptions(simulator), productSegment: simulator.productSegment },
  };
}

function configFor(simulator: Simulator, options: Readonly<Record<string, unknown>>): Config {
  const block = platformBlock(simulator);
  const partner = { ...block.partner, ...(options['partner'] as object | undefined) };
  return configOf({ ...block, ...options, partner });
}
