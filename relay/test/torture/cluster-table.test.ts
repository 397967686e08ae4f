// The table of faults of a cluster: what is lost, held back or repeated, and the longest delay, for one home and for many.
import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type ApartNetworks, apartNetworks } from '../../../test/support/apart-networks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type ClusterStage, openClusterStage } from '../component/cluster-stage.ts';
import type { HomesAnswer, HomesWork } from '../harness/cluster-homes-process.ts';
import { hasNats, natsVersion } from '../harness/nats-cluster.ts';

const MINUTE_MS = 60_000;
const SENDERS = 8;
const PAUSE_MS = 250;
const CUT_OFF_MS = 15_000;
const AFTER_MS = 5_000;
/** An event that has not come by then is lost; one that comes later than a minute was held back. */
const LOST_AFTER_MS = 10 * MINUTE_MS;
const FULL = 1;
const HOMES_OF_A_PROCESS = 150;
const HOMES_PROGRAM = new URL('../harness/cluster-homes-process.ts', import.meta.url);
/** Some of the faults alone, by a part of their names. */
const ONLY = process.env['CLUSTER_FAULTS']?.split(',') ?? [''];
const SIZES = (process.env['CLUSTER_HOMES'] ?? '1,400,1200').split(',').map(Number);

interface Sent {
  readonly at: number;
  received: number | null;
  times: number;
}

interface Crowd {
  readonly urls: readonly string[];
  readonly sent: Map<string, Sent>;
}

/** A process for each few homes, connected until the test ends. */
async function connectAll({ config }: ClusterStage, count: number): Promise<Crowd> {
  const sent = new Map<string, Sent>();
  const names = Array.from({ length: count }, (_, at) => `home-${String(at)}`);
  const crowds: Promise<readonly string[]>[] = [];
  while (names.length > 0) {
    const crowd = fork(HOMES_PROGRAM, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    onTestFinished(() => {
      crowd.kill();
    });
    const connected = Promise.withResolvers<readonly string[]>();
    crowd.on('message', (answer: HomesAnswer) => {
      if ('urls' in answer) {
        connected.resolve(answer.urls);
        return;
      }
      const event = sent.get(answer.id);
      if (event !== undefined) {
        event.received ??= answer.at;
        event.times += 1;
      }
    });
    crowd.send({ config, homes: names.splice(0, HOMES_OF_A_PROCESS) } satisfies HomesWork);
    crowds.push(connected.promise);
  }
  return { urls: (await Promise.all(crowds)).flat(), sent };
}

let lastNumber = 0;

/** Sends to everybody in turn until `done`; resolves with how many were refused. */
async function sendUntil({ urls, sent }: Crowd, done: Promise<unknown>): Promise<number> {
  const progress = { isDone: false, refused: 0 };
  void done.finally(() => {
    progress.isDone = true;
  });
  const send = async (): Promise<void> => {
    while (!progress.isDone) {
      lastNumber += 1;
      const id = String(lastNumber);
      const event: Sent = { at: performance.timeOrigin + performance.now(), received: null, times: 0 };
      sent.set(id, event);
      const answer = await fetch(urls[lastNumber % urls.length] ?? '', {
        method: 'POST',
        body: '{}',
        headers: { 'webhook-signature': id },
      });
      if (answer.status !== 204) {
        progress.refused += 1;
        sent.delete(id);
      }
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  await done;
  return progress.refused;
}

async function tell(crowd: Crowd, count: number, name: string, fault: () => Promise<void>): Promise<void> {
  if (!ONLY.some((part) => name.includes(part))) {
    return;
  }
  crowd.sent.clear();
  const refused = await sendUntil(
    crowd,
    fault().then(async () => sleep(AFTER_MS)),
  );
  const missing = (): number => [...crowd.sent.values()].filter(({ received }) => received === null).length;
  for (let waited = 0; waited < LOST_AFTER_MS && missing() > 0; waited += 200) {
    await sleep(200);
  }
  const events = [...crowd.sent.values()];
  const delays = events.map(({ at, received }) => (received ?? Number.POSITIVE_INFINITY) - at);
  const heldBack = delays.filter((ms) => ms > MINUTE_MS && Number.isFinite(ms)).length;
  const repeated = events.filter(({ times }) => times > 1).length;
  const longest = Math.max(0, ...delays.filter((ms) => Number.isFinite(ms))) / 1_000;
  const cells = [
    natsVersion(),
    count,
    name,
    events.length,
    refused,
    missing(),
    heldBack,
    repeated,
    longest.toFixed(1),
  ];
  process.stdout.write(`| ${cells.map(String).join(' | ')} |\n`);
  expect(missing()).toBe(0);
}

/** A disk that a file fills, until the test ends. */
function disk(folder: string): { readonly path: string; fill(): void } {
  const path = join(folder, 'small');
  mkdirSync(path);
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'none', path]).status).toBe(0);
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', path]);
  });
  return {
    path,
    fill: () => {
      spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'filler')}`, 'bs=64k']);
      writeFileSync(join(folder, 'filled'), '');
    },
  };
}

async function restartAll({ cluster }: ClusterStage): Promise<void> {
  for (const node of cluster.nodes) {
    await node.stop();
    node.start();
    await cluster.ready();
  }
}

async function killed({ cluster }: ClusterStage, at: number): Promise<void> {
  const node = cluster.nodes[at];
  await node?.kill();
  await sleep(CUT_OFF_MS);
  node?.start();
  await cluster.ready();
}

async function cutOff(stage: ClusterStage, networks: ApartNetworks): Promise<void> {
  const leader = await stage.cluster.leader();
  const at = stage.cluster.nodes.findIndex(({ name }) => name === leader);
  networks.cut(at);
  await sleep(CUT_OFF_MS);
  networks.heal(at);
  await stage.cluster.ready();
}

it.skipIf(!hasNats).each(SIZES)(
  'nothing that was acknowledged for %d homes is lost by a fault of the cluster (faults#175, faults#176)',
  { timeout: 60 * MINUTE_MS },
  async (count) => {
    const networks = apartNetworks(3);
    if (networks === null) {
      throw new Error('This user may make no networks');
    }
    const folder = temporaryFolder();
    const small = disk(folder);
    const stage = await openClusterStage(folder, 3, {
      ...networks,
      store: (at) => (at === FULL ? small.path : null),
    });
    const crowd = await connectAll(stage, count);
    expect(crowd.urls).toHaveLength(count);
    const leaderAt = async (): Promise<number> => {
      const leader = await stage.cluster.leader();
      return stage.cluster.nodes.findIndex(({ name }) => name === leader);
    };
    await tell(crowd, count, 'nothing', async () => sleep(AFTER_MS));
    await tell(crowd, count, 'a node is killed', async () => killed(stage, ((await leaderAt()) + 1) % 3));
    await tell(crowd, count, 'the leader is killed', async () => killed(stage, await leaderAt()));
    await tell(crowd, count, 'rolling restart', async () => restartAll(stage));
    await tell(crowd, count, 'the leader is cut off', async () => cutOff(stage, networks));
    await tell(crowd, count, 'a disk is full', async () => {
      small.fill();
      await sleep(2 * CUT_OFF_MS);
    });
  },
);
