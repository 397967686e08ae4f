// A node of the cluster whose disk is full: nothing that was acknowledged is held back for the homes whose consumers stand there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { oldServerLine } from '../../src/cluster/server-version.ts';
import { hasNats, natsVersion } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { type ClusterHome, type ClusterStage, openClusterStage } from './cluster-stage.ts';

/** So many that the consumer of one is all but certain to stand on that node. */
const HOMES = Array.from({ length: 12 }, (_, at) => `home-${String(at)}`);
const MINUTE_MS = 60_000;
/** Less than two of the events that fill the disk. */
const ROOM_LEFT_BYTES = 120_000;

/** Until the test ends; null where this user may mount none. */
function smallDisk(folder: string, megabytes = 1, name = 'small'): string | null {
  const disk = join(folder, name);
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'none', disk]).status !== 0) {
    return null;
  }
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', disk]);
  });
  return disk;
}

/** All homes, connected. `received`: when each event came first, by its id. */
async function enrolled(stage: ClusterStage) {
  const received = new Map<string, number>();
  const homes: ClusterHome[] = [];
  for (const name of HOMES) {
    const home = await stage.enrol(name);
    const carrier = await openHome(home.enrolment, systemClock, async ({ properties }) => {
      const id = properties['webhook-signature'] ?? '';
      received.set(id, received.get(id) ?? performance.now());
      return Promise.resolve();
    });
    onTestFinished(async () => carrier.close());
    await expect.poll(() => carrier.state.kind, { timeout: 30_000 }).toBe('connected');
    homes.push(home);
  }
  return { homes, received };
}

/** An older one neither stores nor makes way, and a relay says so at its start. */
const isSupported = oldServerLine('a', natsVersion()) === null;

describe.skipIf(!hasNats || !isSupported)('a full disk of the node that leads the stream', () => {
  it('costs some seconds: then events are acknowledged again, and nothing is held back (faults#176)', {
    timeout: 3 * MINUTE_MS,
  }, async ({ skip }) => {
    const folder = temporaryFolder();
    const disks = [0, 1, 2].map((at) => smallDisk(folder, 32, `disk-${String(at)}`));
    if (disks.includes(null)) {
      skip();
      return;
    }
    const stage = await openClusterStage(folder, 3, { store: (at) => disks[at] ?? null });
    const { homes, received } = await enrolled(stage);
    const urls = homes.map(({ url }) => url);
    const acknowledged = new Map<string, number>();
    const post = async (number: number): Promise<number> => {
      const id = String(number);
      const sentAt = performance.now();
      const { status } = await fetch(urls[number % urls.length] ?? '', {
        method: 'POST',
        body: `"${'x'.repeat(3_000)}"`,
        headers: { 'webhook-signature': id },
      });
      if (status === 204) {
        acknowledged.set(id, sentAt);
      }
      return status;
    };
    const leader = await stage.cluster.leader();
    const at = stage.cluster.nodes.findIndex(({ name }) => name === leader);
    spawnSync('dd', ['if=/dev/zero', `of=${join(disks[at] ?? '', 'filler')}`, 'bs=64k']);
    const from = performance.now();
    let number = 0;
    // Until every home was served once in a row.
    for (let served = 0; served < HOMES.length; number += 1) {
      expect(performance.now() - from).toBeLessThan(MINUTE_MS);
      served = (await post(number)) === 204 ? served + 1 : 0;
    }
    const tookMs = performance.now() - from;
    const missing = (): readonly string[] => [...acknowledged.keys()].filter((id) => !received.has(id));
    await expect.poll(missing, { timeout: MINUTE_MS, interval: 100 }).toEqual([]);
    const delays = [...acknowledged].map(([id, sentAt]) => (received.get(id) ?? 0) - sentAt);
    console.log(
      `${natsVersion()}: every home is served ${String(Math.round(tookMs))} ms after it was full, ${String(number - acknowledged.size)} of ${String(number)} refused, the longest ${String(Math.round(Math.max(...delays)))} ms`,
    );
  });
});

describe.skipIf(!hasNats)('a node whose disk is full', () => {
  it('keeps no acknowledged event from twelve homes: within a minute each is there, or its home is named (faults#176)', {
    timeout: 5 * MINUTE_MS,
  }, async ({ skip }) => {
    const folder = temporaryFolder();
    const disk = smallDisk(folder);
    if (disk === null) {
      skip();
      return;
    }
    const stage = await openClusterStage(folder, 3, { store: (at) => (at === 1 ? disk : null) });
    const acknowledged = new Map<string, number>();
    const { homes, received } = await enrolled(stage);
    let refused = 0;
    const post = async (at: number, number: number, size: number): Promise<void> => {
      const [name = '', url = ''] = [HOMES[at], homes[at]?.url];
      const id = `${name} ${String(number)}`;
      const sentAt = performance.now();
      const { status } = await fetch(url, {
        method: 'POST',
        body: `"${'x'.repeat(size)}"`,
        headers: { 'webhook-signature': id },
      });
      if (status === 204) {
        acknowledged.set(id, sentAt);
      } else {
        refused += 1;
      }
    };
    let number = 0;
    const isFull = (): boolean => {
      const { bavail, bsize } = statfsSync(disk);
      return bavail * bsize < ROOM_LEFT_BYTES;
    };
    for (; number < 60 && !isFull(); number += 1) {
      await post(number % HOMES.length, number, 40_000);
    }
    expect(isFull()).toBe(true);
    for (const end = number + 60; number < end; number += 1) {
      await post(number % HOMES.length, number, 10);
    }
    const missing = (): readonly string[] => [...acknowledged.keys()].filter((id) => !received.has(id));
    const heldBack = missing().length;
    await expect.poll(missing, { timeout: 2 * MINUTE_MS, interval: 200 }).toEqual([]);
    const took = [...acknowledged].map(([id, at]) => ({ id, ms: (received.get(id) ?? 0) - at }));
    const longestMs = Math.max(...took.map(({ ms }) => ms));
    const isNamed = (id: string): boolean =>
      stage.lines.some((line) => line.startsWith(`The home "${id.split(' ')[0] ?? ''}" gets none`));
    console.log(
      `${String(acknowledged.size)} acknowledged, ${String(refused)} refused, ${String(heldBack)} held back at first, the longest ${String(Math.round(longestMs))} ms`,
    );
    expect(took.filter(({ id, ms }) => ms > MINUTE_MS && !isNamed(id))).toEqual([]);
  });
});
