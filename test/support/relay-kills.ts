// A service that sends signed events through a relay to one home, while relay, broker and home are killed at random.
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readEnrolment } from '../../src/config/relay-enrolment.ts';
import { enrolHome } from '../../src/relay/enrol-home.ts';
import { createRandom, type RandomSource } from '../../src/simulator/world/random.ts';
import { BROKER_LINES } from '../component/relay/relay-stage.ts';
import { freePort } from '../harness/free-port.ts';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { pause, Senders } from './relay-senders.ts';

export interface Kills {
  readonly relay: number;
  readonly broker: number;
  readonly home: number;
}

export interface KillsOutcome {
  readonly kills: Kills;
  /** Events that were answered with 204. */
  readonly acknowledged: number;
  /** Of those, events that are in no ledger in the end. */
  readonly lost: readonly string[];
  /** Events that a process emitted twice, or that it emitted although their row was there when it began. */
  readonly doubled: readonly string[];
  /** Requests that were not answered with 204, and so were repeated. */
  readonly repeats: number;
}

export interface KillsOptions {
  readonly folder: string;
  readonly events: number;
  readonly seed: string;
  /** Pause of each of the senders after an event, in milliseconds. */
  readonly paceMs: number;
  /** Events that are acknowledged between two kills, at least and at most. */
  readonly killEvery: readonly [number, number];
}

/** A kill comes so much after an acknowledgement at most: at any point of what is under way then. */
const LATER_MS = 60;
/** Every so many kills a second victim falls, while the first is still down. */
const SECOND_EVERY = 4;
const SECOND_WITHIN_MS = 1_000;
/** After the last event: a home that pauses before it connects again gets the rest. */
const DRAINED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

const HARNESS = join(import.meta.dirname, '..', 'harness');

/** A process that is started again after each kill. */
class Victim {
  readonly #start: () => Promise<void>;
  readonly #kill: () => Promise<void>;
  kills = 0;
  up: Promise<void> = Promise.resolve();

  constructor(start: () => Promise<void>, kill: () => Promise<void>) {
    this.#start = start;
    this.#kill = kill;
  }

  /** `fell`: called when it ends without having been killed. */
  static ofProgram(folder: string, args: readonly string[], fell: (error: Error) => void): Victim {
    let child: ChildProcess | null = null;
    let isKilled = false;
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
    return new Victim(
      async () => {
        isKilled = false;
        const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
          stdio: ['ignore', 'pipe', 'inherit'],
          env,
        });
        child = started;
        const exited = once(started, 'exit');
        started.once('exit', () => {
          if (!isKilled) {
            fell(new Error(`${String(args[0])} ended by itself`));
          }
        });
        // It says something once it works.
        await Promise.race([once(started.stdout, 'data'), exited]);
      },
      async () => {
        isKilled = true;
        if (child !== null && child.exitCode === null && child.signalCode === null) {
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
        }
      },
    );
  }

  static ofBroker(broker: Mosquitto): Victim {
    return new Victim(
      async () => broker.start(),
      async () => broker.kill(),
    );
  }

  begin(): void {
    this.up = this.#start();
  }

  /** Kills it, and starts it again; resolves at once, and `up` when it works again. */
  async strike(): Promise<void> {
    await this.up;
    this.kills += 1;
    await this.#kill();
    this.begin();
  }

  async end(): Promise<void> {
    await this.up.catch(() => {});
    await this.#kill();
  }
}

