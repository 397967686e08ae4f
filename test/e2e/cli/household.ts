// The command line as a person has it: the packed program, a Homebridge folder, and the simulated service behind it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { z } from 'zod';
import { type Simulator, startSimulator } from '../../../simulator/src/partner-server.ts';
import type { Scenario } from '../../../simulator/src/scenario/scenario.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { systemRandom } from '../../../src/support/random.ts';
import { openAsTool } from '../../../src/tools/account-tool.ts';
import { within } from '../../harness/deadline.ts';
import { consent, control, partnerOptions } from '../../stand-ins/service/simulated.ts';
import { configOf } from '../../support/checked-config.ts';

const TIMEOUT_MS = 100_000;
const OWNER = new URL('owner.ts', import.meta.url);

const records = z.array(z.object({ method: z.string(), url: z.string(), body: z.string().nullable() }));

/** A program that runs, and all its output. */
export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  #out = '';
  #err = '';
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(
    command: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv = process.env,
    user?: number,
  ) {
    const as = user === undefined ? {} : { uid: user, gid: user };
    this.child = spawn(command, args, { stdio: 'pipe', env: environment, ...as });
    // A program that ends while something is typed reads no more: its status and its lines say what came of it.
    this.child.stdin?.on('error', () => {});
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.#out += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.#err += chunk.toString();
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (stream !== null) {
        createInterface({ input: stream }).on('line', (line) => {
          this.#lines.push(line);
          for (const look of this.#waiting) {
            look();
          }
        });
      }
    }
  }

  get out(): string {
    return this.#out;
  }

  get err(): string {
    return this.#err;
  }

  /** Resolves with the first line, past or to come, on either stream. */
  async line(pattern: RegExp): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = (): void => {
      const found = this.#lines.find((line) => pattern.test(line));
      if (found !== undefined) {
        resolve(found);
      }
    };
    this.#waiting.add(look);
    look();
    try {
      return await within(
        promise,
        TIMEOUT_MS,
        () => `No line ${String(pattern)} in:\n${this.#out}${this.#err}`,
      );
    } finally {
      this.#waiting.delete(look);
    }
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Resolves with the status when it has ended. */
  async status(): Promise<number | null> {
    return within(this.ended, TIMEOUT_MS, () => `It did not end:\n${this.#out}${this.#err}`);
  }
}

type Options = Readonly<Record<string, unknown>>;

export interface HouseholdOptions {
  /** Options of the platform block. */
  readonly options?: Options;
  /** Members of `partner` that differ from the simulator's. */
  readonly partner?: Options;
  /** Members of the block beside the plugin's options, such as `_bridge`, and of config.json beside the platforms. */
  readonly whole?: Options;
}

export class Household {
  readonly folder = mkdtempSync(join(tmpdir(), 'latchkey-cli-'));
  readonly simulator: Simulator;
  /** All output of all programs, for a search for secrets. */
  readonly said: Running[] = [];
  /** The user that programs are started as from now on; undefined for the one of the tests. */
  user: number | undefined;

  static async open(options: HouseholdOptions = {}, scenario: Scenario = {}): Promise<Household> {
    const simulator = await startSimulator({ authorization: { autoApproveUserId: 'resident' }, scenario });
    const household = new Household(simulator);
    household.configure(options);
    return household;
  }

  private constructor(simulator: Simulator) {
    this.simulator = simulator;
  }

  /** Writes config.json. */
  configure({ options = {}, partner = {}, whole = {} }: HouseholdOptions): void {
    const block = {
      platform: 'Latchkey',
      name: 'Latchkey',
      partner: { ...partnerOptions(this.simulator), ...partner },
      polling: { idleSeconds: 5 },
      ...options,
    };
    this.write({ bridge: { name: 'Test' }, platforms: [block], ...whole });
  }

  write(config: unknown): void {
    writeFileSync(join(this.folder, 'config.json'), JSON.stringify(config) ?? '');
  }

  /** Starts the program `latchkey` as it is packed. */
  latchkey(...args: readonly string[]): Running {
    return this.typed(...args, '--storage', this.folder);
  }

  /** The same with exactly these words. */
  typed(...args: readonly string[]): Running {
    const program = join(inject('packed').pluginsFolder, 'homebridge-latchkey', 'dist', 'cli', 'main.js');
    return this.#run(program, args);
  }

  /** Starts a process that owns the account and keeps it, as the plugin does; resolves once it does. */
  async owner(): Promise<Running> {
    const owner = this.#run(fileURLToPath(OWNER), [this.folder]);
    await owner.line(/^owned$/u);
    return owner;
  }

  /** Links the account from this process, through its owner where there is one. */
  async link(): Promise<void> {
    const { platforms } = JSON.parse(readFileSync(join(this.folder, 'config.json'), 'utf8')) as {
      readonly platforms: readonly [unknown];
    };
    const config = configOf(platforms[0]);
    const tool = await openAsTool({
      config,
      homebridgeFolder: this.folder,
      clock: systemClock,
      log: silentLog,
      random: systemRandom,
      signal: new AbortController().signal,
    });
    try {
      const { authorizeUrl } = await tool.call('link.start');
      await tool.call('link.finish', { redirectedUrl: await consent(authorizeUrl) });
    } finally {
      await tool.close();
    }
  }

  /** Links the account by the command line, as a person does. */
  async linkByHand(): Promise<Running> {
    const link = this.latchkey('link');
    link.type(`${await consent(await link.line(/^http/u))}\n`);
    if ((await link.status()) !== 0) {
      throw new Error(`It was not linked: ${link.out}${link.err}`);
    }
    return link;
  }

  /** Does something at a door of the simulator. */
  async at(lock: string, action: string, details: Options = {}): Promise<void> {
    await control(this.simulator.controlUrl, `locks/${encodeURIComponent(lock)}/${action}`, details);
  }

  /** Lets the service go ahead in time, so that what is under way there ends. */
  async advance(ms: number): Promise<void> {
    await control(this.simulator.controlUrl, 'time/advance', { ms });
  }

  async runtime(action: string, details: Options = {}): Promise<void> {
    await control(this.simulator.controlUrl, `house/${action}`, details);
  }

  /** Where the bolt truly is. */
  boltOf(lock: string): string | undefined {
    const { world } = this.simulator;
    return world
      .deviceIds()
      .map((id) => world.inspect(id))
      .find(({ name }) => name === lock)?.bolt;
  }

  /** The commands that the service received for a lock, by target. */
  async commands(): Promise<readonly string[]> {
    const answer = await fetch(`${this.simulator.controlUrl}/requests`);
    return records
      .parse(await answer.json())
      .filter(({ method, body }) => method === 'POST' && body?.includes('ChangeLockState') === true)
      .map(({ body }) => (body?.includes('Unlocked') === true ? 'Unlocked' : 'Locked'));
  }

  /** Requests to the token endpoint. */
  async tokenRequests(): Promise<number> {
    const answer = await fetch(`${this.simulator.controlUrl}/requests`);
    return records.parse(await answer.json()).filter(({ url }) => url.includes('/OAuth2/token')).length;
  }

  async leave(): Promise<void> {
    for (const { child } of this.said) {
      child.kill('SIGKILL');
    }
    await Promise.all(this.said.map(async ({ ended }) => ended));
    await this.simulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #run(program: string, args: readonly string[]): Running {
    const node = ['--disable-warning=ExperimentalWarning', program, ...args];
    const running = new Running(process.execPath, node, process.env, this.user);
    this.said.push(running);
    return running;
  }
}
