// A service that sends signed events through a relay to one home, while relay, broker and home are killed at random.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readEnrolment } from '../../src/config/relay-enrolment.ts';
import { enrolHome } from '../../src/relay/enrol-home.ts';
import { signBody } from '../../src/simulator/webhooks/signature.ts';
import { generateSigningKeyPair } from '../../src/simulator/webhooks/signing-keys.ts';
import { createRandom } from '../../src/simulator/world/random.ts';
import { BROKER_LINES } from '../component/relay/relay-stage.ts';
import { freePort } from '../harness/free-port.ts';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';

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
  /** Pause between two kills, at least and at most, in milliseconds. */
  readonly pauseMs: readonly [number, number];
}

const SENDERS = 8;
const REPEAT_AFTER_MS = 50;
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

  static ofProgram(...args: readonly string[]): Victim {
    let child: ChildProcess | null = null;
    return new Victim(
      async () => {
        const started = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        child = started;
        // It says something once it works.
        await Promise.race([once(started.stdout, 'data'), once(started, 'exit')]);
      },
      async () => {
        if (child !== null && child.exitCode === null) {
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
  const stage = await layOut(folder, broker);
  const random = createRandom(seed);
  const victims = { relay: stage.relay, broker: Victim.ofBroker(broker), home: stage.home };
  const all = Object.values(victims);
  try {
    stage.relay.begin();
    stage.home.begin();
    // A session of the home has to be there.
    await Promise.all([stage.relay.up, stage.home.up]);
    const sending = send(stage.url, options, stage.sign);
    const [least, most] = options.pauseMs;
    while (!(await Promise.race([sending.then(() => true), pause(least + random.next() * (most - least))]))) {
      await all[Math.floor(random.next() * all.length)]?.strike();
    }
    const { acknowledged, repeats } = await sending;
    const kept = await drained(folder, acknowledged);
    return {
      kills: { relay: victims.relay.kills, broker: victims.broker.kills, home: victims.home.kills },
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((id) => !kept.has(id)),
      doubled: doubledIn(folder),
      repeats,
    };
  } finally {
    await Promise.all(all.map(async (victim) => victim.end()));
  }
}

/** The users are the matter of another test. */
function withoutUsers(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('use_username'));
}

interface Stage {
  readonly relay: Victim;
  readonly home: Victim;
  readonly url: string;
  readonly sign: (body: Buffer) => string;
}

async function layOut(folder: string, broker: Mosquitto): Promise<Stage> {
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
  const pair = generateSigningKeyPair();
  const keyFile = join(folder, 'key.pem');
  writeFileSync(keyFile, pair.publicKey.export({ type: 'spki', format: 'pem' }));
  return {
    relay: Victim.ofProgram(join(HARNESS, 'relay-process.ts'), configFile),
    home: Victim.ofProgram(join(HARNESS, 'relayed-home-process.ts'), folder, line, keyFile),
    url: readEnrolment(line)?.url ?? '',
    sign: (body) => signBody(body, { scheme: 'pss-sha256', jwsAlgorithm: 'PS256' }, pair.privateKey),
  };
}

interface Sent {
  readonly acknowledged: readonly string[];
  readonly repeats: number;
}

/** Sends each event again until it is acknowledged, as the service does over a day. */
async function send(url: string, { events, paceMs }: KillsOptions, sign: Stage['sign']): Promise<Sent> {
  const acknowledged: string[] = [];
  let repeats = 0;
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < events) {
      next += 1;
      const eventId = `e-${String(next)}`;
      const body = eventOf(eventId);
      const headers = { 'content-type': 'application/json', 'webhook-signature': sign(body) };
      while (!(await isTaken(url, body, headers))) {
        repeats += 1;
        await pause(REPEAT_AFTER_MS);
      }
      acknowledged.push(eventId);
      await pause(paceMs);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return { acknowledged, repeats };
}

async function isTaken(url: string, body: Buffer, headers: Record<string, string>): Promise<boolean> {
  try {
    const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers });
    await answer.arrayBuffer();
    return answer.status === 204;
  } catch {
    return false;
  }
}

function eventOf(eventId: string): Buffer {
  return Buffer.from(
    JSON.stringify({
      eventId,
      eventType: 'DeviceUpdate',
      trigger: 'DeviceLockStateChanged',
      time: new Date().toISOString(),
      deviceId: 'front',
      data: { lockState: 'Locked' },
      version: '2.0',
    }),
  );
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

/** Resolves with false. */
async function pause(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, false);
  });
}
