// The whole house on one stage: the simulator, the packed plugin in a real Homebridge, linked by OAuth, and a paired Home.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { faultSchema } from '../../simulator/src/faults/fault.ts';
import { type Simulator, startSimulator } from '../../simulator/src/partner-server.ts';
import type { Scenario } from '../../simulator/src/scenario/scenario.ts';
import { PanelClient } from '../../src/panel/socket/panel-client.ts';
import type { LockSettingsChange } from '../../src/panel/views/lock-settings.ts';
import type { Clock } from '../../src/support/clock.ts';
import { control, partnerOptions } from '../stand-ins/service/simulated.ts';
import { Home } from './home.ts';
import {
  HomebridgeProcess,
  type Installation,
  type InstallationOptions,
  installHomebridge,
  type LogLine,
  type StartOptions,
} from './homebridge.ts';
import { linkAccount, ownerOf } from './link-account.ts';
import { TestCalendar } from './test-calendar.ts';
import { TestLock } from './test-lock.ts';

/** The person of the simulator's default house who owns all three locks. */
const RESIDENT = 'resident';

/** The name of the platform block, which also names the account's folder. */
const PLATFORM_NAME = 'Latchkey';

const sentRequests = z.array(
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
    answer: z.string().nullable(),
  }),
);

/** A request as the simulator recorded it, with its answer. */
export type SentRequest = z.output<typeof sentRequests>[number];

type PluginOptions = Readonly<Record<string, unknown>>;

export type FaultOptions = z.input<typeof faultSchema>;

export interface StageOptions
  extends Pick<InstallationOptions, 'pluginsFolder' | 'onChildBridge' | 'matter' | 'network'> {
  /** A folder of this stage's own; the caller makes and removes it. */
  readonly folder: string;
  readonly scenario?: Scenario;
  readonly simulatorPort?: number;
  /** The simulator's; the system's when left out. */
  readonly simulatorClock?: Clock;
  /** Options of the plugin beside the partner's addresses and credentials. */
  readonly options?: PluginOptions;
  /** What differs in the `partner` block; undefined leaves something out. */
  readonly partner?: PluginOptions;
  /** Options of single locks, by the lock's name. */
  readonly lockOptions?: Readonly<Record<string, PluginOptions>>;
  readonly start?: StartOptions;
}

export class Stage {
  readonly simulator: Simulator;
  readonly installation: Installation;
  readonly #start: StartOptions;
  readonly #earlierLines: LogLine[] = [];
  #linesTaken = 0;
  #homebridge: HomebridgeProcess;
  #home: Home | undefined;

  /** Opens everything up to a running, not yet linked plugin. */
  static async open(options: StageOptions): Promise<Stage> {
    const simulator = await startSimulator({
      ...(options.simulatorPort === undefined ? {} : { port: options.simulatorPort }),
      ...(options.scenario === undefined ? {} : { scenario: options.scenario }),
      ...(options.simulatorClock === undefined ? {} : { clock: options.simulatorClock }),
      authorization: { autoApproveUserId: RESIDENT },
    });
    try {
      const installation = await installHomebridge({
        ...options,
        storeFolder: join(options.folder, 'homebridge'),
        platform: platformFor(simulator, options),
      });
      const homebridge = await HomebridgeProcess.start(installation, options.start);
      return new Stage(simulator, installation, homebridge, options.start ?? {});
    } catch (error) {
      await simulator.close();
      throw error;
    }
  }

  private constructor(
    simulator: Simulator,
    installation: Installation,
    homebridge: HomebridgeProcess,
    start: StartOptions,
  ) {
    this.simulator = simulator;
    this.installation = installation;
    this.#homebridge = homebridge;
    this.#start = start;
  }

  get homebridge(): HomebridgeProcess {
    return this.#homebridge;
  }

  get home(): Home {
    if (!this.#home) {
      throw new Error('Nobody has paired yet');
    }
    return this.#home;
  }

  /** Every lock that the simulator knows, by its name. */
  get locks(): TestLock[] {
    return this.simulator.world.deviceIds().map((id) => this.lock(this.simulator.world.inspect(id).name));
  }

  lock(name: string): TestLock {
    return new TestLock(name, () => this.home, this.simulator.controlUrl);
  }

  /** A booking calendar of the simulated portals; the only one when no name is given. */
  calendar(name?: string): TestCalendar {
    return TestCalendar.of(this.simulator, name);
  }

  /** The true position of the bolt, whatever the cloud or Home show. */
  boltOf(lock: TestLock): string {
    const { world } = this.simulator;
    const id = world.deviceIds().find((candidate) => world.inspect(candidate).name === lock.name);
    if (id === undefined) {
      throw new Error(`The simulator has no lock called ${lock.name}`);
    }
    return world.inspect(id).bolt;
  }

