// How many signed events are taken in: by ours, by the least plugin that verifies them, and by a bare Fastify with one
// `crypto.verify` in a process of its own. No house sees so many; it shows what is left for Home when somebody sends them all
// the same.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestBytes, type ServiceKey, signed, type Turn } from '../support/signed-events.ts';
import type { BareOptions } from './bare-listener.ts';
import { type Contestant, WEBHOOK_PATH } from './contestant.ts';
import { alone, compared, type Figure, none, percentile } from './figures.ts';
import type { Load, Sent } from './load-generator.ts';
import { grownBy, growthFigure, residentFigure, warmUp } from './memory-growth.ts';
import { timed } from './pair.ts';
import { startWorker, type Worker } from './worker.ts';

const CONNECTIONS = 16;
/** Ten events a second of each of 149 locks, with room; on a small computer a share of the limit (decision 0036). */
const ENOUGH_PER_SECOND = 2_000;
const LEAST_RATIO = 0.5;
/** Of what the least plugin takes in that verifies and shows them. */
const LEAST_PLUGIN_RATIO = 0.7;
const MOST_READ_MS = 200;

/** Home reads all locks this often meanwhile, in milliseconds. */
const READ_EVERY_MS = 100;

/** Home is asked for all bolts this long afterwards, in milliseconds. */
const SETTLED_AFTER_MS = 300;

/** So many events happen in one millisecond, each at another lock. */
const EVENTS_PER_MS = 20;

export interface IngestRounds {
  /** Each is made, and then sent to one after the other. */
  readonly lots: number;
  readonly eventsPerLot: number;
}

/** Events per second. */
interface Accepted {
  readonly ours: number;
  readonly limit: number;
  readonly bare: number;
  /** Processor time of the main thread for each event, in microseconds. */
  readonly cpu: { readonly ours: number; readonly limit: number };
}

export interface IngestParts {
  readonly ours: Contestant;
  readonly limit: Contestant;
  readonly key: ServiceKey;
  readonly rounds: IngestRounds;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

export async function measureIngest(parts: IngestParts): Promise<readonly Figure[]> {
  const generator = startWorker(new URL('./load-generator.ts', import.meta.url));
  const bare = startWorker(new URL('./bare-listener.ts', import.meta.url));
  try {
    const { publicKeyPem } = parts.key;
    const barePort = await bare.ask({ path: WEBHOOK_PATH, publicKeyPem } satisfies BareOptions);
    return await new Ingest(parts, Number(barePort), generator).measure();
  } finally {
    generator.end();
    bare.end();
  }
}

class Ingest {
  readonly #parts: IngestParts;
  readonly #barePort: number;
  readonly #generator: Worker;
  readonly #readMs: number[] = [];

  constructor(parts: IngestParts, barePort: number, generator: Worker) {
    this.#parts = parts;
    this.#barePort = barePort;
    this.#generator = generator;
  }

