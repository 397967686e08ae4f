// The operator's own logins at a cluster: what is asked of it on an ordinary day, and a node that is lost for good.
import { readFileSync } from 'node:fs';
import { credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats, type NatsCluster } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { openClusterStage } from './cluster-stage.ts';

/** Until the test ends. */
async function loggedIn(cluster: NatsCluster, file: string): Promise<NatsConnection> {
  const connection = await (await loadNats()).connect({
    servers: [...(readClusterAddress(cluster.url)?.nodes ?? [])],
    authenticator: credsAuthenticator(readFileSync(file)),
  });
  onTestFinished(async () => connection.close());
  return connection;
}

const LONG = { timeout: 60_000, interval: 200 };

describe.skipIf(!hasNats)('the logins of an operator', () => {
  it('look at streams and consumers, hand leadership over, and replace a node that is lost for good', async () => {
    const stage = await openClusterStage(temporaryFolder(), 3);
    const { cluster } = stage;
    const blue = await stage.enrol('blue');
    const got: string[] = [];
    const home = await openHome(blue.enrolment, systemClock, async ({ properties }) => {
      got.push(properties['webhook-signature'] ?? '');
      return Promise.resolve();
    });
    onTestFinished(async () => home.close());
    const post = async (id: string): Promise<number> =>
      (await fetch(blue.url, { method: 'POST', body: '{}', headers: { 'webhook-signature': id } })).status;
    await expect.poll(async () => post('first'), LONG).toBe(204);

    const nats = await loadNats();
    const operator = await loggedIn(cluster, cluster.streamLogin);
    const manager = await nats.jetstreamManager(operator, { checkAPI: false });
    expect((await manager.consumers.list('HOMES').next()).map(({ name }) => name)).toEqual([
      blue.enrolment.username,
    ]);
    const led = await cluster.leader();
    await operator.request('$JS.API.STREAM.LEADER.STEPDOWN.HOMES', '', { timeout: 5_000 });
    await expect.poll(async () => cluster.leader(), LONG).not.toBe(led);

    const leader = await cluster.leader();
    const [lost, other] = cluster.nodes.filter(({ name }) => name !== leader);
    await lost?.replace('node-new');
    const system = await loggedIn(cluster, cluster.systemLogin);
    const removed = async (): Promise<string> =>
      (
        await system.request('$JS.API.SERVER.REMOVE', JSON.stringify({ peer: lost?.name }), {
          timeout: 3_000,
        })
      ).string();
    await expect.poll(async () => removed().catch(() => ''), LONG).toContain('"success":true');
    const peers = async (): Promise<readonly string[]> => {
      const { cluster: group } = await manager.streams.info('HOMES');
      return (group?.replicas ?? []).filter(({ current }) => current).map(({ name }) => name);
    };
    await expect.poll(async () => peers().catch(() => []), LONG).toContain('node-new');
    await expect.poll(async () => (await peers()).length, LONG).toBe(2);

    await other?.kill();
    await expect.poll(async () => post('with one more killed'), LONG).toBe(204);
    await expect.poll(() => got, LONG).toContain('with one more killed');
  }, 180_000);
});
