// The relay as an operator runs it, from the command line: a process of its own, with the processor time that it took.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../test/harness/free-port.ts';
import { mintToken } from '../../src/home-token.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'src', 'start', 'cli.ts');
const SECRET = 'the secret of all relays behind one balancer';
const READY_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10;

export interface RelayProgram {
  readonly port: number;
  readonly configFile: string;
  /** The path of a home's address. */
  pathOf(home: string, publicKey: string): string;
  /** Processor time since its start, in milliseconds. */
  cpuMs(): number;
  close(): Promise<void>;
}

/** As in its configuration. */
export interface BenchBroker {
  readonly url: string;
  readonly keysFile?: string;
  readonly caFile?: string;
}

/** Ready when this resolves. No home is limited. */
export async function startRelay(folder: string, broker: BenchBroker): Promise<RelayProgram> {
  const [port, statusPort] = [await freePort(), await freePort()];
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, 'relay.json');
  const config = {
    publicUrl: `http://127.0.0.1:${String(port)}`,
    port,
    statusPort,
    secrets: [SECRET],
    broker,
    limits: { burst: 1_000_000, perMinute: 60_000_000, waiting: 100_000 },
  };
  writeFileSync(configFile, JSON.stringify(config));
  const args = ['--disable-warning=ExperimentalWarning', PROGRAM, 'relay', '--config', configFile];
  const relay = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await ready(relay, statusPort);
  return {
    port,
    configFile,
    pathOf: (home, publicKey) => `/h/${home}/${mintToken({ home, generation: 1, publicKey }, SECRET)}`,
    cpuMs: () => cpuMsOf(relay.pid),
    close: async () => {
      const exited = once(relay, 'exit');
      if (relay.kill()) {
        await exited;
      }
    },
  };
}

async function ready(relay: ChildProcess, statusPort: number): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (performance.now() < until && relay.exitCode === null) {
    const isReady = await fetch(`http://127.0.0.1:${String(statusPort)}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) {
      return;
    }
    await sleep(LOOK_EVERY_MS);
  }
  relay.kill();
  throw new Error('The relay was not ready in time');
}

export function cpuMsOf(pid: number | undefined): number {
  // After the name of the program, which may hold anything in brackets.
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8').replace(/^.*\) /s, '');
  const [user = '0', system = '0'] = stat.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** Resident set of a process, in bytes. */
export function rssBytesOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) * 1_024;
}
