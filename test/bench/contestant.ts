// One of the two that are compared: a plugin in a Homebridge of its own, a service of its own, and a controller. Both are
// opened, furnished and watched in the same way.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../harness/free-port.ts';
import { HomebridgeProcess, type Installation, installHomebridge } from '../harness/homebridge.ts';
import { linkAccount } from '../harness/link-account.ts';
import { BenchService } from './bench-service.ts';
import { Controller, type LockPoints } from './controller.ts';
import type { ProcessMemory, ProcessReport } from './preload.ts';

const PLATFORM_NAME = 'Latchkey';
/** Where ours takes webhooks in. */
export const WEBHOOK_PATH = '/hooks/bench';
const SHOWN_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 100;

/**
 * Options of Node where memory is compared. V8 gives young objects up to 32 MB on a computer with 1 GB of memory, and 64 MB with
 * 2 GB or more (measured with Node 24 and several sizes in /proc/meminfo). The goals are for small computers.
 */
export const SMALL_COMPUTER = '--max-semi-space-size=16';

export type Side = 'ours' | 'limit';

export interface ContestantOptions {
  readonly side: Side;
  readonly locks: number;
  /** A folder of this contestant's own. */
  readonly folder: string;
  /** Where the packed plugin, or the limit, lies as Homebridge finds it. */
  readonly pluginsFolder: string;
  /** Options of Node for the Homebridge process. */
  readonly nodeOptions?: string;
  /** Seconds between two listings of ours; the default of the plugin when left out. */
  readonly idleSeconds?: number;
  /** How our plugin is notified of events; without it, our plugin has only its listings. */
  readonly webhooks?: {
    readonly publicKeyPem: string;
    readonly fastEvents: boolean;
    /** Through a relay, at which this line enrols it, instead of to a listener. */
    readonly enrolment?: string;
  };
  /** The broker at which ours shows its locks. */
  readonly mqttUrl?: string;
  /** On a child bridge: without Matter, with Homebridge's Matter alone, or with the locks shown over it. */
  readonly childBridge?: 'plain' | 'with-matter' | 'locks-over-matter';
}

/** A lock as the service knows it, and as HomeKit addresses it. */
export interface Lock extends LockPoints {
  readonly id: string;
}

const report = z.object({
  rssBytes: z.number(),
  heapBytes: z.number(),
  cpuMs: z.number(),
  cpuAfterMs: z.number(),
  commits: z.number(),
});

const memory = z.object({ rssBytes: z.number(), mainCpuMs: z.number() });

/** The state after a first start: everything but the running process. */
interface Parts {
  readonly side: Side;
  readonly service: BenchService;
  readonly installation: Installation;
  /** Where `preload.ts` listens; null without it. */
  readonly inspectorPort: number | null;
  readonly routePort: number;
  readonly nodeOptions: string;
}

/** Running processes: a bench that is interrupted leaves none behind. */
const running = new Set<Contestant>();

export async function closeEverything(): Promise<void> {
  await Promise.allSettled([...running].map(async (contestant) => contestant.close()));
}

export class Contestant {
  readonly side: Side;
  readonly service: BenchService;
  locks: readonly Lock[] = [];
  /** Services and characteristics of the accessories, each different set once. */
  shapes: ReadonlySet<string> = new Set();
  readonly #parts: Parts;
  #homebridge: HomebridgeProcess;
  #controller: Controller | null = null;

  /** Starts it, links it, pairs with it, and waits until it shows all its locks. `closeEverything` ends it. */
  static async open(options: ContestantOptions): Promise<Contestant> {
    const service = await BenchService.open(options.locks);
    const routePort = await freePort();
    const installation = await installHomebridge({
      storeFolder: options.folder,
      pluginsFolder: options.pluginsFolder,
      onChildBridge: options.childBridge !== undefined,
      matter: options.childBridge !== undefined && options.childBridge !== 'plain',
      platform:
        options.side === 'ours'
          ? ourPlatform(service, routePort, options)
          : limitPlatform(service, routePort, options),
    });
    if (options.side === 'limit') {
      service.notify(`http://127.0.0.1:${String(routePort)}`);
    }
    // Both processes of a child bridge would listen on one port, so there is none.
    const inspectorPort = options.childBridge === undefined ? await freePort() : null;
    const { side, nodeOptions = '' } = options;
    const parts = { side, service, installation, inspectorPort, routePort, nodeOptions };
    const contestant = new Contestant(parts, await startHomebridge(parts));
    await contestant.#meet();
    return contestant;
  }

