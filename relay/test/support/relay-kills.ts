// A service that sends signed events through a relay to one home, while relay, broker and home are killed at random: one
// mosquitto, or the nodes of a cluster.
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRandom, type RandomSource } from '../../../simulator/src/world/random.ts';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { freePort } from '../../../test/harness/free-port.ts';
import { startMosquitto } from '../../../test/harness/mosquitto.ts';
import { enrolAtBroker } from '../../src/enrol-home.ts';
import { type RelayConfig, readRelayConfig } from '../../src/relay-config.ts';
import { BROKER_LINES } from '../component/relay-stage.ts';
import { startNats } from '../harness/nats-cluster.ts';
import { openHome } from './cluster-home.ts';
import { pause, Senders } from './relay-senders.ts';

export interface Kills {
  readonly relay: number;
  /** Of a cluster: of all its nodes together. */
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
  /** Events that another home received. */
  readonly strays: readonly string[];
  /** Requests that were not answered with 204, and so were repeated. */
  readonly repeats: number;
}

export interface KillsOptions {
  readonly folder: string;
  /** Of a cluster; left out: one mosquitto. */
  readonly nodes?: number;
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

interface Broker {
  start(): Promise<void> | void;
  kill(): Promise<void>;
}

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
    const env = { NODE_COMPILE_CACHE: join(folder, 'compiled'), ...process.env };
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

  static ofBroker(broker: Pick<Broker, 'start' | 'kill'>): Victim {
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
  const fall = Promise.withResolvers<never>();
  const stage = await layOut(options, fall.reject);
  const victims = [stage.relay, stage.home, ...stage.brokers];
  try {
    stage.relay.begin();
    stage.home.begin();
    // A session of the home has to be there.
    await Promise.all([stage.relay.up, stage.home.up]);
    const { url, key } = stage;
    const senders = new Senders({ url, key, events: options.events, paceMs: options.paceMs });
    await Promise.race([strikeAll(senders, options, victims, createRandom(seed)), fall.promise]);
    const { acknowledged, repeats } = senders;
    const kept = await drained(folder, acknowledged);
    return {
      kills: {
        relay: stage.relay.kills,
        broker: stage.brokers.reduce((sum, { kills }) => sum + kills, 0),
        home: stage.home.kills,
      },
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((id) => !kept.has(id)),
      doubled: doubledIn(folder),
      strays: stage.strays,
      repeats,
    };
  } finally {
    await stage.closeOther();
    // In this order: a home that was killed just before says that it is up again only beside a relay and a broker.
    for (const victim of [stage.home, stage.relay, ...stage.brokers]) {
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
  readonly brokers: readonly Victim[];
  readonly url: string;
  readonly key: KeyObject;
  /** What another home receives. */
  readonly strays: readonly string[];
  closeOther(): Promise<void>;
}

interface OpenBrokers {
  readonly victims: readonly Victim[];
  /** Of the relay's configuration. */
  readonly broker: { readonly url: string; readonly keysFile?: string; readonly replicas?: number };
}

async function openMosquitto(folder: string): Promise<OpenBrokers> {
  const broker = await startMosquitto({ folder, lines: withoutUsers(BROKER_LINES) });
  return { victims: [Victim.ofBroker(broker)], broker: { url: broker.url.href } };
}

async function openCluster(folder: string, nodes: number): Promise<OpenBrokers> {
  const { nodes: victims, url, keysFile } = await startNats({ folder, nodes });
  return {
    victims: victims.map((node) => Victim.ofBroker(node)),
    broker: { url, keysFile, replicas: nodes },
  };
}

async function layOut({ folder, nodes }: KillsOptions, fell: (error: Error) => void): Promise<Stage> {
  const place = join(folder, 'broker');
  const { victims, broker } = await (nodes === undefined ? openMosquitto(place) : openCluster(place, nodes));
  const port = await freePort();
  const configFile = join(folder, 'relay.json');
  writeFileSync(
    configFile,
    JSON.stringify({
      publicUrl: `http://127.0.0.1:${String(port)}`,
      port,
      statusPort: 0,
      secrets: ['the secret of all relays behind one balancer'],
      broker,
      limits: { burst: 100_000, perMinute: 1_000_000, waiting: 1_000 },
    }),
  );
  const config = readRelayConfig(configFile);
  const { line } = await enrolAtBroker(config, { home: 'blue', generation: 1, withAddress: true });
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const keyFile = join(folder, 'key.pem');
  writeFileSync(keyFile, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  const strays: string[] = [];
  return {
    relay: Victim.ofProgram(folder, [join(HARNESS, 'relay-process.ts'), configFile], fell),
    home: Victim.ofProgram(folder, [join(HARNESS, 'relayed-home-process.ts'), folder, line, keyFile], fell),
    brokers: victims,
    url: readEnrolment(line)?.url ?? '',
    key: pair.privateKey,
    strays,
    closeOther: nodes === undefined ? async () => {} : await openOther(config, strays),
  };
}

/** Another home of the same cluster. */
async function openOther(config: RelayConfig, strays: string[]): Promise<() => Promise<void>> {
  const { line } = await enrolAtBroker(config, { home: 'green', generation: 1, withAddress: true });
  const enrolment = readEnrolment(line);
  if (enrolment === null) {
    throw new Error('The line cannot be read');
  }
  const home = await openHome(enrolment, systemClock, async ({ topic }) => {
    strays.push(topic);
    return Promise.resolve();
  });
  return async () => home.close();
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