  /** Every request that the service was sent, oldest first. */
  async requests(): Promise<readonly SentRequest[]> {
    const answer = await fetch(`${this.simulator.controlUrl}/requests`);
    return sentRequests.parse(await answer.json());
  }

  /** Every command for a bolt that the service was sent. */
  async commands(): Promise<readonly SentRequest[]> {
    const requests = await this.requests();
    return requests.filter(({ method, body }) => method === 'POST' && body?.includes('ChangeLockState'));
  }

  /** Makes calls of the service meet a fault, such as `{kind: 'status', status: 503, often: 'always'}`. */
  async fault(fault: FaultOptions): Promise<void> {
    await control(this.simulator.controlUrl, 'house/inject-fault', fault);
  }

  /** Ends every fault of the service. */
  async heal(): Promise<void> {
    await control(this.simulator.controlUrl, 'house/clear-faults', {});
  }

  /** Links the account as a person does: consent page, redirect, code. */
  async link(): Promise<void> {
    await linkAccount(this.installation.storeFolder, PLATFORM_NAME);
  }

  /** Talks to the running plugin as a page's process does; whoever opened the conversation closes it. */
  async pages(): Promise<PanelClient> {
    return PanelClient.connect(await ownerOf(this.installation.storeFolder, PLATFORM_NAME));
  }

  /** Sets options of a lock as a page does. */
  async configure(name: string, settings: LockSettingsChange): Promise<void> {
    await this.#onPages(async (pages) => {
      await pages.call('locks.configure', { lock: await lockIdOf(pages, name), settings });
    });
  }

  async refresh(): Promise<void> {
    await this.#onPages(async (pages) => pages.call('refresh'));
  }

  async #onPages(work: (pages: PanelClient) => Promise<unknown>): Promise<void> {
    const pages = await this.pages();
    try {
      await work(pages);
    } finally {
      await pages.close();
    }
  }

  async pair(): Promise<void> {
    this.#home = await Home.pair(this.installation.bridge);
  }

  /** Collects every change of every lock that Home shows from now on. */
  async listen(): Promise<void> {
    const points = this.locks.flatMap(({ current, target }) => [current, target]);
    await this.home.subscribe(points.filter((point) => this.home.has(point)));
  }

  /** Everything that Homebridge wrote, across restarts. */
  get lines(): readonly LogLine[] {
    return [...this.#earlierLines, ...this.#homebridge.lines];
  }

  /**
   * Every warning and error that Homebridge wrote since they were last taken, across restarts. A test that expects none
   * asks for these: one that took them would pass when it is tried again.
   */
  complaints(): string[] {
    return this.lines
      .slice(this.#linesTaken)
      .filter(({ isComplaint }) => isComplaint)
      .map(({ text }) => text);
  }

  /** The same, and they are not looked at again. */
  takeComplaints(): string[] {
    const taken = this.complaints();
    this.#linesTaken = this.lines.length;
    return taken;
  }

  /** Stops Homebridge (or kills it, as a power cut would) and starts it again; a paired Home reconnects and listens. */
  async restartHomebridge(how: 'stop' | 'kill' = 'stop'): Promise<void> {
    await this.#homebridge[how]();
    this.#earlierLines.push(...this.#homebridge.lines);
    this.#homebridge = await HomebridgeProcess.start(this.installation, this.#start);
    if (this.#home !== undefined) {
      await this.#home.reconnect();
      await this.listen();
    }
  }

  /** Changes options of the plugin in config.json, as a person does, and restarts Homebridge. */
  async reconfigure(options: PluginOptions): Promise<void> {
    const path = join(this.installation.storeFolder, 'config.json');
    const config = JSON.parse(readFileSync(path, 'utf8')) as { readonly platforms: [PluginOptions] };
    const [platform] = config.platforms;
    writeFileSync(path, JSON.stringify({ ...config, platforms: [{ ...platform, ...options }] }, null, 2));
    await this.restartHomebridge();
  }

  async close(): Promise<void> {
    await this.#home?.close();
    await this.#homebridge.stop();
    await this.simulator.close();
  }
}

async function lockIdOf(pages: PanelClient, name: string): Promise<string | undefined> {
  return (await pages.call('locks')).find(({ description }) => description.name === name)?.id;
}

function platformFor(
  simulator: Simulator,
  { options = {}, partner = {}, lockOptions = {} }: StageOptions,
): PluginOptions {
  const { credentialsBaseUrl, productSegment, world } = simulator;
  const idOf = new Map(world.deviceIds().map((id) => [world.inspect(id).name, id]));
  return {
    platform: 'Latchkey',
    name: PLATFORM_NAME,
    partner: {
      ...partnerOptions(simulator),
      credentialsUrl: credentialsBaseUrl,
      productSegment,
      ...partner,
    },
    locks: Object.entries(lockOptions).map(([name, one]) => Object.assign({ id: idOf.get(name) }, one)),
    ...options,
  };
}
