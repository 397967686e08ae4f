// A real broker for tests: Debian's mosquitto on loopback, with a folder and a port of its own, ended by its process id.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/** Debian installs it where only root looks by default. */
const PROGRAM =
  ['mosquitto', '/usr/sbin/mosquitto'].find((path) => spawnSync(path, ['-h']).error === undefined) ?? null;

const START_WITHIN_MS = 40_000;

/** Whether the broker is installed; says once that its tests are skipped when it is not. */
export const hasMosquitto = PROGRAM !== null;
if (!hasMosquitto) {
  process.stdout.write(
    'Skipped: the tests with a broker, because mosquitto is not installed (Debian: mosquitto).\n',
  );
}

/** Debian's libfaketime, for a broker that was away for long; null where it is missing. */
export const FAKE_TIME =
  ['x86_64', 'aarch64', 'arm']
    .flatMap((machine) => [`${machine}-linux-gnu`, `${machine}-linux-gnueabihf`])
    .map((place) => `/usr/lib/${place}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path)) ?? null;

export interface Mosquitto {
  /** Of the process; undefined while it is ended. */
  pid(): number | undefined;
  readonly port: number;
  readonly url: URL;
  /** Kills it without notice, as `kill -9` does. */
  kill(): Promise<void>;
  /** The same broker again, on the same port with the same folder; `later`: on a clock so far ahead (libfaketime), in seconds. */
  start(later?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface MosquittoOptions {
  /** The folder of its configuration and its stored messages. */
  readonly folder: string;
  /** Lines of mosquitto.conf beside the listener. */
  readonly lines?: readonly string[];
  /** Left out: every client may connect without credentials. */
  readonly closed?: boolean;
  readonly scheme?: 'mqtt' | 'mqtts';
}

/** Starts it, and resolves when it takes connections. */
export async function startMosquitto({
  folder,
  lines = [],
  closed = false,
  scheme = 'mqtt',
}: MosquittoOptions): Promise<Mosquitto> {
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'mosquitto.conf');
  const head = [
    `listener ${port} 127.0.0.1`,
    `allow_anonymous ${String(!closed)}`,
    `persistence_location ${folder}/`,
  ];
  // Root would become the user of that name, who may not read this folder.
  const user = process.getuid?.() === 0 ? ['user root'] : [];
  writeFileSync(path, [...user, ...head, ...lines, ''].join('\n'));
  return launch({ path, port, scheme });
}

/** As `startMosquitto`, with a file of its own, which listens at this port. */
export async function launch({
  path,
  port,
  scheme,
}: {
  readonly path: string;
  readonly port: number;
  readonly scheme: 'mqtt' | 'mqtts';
}): Promise<Mosquitto> {
  let broker: ChildProcess | null = null;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (broker !== null && broker.exitCode === null && broker.signalCode === null) {
      const exited = once(broker, 'exit');
      broker.kill(signal);
      await exited;
    }
    broker = null;
  };
  const start = async (later = 0): Promise<void> => {
    const clock = later === 0 ? {} : { LD_PRELOAD: FAKE_TIME ?? '', FAKETIME: `+${String(later)}s` };
    const env = { ...process.env, ...clock };
    broker = spawn(PROGRAM ?? 'mosquitto', ['-c', path], { stdio: 'ignore', env });
    await accepts(port, broker);
  };
  await start();
  return {
    pid: () => broker?.pid,
    port,
    url: new URL(`${scheme}://127.0.0.1:${port}`),
    start,
    kill: async () => end('SIGKILL'),
    stop: async () => end('SIGTERM'),
  };
}

async function accepts(port: number, broker: ChildProcess): Promise<void> {
  const until = performance.now() + START_WITHIN_MS;
  while (performance.now() < until && broker.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) {
      return;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  throw new Error('mosquitto did not start');
}
