// The real Homebridge UI as a service of the system runs it: with Homebridge beneath it, in folders of its own, on loopback.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { within } from '../harness/deadline.ts';
import { freePort } from '../harness/free-port.ts';
import type { Bridge, Versions } from '../harness/homebridge.ts';

const installed = join(import.meta.dirname, 'node_modules', 'homebridge-config-ui-x');
const program = join(installed, 'dist', 'bin', 'hb-service.js');

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;

const PIN = '031-45-154';

const block = z.looseObject({ platform: z.string() });
const childBridge = z.object({ username: z.string(), port: z.number() });
const configFile = z.looseObject({ platforms: z.array(block) });

export type Block = z.output<typeof block>;

interface Run {
  readonly node: string;
  /** Where plugins are. */
  readonly plugins: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Why nothing can be tried here, or null. */
export function obstacle(): string | null {
  try {
    readFileSync(program);
    return null;
  } catch {
    return 'the Homebridge UI is not installed: `npm run test:ui` does it';
  }
}

/** Everything that is kept of one Homebridge: it outlives a restart. */
export class HomebridgeUi {
  readonly url: string;
  readonly folder: string;
  /** The bridge of Homebridge itself. */
  readonly bridge: Bridge;
  readonly #run: Run;
  #log = '';
  #child: ChildProcess | null = null;

  /**
   * Lays out Homebridge as it is after its first start: with the UI's own platform, and none of ours. `plugin`: the folder of
   * the unpacked tarball. `language`: what is set in the UI. `blocks`: what somebody has written for ours.
   */
  static async install(
    folder: string,
    plugin: string,
    language = 'auto',
    blocks: readonly Block[] = [],
  ): Promise<HomebridgeUi> {
    const plugins = join(folder, 'plugins');
    mkdirSync(plugins);
    for (const path of [installed, plugin]) {
      symlinkSync(path, join(plugins, basename(path)), 'dir');
    }
    const run = { plugins, node: process.execPath, environment: {} };
    return HomebridgeUi.#layOut(folder, run, language, blocks);
  }

  /**
   * The same without any plugin, on a Node and a Homebridge of its own: a UI in one folder, and another one beside config.json
   * into which it installs plugins, as the packages for Debian have them.
   */
  static async bare(
    folder: string,
    versions: Versions,
    environment: Readonly<Record<string, string>>,
  ): Promise<HomebridgeUi> {
    const system = join(folder, 'system');
    const plugins = join(folder, 'homebridge', 'node_modules');
    mkdirSync(system);
    mkdirSync(plugins, { recursive: true });
    writeFileSync(join(plugins, '..', 'package.json'), JSON.stringify({ private: true }));
    symlinkSync(installed, join(system, basename(installed)), 'dir');
    symlinkSync(join(dirname(versions.homebridge), '..'), join(system, 'homebridge'), 'dir');
    return HomebridgeUi.#layOut(folder, {
      plugins,
      node: versions.node,
      environment: {
        ...environment,
        HOMEBRIDGE_APT_PACKAGE: '1',
        // The UI empties npm's cache before it installs anything.
        npm_config_cache: join(folder, 'npm-cache'),
        UIX_BASE_PATH_OVERRIDE: join(system, basename(installed)),
        PATH: `${dirname(versions.node)}:${process.env['PATH'] ?? ''}`,
      },
    });
  }

  static async #layOut(
    folder: string,
    run: Run,
    language = 'auto',
    blocks: readonly Block[] = [],
  ): Promise<HomebridgeUi> {
    const store = join(folder, 'homebridge');
    mkdirSync(store, { recursive: true });
    const port = await freePort();
    const bridge = { name: 'Test Bridge', username: '0E:22:3D:E3:CE:30', port: await freePort(), pin: PIN };
    const config = {
      bridge: { ...bridge, advertiser: 'ciao', bind: ['lo'] },
      accessories: [],
      platforms: [
        { platform: 'config', name: 'Config', port, host: '127.0.0.1', auth: 'none', lang: language },
        ...blocks,
      ],
    };
    writeFileSync(join(store, 'config.json'), JSON.stringify(config, null, 4));
    // Without a person who may log in, the UI would ask for one to be made. No password fits.
    const person = { id: 1, username: 'admin', name: 'Admin', hashedPassword: '', salt: '', admin: true };
    writeFileSync(join(store, 'auth.json'), JSON.stringify([person]));
    return new HomebridgeUi(store, run, port, bridge);
  }

  private constructor(store: string, run: Run, port: number, bridge: Bridge) {
    this.bridge = bridge;
    this.folder = store;
    this.#run = run;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Everything that was logged, by Homebridge, its UI and plugins. */
  get log(): string {
    return this.#log;
  }

  /** The blocks of ours, as config.json has them now. */
  blocks(): readonly Block[] {
    return this.#config().platforms.filter(({ platform }) => platform === 'Latchkey');
  }

  configText(): string {
    return readFileSync(join(this.folder, 'config.json'), 'utf8');
  }

  /** The child bridge that the UI makes would announce itself everywhere: here it may do so on loopback alone. */
  holdToLoopback(): void {
    const config = this.#config();
    const platforms = config.platforms.map((one) =>
      typeof one['_bridge'] === 'object'
        ? { ...one, _bridge: { ...one['_bridge'], advertiser: 'ciao', bind: ['lo'] } }
        : one,
    );
    writeFileSync(join(this.folder, 'config.json'), JSON.stringify({ ...config, platforms }, null, 4));
  }

  /** Sets another language, which the UI takes at its next start. */
  speak(language: string): void {
    const config = this.#config();
    const platforms = config.platforms.map((one) =>
      one.platform === 'config' ? { ...one, lang: language } : one,
    );
    writeFileSync(join(this.folder, 'config.json'), JSON.stringify({ ...config, platforms }, null, 4));
  }

  /** The child bridge that the UI made for our first block. */
  childBridge(): Bridge {
    const { username, port } = childBridge.parse(this.blocks()[0]?.['_bridge']);
    return { name: 'Child bridge', username, port, pin: PIN };
  }

  async start(): Promise<void> {
    const { node, plugins, environment } = this.#run;
    const since = this.#log.length;
    const child = spawn(
      node,
      [
        program,
        'run',
        '-U',
        this.folder,
        '-P',
        plugins,
        '--strict-plugin-resolution',
        '--allow-root',
        '--stdout',
      ],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...environment, NO_COLOR: '1', FORCE_COLOR: '0' },
      },
    );
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        this.#log += data.toString();
      });
    }
    await this.logged(/is running on port/, START_WITHIN_MS, since);
  }

  /** Resolves when this was logged, `since` as many characters as there were. */
  async logged(pattern: RegExp, withinMs: number, since = 0): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = setInterval(() => {
      if (pattern.test(this.#log.slice(since))) {
        resolve();
      }
    }, LOOK_EVERY_MS);
    try {
      await within(promise, withinMs, () => `Nobody logged ${pattern}:\n${this.#log.slice(since)}`);
    } finally {
      clearInterval(look);
    }
  }

  /** The service gives Homebridge seven seconds to end. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null) {
      return;
    }
    this.#child = null;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    try {
      await within(ended, STOP_WITHIN_MS, () => `The Homebridge UI did not stop:\n${this.#log}`);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  }

  #config(): z.output<typeof configFile> {
    return configFile.parse(JSON.parse(this.configText()));
  }
}
