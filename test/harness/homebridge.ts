// A real Homebridge process in a folder of its own: installed, started, listened to, stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { within } from './deadline.ts';
import { freePort } from './free-port.ts';

/** A Homebridge and the Node that runs it, each by the path of its program. */
export interface Versions {
  readonly node: string;
  readonly homebridge: string;
}

/** The newest Homebridge on the Node of the tests: what every test uses that names no other. */
export const NEWEST: Versions = {
  node: process.execPath,
  homebridge: join(import.meta.dirname, '..', '..', 'node_modules', 'homebridge', 'bin', 'homebridge.js'),
};

/** Long enough for a machine that is busy with much else; a start takes a few seconds otherwise. */
const START_WITHIN_MS = 240_000;
/** Homebridge tells what HomeKit thinks of a plugin in plain lines; its own warnings and errors go to standard error. */
const ABOUT_A_PLUGIN = /This plugin (generated a warning|slows down|threw an error|is taking long)/;
/** Homebridge warns of the end of a child bridge that it was asked to end, where it is slower to end than that one. */
const ENDED_AS_ASKED = /Child bridge ended \(code (?:0|143), signal null\)\./;
/** Homebridge gives a child bridge 5 s to shut down and kills it after 10 s. */
const STOP_WITHIN_MS = 40_000;

/** One HAP bridge: what a controller needs to find it and to pair with it. */
export interface Bridge {
  readonly name: string;
  readonly username: string;
  readonly port: number;
  readonly pin: string;
  /** Where controllers of Matter reach it; absent without Matter. */
  readonly matter?: { readonly port: number };
}

/** One entry of `platforms` in config.json. */
export type Block = Readonly<Record<string, unknown>>;

export interface Installation {
  readonly storeFolder: string;
  readonly pluginsFolder: string;
  /** The bridge that shows the platform's accessories: the main one, or a child bridge. */
  readonly bridge: Bridge;
  /** Where Homebridge itself listens: the HAP port of each bridge. */
  readonly ports: readonly number[];
}

export interface InstallationOptions {
  /** The folder for everything Homebridge keeps; made if it is not there. */
  readonly storeFolder: string;
  readonly pluginsFolder: string;
  /** One entry of `platforms` in config.json; none when left out. */
  readonly platform?: Block;
  /** The entries after it, each on the same kind of bridge. */
  readonly more?: readonly Block[];
  readonly onChildBridge?: boolean;
  /** Turns Matter on for the bridge that shows the platform's accessories. */
  readonly matter?: boolean;
  /** The network interface on which bridges are announced; loopback when left out. */
  readonly network?: string;
}

export interface StartOptions {
  /** Start with `-I`, as the Homebridge UI's service does. */
  readonly insecure?: boolean;
  readonly debug?: boolean;
  /** The newest, when left out. */
  readonly versions?: Versions;
  /** Variables of its environment beside those of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface LogLine {
  readonly text: string;
  /** A warning or an error, of Homebridge or of a plugin. */
  readonly isComplaint: boolean;
}

/** Writes config.json for a fresh Homebridge with these platforms, on free ports and with pairing codes of its own. */
export async function installHomebridge(options: InstallationOptions): Promise<Installation> {
  const { storeFolder, pluginsFolder, platform, more = [], onChildBridge = false, matter = false } = options;
  const { network = 'lo' } = options;
  const main = await newBridge('Test bridge', matter && !onChildBridge);
  const blocks = [...(platform === undefined ? [] : [platform]), ...more];
  const children: Bridge[] = [];
  const wanted = onChildBridge ? blocks.length : 0;
  for (let made = 0; made < wanted; made += 1) {
    children.push(await newBridge('Test child bridge', matter));
  }
  const config = {
    bridge: advertised(main, network),
    platforms: blocks.map((block, index) => {
      const child = children[index];
      return child === undefined ? block : Object.assign({ _bridge: advertised(child, network) }, block);
    }),
  };
  mkdirSync(storeFolder, { recursive: true });
  writeFileSync(join(storeFolder, 'config.json'), JSON.stringify(config, null, 2));
  const ports = [main, ...children].map(({ port }) => port);
  return { storeFolder, pluginsFolder, bridge: children[0] ?? main, ports };
}