  private constructor(parts: Parts, homebridge: HomebridgeProcess) {
    this.#parts = parts;
    this.side = parts.side;
    this.service = parts.service;
    this.#homebridge = homebridge;
    running.add(this);
  }

  get controller(): Controller {
    if (this.#controller === null) {
      throw new Error('Nobody has paired yet');
    }
    return this.#controller;
  }

  /** Where it is notified of events: the port of our listener, or of the limit's route. */
  get routePort(): number {
    return this.#parts.routePort;
  }

  /** HomeKit's addresses of all locks' current and target states. */
  get allPoints(): readonly string[] {
    return this.locks.flatMap(({ current, target }) => [current, target]);
  }

  /** The lock of this number, counted on from the first one after the last. */
  lock(index: number): Lock {
    const lock = this.locks[index % this.locks.length];
    if (lock === undefined) {
      throw new Error('There are no locks');
    }
    return lock;
  }

  /** A tap in Home that moves this lock to where it is not; resolves when Home has its answer. */
  async tap(index: number): Promise<void> {
    const { id, target } = this.lock(index);
    await this.controller.write({ [target]: this.service.locks.get(id) === 'Locked' ? 0 : 1 });
  }

  get installation(): Installation {
    return this.#parts.installation;
  }

  get homebridge(): HomebridgeProcess {
    return this.#homebridge;
  }

  async stop(): Promise<void> {
    await this.#homebridge.stop();
  }

  /** Starts the process again; resolves when the bridge is open. The pairing stays. */
  async start(): Promise<void> {
    this.#homebridge = await startHomebridge(this.#parts);
    await this.controller.reconnect();
  }

