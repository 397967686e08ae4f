// What homes cost a cluster that do nothing but stay connected over TLS, and what one costs its neighbours that asks without end.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { alone, compared, type Figure } from '../../../test/bench/figures.ts';
import { startWorker, type Worker } from '../../../test/bench/worker.ts';
import { enrolAtBroker } from '../../src/enrol-home.ts';
import { readRelayConfig } from '../../src/relay-config.ts';
import { hasNats, type NatsCluster, natsVersion, startNats } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import type { CrowdWork } from './connected-crowd.ts';
import { cpuMsOf, type RelayProgram, rssBytesOf, startRelay } from './relay-program.ts';

export interface ConnectedRounds {
  readonly homes: number;
  readonly idleMs: number;
  /** Of each two, one with a home that asks without end, and one without. */
  readonly turns: number;
  readonly turnMs: number;
}

const SETTLED_AFTER_MS = 5_000;
const ASKS_PER_SECOND = 13_000;
const MOST_RATIO = 1.5;
/** Between deliveries: a home takes 10,000 in a day, and then no more. */
const PAUSE_MS = 25;
const PER_THOUSAND = 1_000;
const PERCENT = 100;

/** Empty where nats-server is missing. */
export async function measureConnectedHomes(
  folder: string,
  { homes: count, idleMs, turns, turnMs }: ConnectedRounds,
): Promise<readonly Figure[]> {
  if (!hasNats) {
    return [];
  }
  mkdirSync(folder, { recursive: true });
  const cluster = await startNats({ folder: join(folder, 'cluster'), hasCertificates: true });
  const caFile = join(folder, 'cluster', 'accounts', 'ca.pem');
  const relay = await startRelay(join(folder, 'relay'), {
    url: cluster.url,
    keysFile: cluster.keysFile,
    caFile,
  });
  const crowd = startWorker(new URL('./connected-crowd.ts', import.meta.url));
  const config = { ...readRelayConfig(relay.configFile), homeCaFile: caFile };
  const enrol = async (home: string): Promise<string> =>
    (await enrolAtBroker(config, { home, generation: 1, withAddress: true })).line;
  try {
    const lines = await Promise.all(
      Array.from({ length: count }, async (_, at) => enrol(`home-${String(at)}`)),
    );
    const before = await idle({ cluster, relay, idleMs });
    const ask = async (work: CrowdWork): Promise<unknown> => crowd.ask(work);
    await ask({ connect: lines });
    const after = await idle({ cluster, relay, idleMs });
    const words = `${String(count)} homes, nats-server ${natsVersion()}`;
    const perHome = (after.bytes - before.bytes) / count;
    const perThousand = (share: 'nodes' | 'relay'): number =>
      Number((((after[share] - before[share]) * PER_THOUSAND) / count).toFixed(2));
    return [
      beside(`memory of all nodes for each home, connected over TLS, ${words}`, 'bytes', Math.round(perHome)),
      beside(`a core, all nodes, for 1,000 idle homes, ${words}`, '%', perThousand('nodes')),
      beside(`a core, the relay, for 1,000 idle homes, ${words}`, '%', perThousand('relay')),
      ...(await neighbours(crowd, await enrol('neighbour'), {
        asking: await Promise.all(
          Array.from({ length: turns }, async (_, at) => enrol(`asking-${String(at)}`)),
        ),
        turnMs,
      })),
    ];
  } finally {
    crowd.end();
    await relay.close();
    await cluster.close();
  }
}

const beside = (name: string, unit: string, value: number): Figure =>
  alone({ name, unit, goal: 'beside it' }, [value], true);

interface Idle {
  readonly bytes: number;
  /** Shares of a core, in percent. */
  readonly nodes: number;
  readonly relay: number;
}

async function idle({
  cluster: { nodes },
  relay,
  idleMs,
}: {
  readonly cluster: NatsCluster;
  readonly relay: RelayProgram;
  readonly idleMs: number;
}): Promise<Idle> {
  await sleep(SETTLED_AFTER_MS);
  const cpuOfNodes = (): number => nodes.reduce((sum, node) => sum + cpuMsOf(node.pid()), 0);
  const [from, before, relayBefore] = [performance.now(), cpuOfNodes(), relay.cpuMs()];
  await sleep(idleMs);
  const percentOf = (ms: number): number => (ms / (performance.now() - from)) * PERCENT;
  return {
    bytes: nodes.reduce((sum, node) => sum + rssBytesOf(node.pid()), 0),
    nodes: percentOf(cpuOfNodes() - before),
    relay: percentOf(relay.cpuMs() - relayBefore),
  };
}

/** In turns, so that what disturbs the machine disturbs both. In each another home asks, is shut out, and goes on. */
async function neighbours(
  crowd: Worker,
  line: string,
  { asking, turnMs }: { readonly asking: readonly string[]; readonly turnMs: number },
): Promise<readonly Figure[]> {
  const enrolment = readEnrolment(line);
  if (enrolment === null || enrolment.url === null) {
    throw new Error('The line cannot be read');
  }
  const { url } = enrolment;
  const waiting = new Map<string, () => void>();
  const home = await openHome(enrolment, systemClock, async ({ properties }) => {
    waiting.get(properties['webhook-signature'] ?? '')?.();
    return Promise.resolve();
  });
  let number = 0;
  const delay = async (): Promise<number> => {
    number += 1;
    const id = String(number);
    const arrived = Promise.withResolvers<void>();
    waiting.set(id, arrived.resolve);
    const from = performance.now();
    const answer = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-signature': id } });
    if (answer.status !== 204) {
      throw new Error(`A delivery was answered with ${String(answer.status)}: ${await answer.text()}`);
    }
    await arrived.promise;
    return performance.now() - from;
  };
  /** As long as that takes. */
  const turn = async (other: Promise<unknown>, taken: number[]): Promise<void> => {
    const progress = { isDone: false };
    void other.finally(() => {
      progress.isDone = true;
    });
    while (!progress.isDone) {
      taken.push(await delay());
      await sleep(PAUSE_MS);
    }
  };
  while (home.state.kind !== 'connected') {
    await sleep(PAUSE_MS);
  }
  await turn(sleep(turnMs), []);
  const [ours, limit, rates]: [number[], number[], number[]] = [[], [], []];
  for (const ask of asking) {
    await turn(sleep(turnMs), limit);
    const work = { ask, perSecond: ASKS_PER_SECOND, forMs: turnMs } satisfies CrowdWork;
    const asked = crowd.ask(work);
    await turn(asked, ours);
    rates.push((await asked) as number);
  }
  await home.close();
  return [
    beside(
      `one home asks for its consumer, as often as it can, nats-server ${natsVersion()}`,
      '1/s',
      Math.max(...rates),
    ),
    compared(
      {
        name: 'webhook to its event at the neighbour meanwhile (limit: without)',
        unit: 'ms',
        goal: `p99 at most ${String(MOST_RATIO)} times`,
      },
      { ours, limit },
      (with_, without) => with_.p99 <= MOST_RATIO * without.p99,
    ),
  ];
}
