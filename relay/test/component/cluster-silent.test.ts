// A consumer that gives its home nothing although the home asks, as one on a node that is full: the home is named, and moved.
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { withCluster } from '../../src/look-at-cluster.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { managerOf } from '../support/cluster-intruder.ts';
import { openClusterStage } from './cluster-stage.ts';

const MINUTE_MS = 60_000;

describe.skipIf(!hasNats)('a consumer that gives nothing to a home that asks', () => {
  it('is named and moved to another node within a minute, where the home gets its event (faults#176)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 3);
    const blue = await stage.enrol('blue');
    const got: string[] = [];
    const home = await openHome(blue.enrolment, systemClock, async ({ properties }) => {
      const id = properties['webhook-signature'] ?? '';
      got.push(id);
      await (id === 'stuck' ? new Promise(() => {}) : Promise.resolve());
    });
    onTestFinished(async () => home.close());
    const post = async (id: string): Promise<number> =>
      (await fetch(blue.url, { method: 'POST', body: '{}', headers: { 'webhook-signature': id } })).status;
    await expect.poll(async () => post('before')).toBe(204);
    await expect.poll(() => got).toContain('before');

    const manager = await managerOf(stage);
    const name = blue.enrolment.username;
    const nodeOf = async (): Promise<string | undefined> =>
      (await manager.consumers.info('HOMES', name)).cluster?.leader;
    const from = await nodeOf();
    // With one event that is never acknowledged it gives no other, which the relay, who asks for twenty, does not expect.
    const day = 86_400_000_000_000;
    await manager.consumers.update('HOMES', name, { max_ack_pending: 1, ack_wait: day });
    expect(await post('stuck')).toBe(204);
    await expect.poll(() => got).toContain('stuck');
    expect(await post('held back')).toBe(204);
    const later = Object.assign(new ManualClock(), { now: () => Date.now() + MINUTE_MS });
    expect(await withCluster(stage.config, later, async (view) => view.homes())).toMatchObject([
      { home: 'blue', isAsking: true, isUnserved: true, node: from },
    ]);

    // In real time: on a busy machine, a hasty relay would move it again before the home has heard of the first move.
    await expect.poll(() => got, { timeout: MINUTE_MS }).toContain('held back');
    expect(await nodeOf()).not.toBe(from);
    await expect
      .poll(() => stage.lines)
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining(
            `The home "blue" gets none of its events: its consumer stands on ${from ?? ''}.`,
          ),
          expect.stringContaining('The consumer of the home "blue" was moved to '),
        ]),
      );
  });
});