  /** How the Homebridge process is; costs two garbage collections. */
  async report(): Promise<ProcessReport> {
    return report.parse(JSON.parse(await this.#inspect('report', 0)));
  }

  /** How much memory and processor time the Homebridge process has taken; costs nothing. */
  async memory(): Promise<ProcessMemory> {
    return memory.parse(JSON.parse(await this.#inspect('memory', 0)));
  }

  /** How long hap-nodejs holds events back, in milliseconds. */
  async holdEvents(ms: number): Promise<void> {
    await this.#inspect('hold', ms);
  }

  /** Makes every commit of the process take this much longer, in milliseconds. */
  async slowCommits(ms: number): Promise<void> {
    await this.#inspect('slow-commits', ms);
  }

  async close(): Promise<void> {
    running.delete(this);
    await this.#controller?.close();
    await this.#homebridge.stop();
    await this.service.close();
  }

  async #meet(): Promise<void> {
    if (this.side === 'ours') {
      await linkAccount(this.#parts.installation.storeFolder, PLATFORM_NAME);
    }
    const ids = [...this.service.locks.keys()];
    // Apple's devices pair with a bridge that shows something already; the number of accessories is waited for here.
    this.#controller = await Controller.pair(this.#parts.installation.bridge);
    const giveUpAt = performance.now() + SHOWN_WITHIN_MS;
    let listed = await this.#controller.locks();
    while (listed.points.length < ids.length && performance.now() < giveUpAt) {
      await sleep(LOOK_EVERY_MS);
      listed = await this.#controller.locks();
    }
    if (listed.points.length !== ids.length) {
      throw new Error(`${this.side} shows ${String(listed.points.length)} locks:\n${this.#homebridge.log()}`);
    }
    this.shapes = listed.shapes;
    this.locks = listed.points.map(({ name, current, target, motion }, index) => ({
      id: ids[index] ?? '',
      name,
      current,
      target,
      motion,
    }));
    await this.#controller.listen(this.allPoints);
  }

  async #inspect(path: string, ms: number): Promise<string> {
    const response = await fetch(
      `http://127.0.0.1:${String(this.#parts.inspectorPort)}/${path}?ms=${String(ms)}`,
    );
    const answer = await response.text();
    if (!response.ok) {
      throw new Error(`The inspector of ${this.side} says: ${answer}`);
    }
    return answer;
  }
}

/** A Homebridge inherits its environment when it is started, so ours is only set for that moment. */
async function startHomebridge({
  installation,
  inspectorPort,
  nodeOptions,
}: Parts): Promise<HomebridgeProcess> {
  const { NODE_OPTIONS: before = '' } = process.env;
  process.env['NODE_OPTIONS'] = `${before} ${nodeOptions}`;
  if (inspectorPort !== null) {
    process.env['NODE_OPTIONS'] += ` --import=${new URL('./preload.ts', import.meta.url).href}`;
    process.env['LATCHKEY_BENCH_PORT'] = String(inspectorPort);
  }
  const starting = HomebridgeProcess.start(installation);
  process.env['NODE_OPTIONS'] = before;
  delete process.env['LATCHKEY_BENCH_PORT'];
  return starting;
}

function ourPlatform(
  service: BenchService,
  routePort: number,
  { idleSeconds, webhooks, childBridge, mqttUrl }: ContestantOptions,
): Record<string, unknown> {
  return {
    platform: 'Latchkey',
    name: PLATFORM_NAME,
    partner: {
      authUrl: `${service.url}/auth`,
      baseUrl: `${service.url}/api`,
      productSegment: 'locks',
      clientId: 'bench',
      clientSecret: 'bench',
      subscriptionKeys: ['bench'],
      redirectUri: `${service.url}/linked`,
      allowInsecureLoopback: true,
    },
    ...(mqttUrl === undefined ? {} : { mqtt: { url: mqttUrl, homeAssistant: true } }),
    ...(childBridge === 'locks-over-matter' ? { matter: 'both' } : {}),
    ...(idleSeconds === undefined ? {} : { polling: { idleSeconds } }),
    ...(webhooks === undefined
      ? {}
      : {
          fastEvents: webhooks.fastEvents,
          webhooks: {
            enabled: true,
            keys: [webhooks.publicKeyPem],
            ...(webhooks.enrolment === undefined
              ? { port: routePort, path: WEBHOOK_PATH }
              : { via: 'relay', enrolment: webhooks.enrolment }),
          },
        }),
  };
}

function limitPlatform(
  service: BenchService,
  routePort: number,
  { childBridge, webhooks }: ContestantOptions,
): Record<string, unknown> {
  const locks = [...service.locks.keys()].map((id) => ({ id, name: `Door ${id.slice(-3)}` }));
  return {
    platform: 'LimitLock',
    name: 'Limit',
    serviceUrl: service.url,
    routePort,
    locks,
    matter: childBridge === 'locks-over-matter',
    webhook: webhooks && { path: WEBHOOK_PATH, publicKeyPem: webhooks.publicKeyPem },
  };
}

/** Lays the limit out as a plugin folder, in plain JavaScript: at its start nothing is compiled that ours does not compile. */
export function layOutLimit(pluginsFolder: string): void {
  const source = new URL('./limit-plugin/index.ts', import.meta.url);
  const folder = join(pluginsFolder, 'homebridge-limit-lock');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'index.js'), stripTypeScriptTypes(readFileSync(source, 'utf8')));
  writeFileSync(
    join(folder, 'package.json'),
    readFileSync(new URL('./limit-plugin/package.json', import.meta.url)),
  );
  for (const name of ['fastify', 'undici']) {
    const installed = join(import.meta.dirname, '..', '..', 'node_modules', name);
    symlinkSync(installed, join(folder, 'node_modules', name), 'dir');
  }
}