export async function killsOf(options: KillsOptions): Promise<KillsOutcome> {
  const { folder, seed } = options;
  mkdirSync(folder, { recursive: true });
  const broker = await startMosquitto({ folder: join(folder, 'broker'), lines: withoutUsers(BROKER_LINES) });
  const fall = Promise.withResolvers<never>();
  const stage = await layOut(folder, broker, fall.reject);
  const victims = { relay: stage.relay, broker: Victim.ofBroker(broker), home: stage.home };
  const all = Object.values(victims);
  try {
    stage.relay.begin();
    stage.home.begin();
    // A session of the home has to be there.
    await Promise.all([stage.relay.up, stage.home.up]);
    const { url, key } = stage;
    const senders = new Senders({ url, key, events: options.events, paceMs: options.paceMs });
    await Promise.race([strikeAll(senders, options, all, createRandom(seed)), fall.promise]);
    const { acknowledged, repeats } = senders;
    const kept = await drained(folder, acknowledged);
    return {
      kills: { relay: victims.relay.kills, broker: victims.broker.kills, home: victims.home.kills },
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((id) => !kept.has(id)),
      doubled: doubledIn(folder),
      repeats,
    };
  } finally {
    // The broker last: without it a home that was killed just before would never say that it is up again.
    for (const victim of [victims.home, victims.relay, victims.broker]) {
      await victim.end();
    }
  }
}

/** Kills after so many events, not after so much time: a slow machine is given the time that it takes to get up again. */
async function strikeAll(
  senders: Senders,
  { events, killEvery: [least, most] }: KillsOptions,
  victims: readonly Victim[],
  random: RandomSource,
): Promise<void> {
  const strike = async (): Promise<void> => victims[Math.floor(random.next() * victims.length)]?.strike();
  let mark = 0;
  for (;;) {
    mark += Math.round(least + random.next() * (most - least));
    if (mark >= events) {
      break;
    }
    await senders.reach(mark);
    await pause(random.next() * LATER_MS);
    await strike();
    if (random.next() < 1 / SECOND_EVERY) {
      await pause(random.next() * SECOND_WITHIN_MS);
      await strike();
    }
  }
  await senders.done;
}

/** The users are the matter of another test. */
function withoutUsers(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('use_username'));
}

interface Stage {
  readonly relay: Victim;
  readonly home: Victim;
  readonly url: string;
  readonly key: KeyObject;
}

async function layOut(folder: string, broker: Mosquitto, fell: (error: Error) => void): Promise<Stage> {
  const port = await freePort();
  const config = {
    publicUrl: `http://127.0.0.1:${String(port)}`,
    port,
    statusPort: 0,
    secrets: ['the secret of all relays behind one balancer'],
    broker: { url: broker.url.href },
    limits: { burst: 100_000, perMinute: 1_000_000, waiting: 1_000 },
  };
  const configFile = join(folder, 'relay.json');
  writeFileSync(configFile, JSON.stringify(config));
  const { line } = enrolHome(config, { home: 'blue', generation: 1, withAddress: true });
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keyFile = join(folder, 'key.pem');
  writeFileSync(keyFile, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  return {
    relay: Victim.ofProgram(folder, [join(HARNESS, 'relay-process.ts'), configFile], fell),
    home: Victim.ofProgram(folder, [join(HARNESS, 'relayed-home-process.ts'), folder, line, keyFile], fell),
    url: readEnrolment(line)?.url ?? '',
    key: pair.privateKey,
  };
}

/** The ids in the ledger, once every acknowledged one is there or none has come for long. */
async function drained(folder: string, acknowledged: readonly string[]): Promise<ReadonlySet<string>> {
  const until = performance.now() + DRAINED_WITHIN_MS;
  let kept = ledgerOf(folder);
  while (kept.size < acknowledged.length && performance.now() < until) {
    await pause(LOOK_EVERY_MS);
    kept = ledgerOf(folder);
  }
  return kept;
}

function ledgerOf(folder: string): ReadonlySet<string> {
  const database = new DatabaseSync(join(folder, 'home.db'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT event_id FROM received_event').all();
    return new Set(rows.map((row) => String(row['event_id'])));
  } finally {
    database.close();
  }
}

function doubledIn(folder: string): readonly string[] {
  const file = join(folder, 'effects');
  const seen = new Set<string>();
  return (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .filter((line) => line !== '')
    .filter((line) => {
      const isDouble = line.startsWith('again') || seen.has(line);
      seen.add(line);
      return isDouble;
    });
}
