// A cluster of three nodes under a relay and a home, of which one is killed, and then a second.
import { describe, expect, it } from 'vitest';
import { hastyClock } from '../../../test/harness/hasty-clock.ts';
import { mostMs } from '../../../test/harness/how-often.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { openFlow } from '../support/cluster-flow.ts';

/** The project's promise for the time from the key to Home. */
const PROMISED_MS = 500;

describe.skipIf(!hasNats)('a cluster of three nodes', () => {
  it('a home shows an event in under half a second after a node was killed, and the relay answers 503 without a quorum (faults#103, faults#137)', async () => {
    const flow = await openFlow(temporaryFolder(), { clock: hastyClock });
    const { cluster } = flow.stage;
    const leader = await cluster.leader();
    const [first, second] = cluster.nodes.filter(({ name }) => name !== leader);
    await first?.kill();
    // Whoever was connected to it comes back within a second or so.
    await expect.poll(async () => flow.send(1)).toBe(204);
    await expect.poll(() => flow.received.has(1)).toBe(true);
    const tookMs: number[] = [];
    for (let number = 2; number < 10; number += 1) {
      const startedAt = performance.now();
      expect(await flow.send(number)).toBe(204);
      await expect.poll(() => flow.received.has(number), { interval: 1 }).toBe(true);
      tookMs.push((flow.received.get(number) ?? Number.POSITIVE_INFINITY) - startedAt);
    }
    expect(tookMs.toSorted((left, right) => left - right)[4]).toBeLessThan(mostMs(PROMISED_MS));
    await second?.kill();
    expect(await flow.send(10)).toBe(503);
    first?.start();
    second?.start();
    await expect.poll(async () => flow.send(11)).toBe(204);
    await expect.poll(() => flow.received.has(11)).toBe(true);
  });
});
