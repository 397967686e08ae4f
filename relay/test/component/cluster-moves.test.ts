// Moving the consumer of a home: it is never put back on the node that it is moved from, whichever node the cluster chooses.
import { describe, expect, it, onTestFinished } from 'vitest';
import { NatsConnection } from '../../../src/nats/nats-connection.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { HomeConsumers } from '../../src/cluster/home-consumers.ts';
import { readClusterKeys } from '../../src/cluster-keys.ts';
import { natsOptions } from '../../src/open-broker.ts';
import { hasNats } from '../harness/nats-cluster.ts';
import { openClusterStage } from './cluster-stage.ts';

/** The cluster chooses one of three nodes at random: by chance, all of these would be others once in 190,000 runs. */
const MOVES = 30;

describe.skipIf(!hasNats)('the consumer of a home', () => {
  it('stands on another node after each move (faults#176)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 3);
    const { cluster, config } = stage;
    const { enrolment } = await stage.enrol('blue');
    const [nats, address] = [await loadNats(), readClusterAddress(cluster.url)];
    const options = address === null ? null : natsOptions(config, address, readClusterKeys(config));
    if (options === null) {
      throw new Error('It is no cluster');
    }
    const connection = await NatsConnection.open(nats, options, new AbortController().signal);
    onTestFinished(async () => connection.close());
    const consumers = new HomeConsumers(nats, connection, systemClock);
    const seat = { home: 'blue', generation: 1 };
    const name = enrolment.username;
    await consumers.ensure(name, seat);
    const nodeOf = async (): Promise<string | null> => {
      const looked = await consumers.read(name);
      return typeof looked === 'object' ? (looked.cluster?.leader ?? null) : null;
    };
    for (let moves = 0; moves < MOVES; moves += 1) {
      const from = await nodeOf();
      expect(from).not.toBeNull();
      const to = await consumers.move(name, seat, from);
      expect(to).not.toBe(from);
      await expect.poll(nodeOf).toBe(to);
    }
  });
});