  async measure(): Promise<readonly Figure[]> {
    const { ours, key, rounds } = this.#parts;
    const resident = { ours: [] as number[], limit: [] as number[] };
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const sendLot = async (): Promise<void> => {
      await this.#accepted(key.privateKey);
      await this.#refused(stranger);
    };
    await warmUp(sendLot);
    const accepted: Accepted[] = [];
    const refused: number[] = [];
    let wrong = 0;
    let touched = 0;
    for (let lot = 0; lot < rounds.lots; lot += 1) {
      accepted.push(await this.#accepted(key.privateKey));
      wrong += await this.#wrongStates();
      refused.push(await this.#refused(stranger));
      touched += await this.#wrongStates();
      resident.ours.push((await ours.memory()).rssBytes);
      resident.limit.push((await this.#parts.limit.memory()).rssBytes);
    }
    const grown = await grownBy(ours, rounds.lots, sendLot);
    const rates = accepted.map((rate) => rate.ours);
    return [
      ingestFigure(
        rates,
        accepted.map(({ bare }) => bare),
      ),
      pluginFigure(
        rates,
        accepted.map(({ limit }) => limit),
      ),
      cpuFigure(accepted.map(({ cpu }) => cpu)),
      none('locks that show another state than the last one reported', 'locks', wrong),
      readsFigure(this.#readMs),
      growthFigure(grown, 2 * rounds.lots * rounds.eventsPerLot),
      residentFigure(resident),
      refusedFigure(refused, rates),
      none('locks that a refused event moved', 'locks', touched),
    ];
  }

  /** A lot of genuine events, to all. Resolves with the events per second. */
  async #accepted(signer: KeyObject): Promise<Accepted> {
    const { ours, limit } = this.#parts;
    const { requests, last } = await this.#lot(signer);
    const bare = perSecond(await this.#send(this.#barePort, requests), ['204']);
    const before = { ours: await ours.memory(), limit: await limit.memory() };
    const limitRate = perSecond(await whileReading(limit, this.#send(limit.routePort, requests), []), [
      '204',
    ]);
    const rate = perSecond(await this.#whileReading(this.#send(ours.routePort, requests)), ['204']);
    const perEvent = async (side: 'ours' | 'limit'): Promise<number> => {
      const { mainCpuMs } = await this.#parts[side].memory();
      return (1_000 * (mainCpuMs - before[side].mainCpuMs)) / requests.length;
    };
    const cpu = { ours: await perEvent('ours'), limit: await perEvent('limit') };
    // Only now, so that no listing could have informed the plugin.
    for (const [id, state] of last) {
      ours.service.locks.set(id, state);
      limit.service.locks.set(id, state);
    }
    return { ours: rate, limit: limitRate, bare, cpu };
  }

  /** The same of forged events, to ours alone. Too many refusals, or of signatures by a key that may yet come, are answered otherwise, and no sooner. */
  async #refused(signer: KeyObject): Promise<number> {
    const { requests } = await this.#lot(signer);
    return perSecond(await this.#whileReading(this.#send(this.#parts.ours.routePort, requests)), [
      '401',
      '429',
      '503',
    ]);
  }

  async #lot(signer: KeyObject): Promise<{
    readonly requests: readonly Buffer[];
    readonly last: ReadonlyMap<string, Turn['state']>;
  }> {
    const { ours, rounds, random } = this.#parts;
    const now = Date.now();
    const commits = Array.from(
      { length: rounds.eventsPerLot },
      (_, index): Turn => ({
        id: randomUUID(),
        lockId: ours.lock(index).id,
        state: random() < 0.5 ? 'Locked' : 'Unlocked',
        at: now + Math.floor(index / EVENTS_PER_MS),
      }),
    );
    const requests = commits.map(async (turn) => requestBytes(WEBHOOK_PATH, await signed(turn, signer)));
    return {
      requests: await Promise.all(requests),
      last: new Map(commits.map(({ lockId, state }) => [lockId, state])),
    };
  }

  async #send(port: number, requests: readonly Buffer[]): Promise<Sent> {
    const load = { port, connections: CONNECTIONS, requests } satisfies Load;
    return (await this.#generator.ask(load)) as Sent;
  }

  async #whileReading<T>(work: Promise<T>): Promise<T> {
    return whileReading(this.#parts.ours, work, this.#readMs);
  }

  /** Locks that Home shows otherwise than they are. */
  async #wrongStates(): Promise<number> {
    const { controller, service, locks, allPoints } = this.#parts.ours;
    await sleep(SETTLED_AFTER_MS);
    const shown = await controller.values(allPoints);
    return locks.filter(({ id, current, target }) => {
      const truth = service.locks.get(id) === 'Locked' ? 1 : 0;
      return shown.get(current) !== truth || shown.get(target) !== truth;
    }).length;
  }
}

/** Home reads all locks meanwhile; how long each reading takes is added to `readMs`. */
async function whileReading<T>(
  { controller, allPoints }: Contestant,
  work: Promise<T>,
  readMs: number[],
): Promise<T> {
  const ended = new AbortController();
  const end = work.finally(() => {
    ended.abort();
  });
  while (!ended.signal.aborted) {
    readMs.push(await timed(async () => controller.read(allPoints)));
    await sleep(READ_EVERY_MS);
  }
  return end;
}

/** Throws when an answer has none of these statuses: a refused event is not counted. */
function perSecond({ tookMs, statuses }: Sent, expected: readonly string[]): number {
  const strange = Object.keys(statuses).filter((status) => !expected.includes(status));
  if (strange.length > 0) {
    throw new Error(`Events were answered with ${JSON.stringify(statuses)}`);
  }
  return (1_000 * Object.values(statuses).reduce((sum, count) => sum + count, 0)) / tookMs;
}

function ingestFigure(ours: readonly number[], bare: readonly number[]): Figure {
  return compared(
    {
      name: `signed events taken in at ${String(CONNECTIONS)} connections (limit: bare Fastify, one verify)`,
      unit: '1/s',
      goal: `p50 at least ${String(ENOUGH_PER_SECOND)}, or ${String(LEAST_RATIO)} of the limit`,
    },
    { ours, limit: bare },
    (mine, least) => mine.p50 >= Math.min(ENOUGH_PER_SECOND, LEAST_RATIO * least.p50),
  );
}

function pluginFigure(ours: readonly number[], limit: readonly number[]): Figure {
  return compared(
    {
      name: 'the same (limit: the least plugin that verifies and shows them)',
      unit: '1/s',
      goal: `p50 at least ${String(LEAST_PLUGIN_RATIO)} of the limit`,
    },
    { ours, limit },
    (mine, least) => mine.p50 >= LEAST_PLUGIN_RATIO * least.p50,
  );
}

/** Steadier than rates, where other processes have the same cores. */
function cpuFigure(samples: readonly Accepted['cpu'][]): Figure {
  return compared(
    {
      name: 'processor time of the main thread for a signed event',
      unit: 'us',
      goal: `p50 at most 1 / ${String(LEAST_PLUGIN_RATIO)} of the limit`,
    },
    { ours: samples.map(({ ours }) => ours), limit: samples.map(({ limit }) => limit) },
    (ours, limit) => LEAST_PLUGIN_RATIO * ours.p50 <= limit.p50,
  );
}

function refusedFigure(refused: readonly number[], accepted: readonly number[]): Figure {
  return compared(
    {
      name: 'forged events refused (limit: genuine ones taken in)',
      unit: '1/s',
      goal: 'p50 at least as many',
    },
    { ours: refused, limit: accepted },
    (ours, limit) => ours.p50 >= limit.p50,
  );
}

function readsFigure(samples: readonly number[]): Figure {
  return alone(
    {
      name: 'read of all locks meanwhile',
      unit: 'ms',
      goal: `p99 under ${String(MOST_READ_MS)} ms`,
    },
    samples,
    percentile(samples, 0.99) < MOST_READ_MS,
  );
}