async function newBridge(name: string, withMatter: boolean): Promise<Bridge> {
  const digits = String(randomInt(20_000_000, 90_000_000));
  const username = ['0E', ...(randomBytes(5).toString('hex').toUpperCase().match(/../g) ?? [])].join(':');
  const port = await freePort();
  return {
    name: `${name} ${username.slice(-5).replace(':', '')}`,
    username,
    port,
    ...(withMatter ? { matter: { port: await freePort({ apartFrom: port }) } } : {}),
    pin: `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`,
  };
}

/** The only advertiser that can be held to one network interface. */
function advertised(bridge: Bridge, network: string): Readonly<Record<string, unknown>> {
  return { ...bridge, advertiser: 'ciao', bind: [network] };
}

/** A running Homebridge. */
export class HomebridgeProcess {
  readonly lines: LogLine[] = [];
  readonly #child: ChildProcess;
  readonly #message = new EventEmitter<{ line: [LogLine] }>();
  readonly #ended: Promise<unknown>;
  #isStopping = false;

  /** Starts Homebridge and resolves once the bridge of the installation answers on its port. */
  static async start(installation: Installation, options: StartOptions = {}): Promise<HomebridgeProcess> {
    const homebridge = new HomebridgeProcess(installation, options);
    try {
      await homebridge.line(new RegExp(`is running on port ${installation.bridge.port}\\.`), START_WITHIN_MS);
    } catch (error) {
      await homebridge.kill();
      throw error;
    }
    return homebridge;
  }

  private constructor(
    { storeFolder, pluginsFolder }: Installation,
    { insecure, debug, versions = NEWEST, environment = {} }: StartOptions,
  ) {
    const args = ['-U', storeFolder, '-P', pluginsFolder, '--strict-plugin-resolution', '-Q', '-T'];
    this.#child = spawn(
      versions.node,
      [versions.homebridge, ...args, ...(insecure ? ['-I'] : []), ...(debug ? ['-D'] : [])],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...environment, NO_COLOR: '1', FORCE_COLOR: '0' },
      },
    );
    this.#ended = once(this.#child, 'exit');
    this.#listen(this.#child.stdout, ABOUT_A_PLUGIN);
    this.#listen(this.#child.stderr, /./);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves with the first line, past or to come, that matches; rejects when Homebridge ends before. */
  async line(pattern: RegExp, withinMs: number): Promise<LogLine> {
    const known = this.lines.find(({ text }) => pattern.test(text));
    if (known) {
      return known;
    }
    const { promise: wanted, resolve } = Promise.withResolvers<LogLine>();
    const look = (line: LogLine): void => {
      if (pattern.test(line.text)) {
        resolve(line);
      }
    };
    this.#message.on('line', look);
    const ended = this.#ended.then(() => {
      throw new Error(`Homebridge ended without the line ${pattern}:\n${this.log()}`);
    });
    try {
      return await within(
        Promise.race([wanted, ended]),
        withinMs,
        () => `Homebridge did not write ${pattern}:\n${this.log()}`,
      );
    } finally {
      this.#message.off('line', look);
    }
  }

  /** Every warning and error. */
  complaints(): string[] {
    return this.lines.filter(({ isComplaint }) => isComplaint).map(({ text }) => text);
  }

  log(): string {
    return this.lines.map(({ text }) => text).join('\n');
  }

  /** Asks it to end, and makes it end if it does not. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#child.kill('SIGTERM');
    try {
      await within(this.#ended, STOP_WITHIN_MS, () => `Homebridge did not stop:\n${this.log()}`);
    } finally {
      await this.kill();
    }
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #listen(stream: NodeJS.ReadableStream | null, cliError: RegExp): void {
    if (!stream) {
      return;
    }
    createInterface({ input: stream }).on('line', (text) => {
      const isAsked = this.#isStopping && ENDED_AS_ASKED.test(text);
      const line = { text, isComplaint: cliError.test(text) && !isAsked };
      this.lines.push(line);
      this.#message.emit('line', line);
    });
  }
}
