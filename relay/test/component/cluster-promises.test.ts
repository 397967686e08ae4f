// What a relay on a cluster promises: a 204 means that the home will get it, a revoked home gets nothing, an option takes effect.
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultOfNats } from '../../../src/nats/nats-connection.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { isOlder } from '../../../src/support/versions.ts';
import { inWords } from '../../../test/support/in-words.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { shapeStream } from '../../src/cluster/stream-shape.ts';
import { hasNats, natsVersion, startNats } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { ask, intruder, managerOf, pull } from '../support/cluster-intruder.ts';
import { type ClusterHome, openClusterStage } from './cluster-stage.ts';

interface ListeningHome extends ClusterHome {
  readonly got: readonly string[];
  readonly state: () => unknown;
}

/** Connected until the test ends. */
async function listening(home: ClusterHome): Promise<ListeningHome> {
  const got: string[] = [];
  const carrier = await openHome(home.enrolment, systemClock, async ({ properties }) => {
    got.push(properties['webhook-signature'] ?? '');
    return Promise.resolve();
  });
  onTestFinished(async () => carrier.close());
  return { ...home, got, state: () => inWords(carrier.state) };
}

async function post(url: string, number = 0): Promise<string> {
  const headers = { 'webhook-signature': String(number) };
  const answer = await fetch(url, { method: 'POST', body: '{}', headers });
  return `${String(answer.status)} ${await answer.text()}`.trim();
}

const CONNECTED = { kind: 'connected' };

describe.skipIf(!hasNats)('a home that the cluster has no consumer for', () => {
  it('is answered 503 with a line and figures, is told why, and is served once the limit is raised (faults#175)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1, { broker: { homes: 2 } });
    const homes: ListeningHome[] = [];
    for (const name of ['blue', 'green', 'red']) {
      const home = await listening(await stage.enrol(name));
      await expect.poll(home.state).not.toMatchObject({ kind: 'connecting' });
      homes.push(home);
    }
    expect(homes.map((home) => home.state())).toEqual([
      { ...CONNECTED, resumed: true },
      { ...CONNECTED, resumed: true },
      expect.objectContaining({
        kind: 'waiting',
        reason:
          'The relay takes no more homes, so no event reaches this one. Tell the operator of the relay.',
      }),
    ]);
    const answers = await Promise.all(homes.map(async ({ url }) => post(url)));
    expect(answers).toEqual(['204', '204', '503 no-session']);
    await expect.poll(() => homes.map(({ got }) => got)).toEqual([['0'], ['0'], []]);
    const told = (word: string): readonly string[] => stage.lines.filter((line) => line.includes(word));
    expect(told('"red"')).toEqual([expect.stringContaining('broker.homes'), expect.stringContaining('503')]);
    const figures = await stage.relay.figures();
    expect(figures).toContain('latchkey_relay_cluster_homes_refused 1\n');
    expect(figures).toContain('latchkey_relay_requests_total{answer="no-session"} 1\n');

    await stage.stopRelays();
    await stage.startRelay({ broker: { ...stage.config.broker, homes: 3 } });
    if (told('broker.homes of 3 was refused').length > 0) {
      // nats-server 2.9 cannot change this number: it stays refused, in words.
      expect(await post(homes[2]?.url ?? '')).toBe('503 no-session');
      return;
    }
    const red = await listening(await stage.enrol('red'));
    await expect.poll(red.state).toMatchObject(CONNECTED);
    expect(await post(red.url, 7)).toBe('204');
    await expect.poll(() => red.got).toContain('7');
  });
});

/** Nodes since then limit the consumers of a stream that states no number. */
const LIMITING = '2.15.0';

it.skipIf(!hasNats || isOlder(natsVersion(), LIMITING))(
  'a node that gives a stream five consumers by default serves a sixth home all the same (faults#175)',
  async () => {
    const stage = await openClusterStage(temporaryFolder(), 1, { defaultConsumers: 5 });
    const homes: ListeningHome[] = [];
    for (const name of ['blue', 'brown', 'green', 'grey', 'red', 'white']) {
      homes.push(await listening(await stage.enrol(name)));
    }
    const answers = await Promise.all(homes.map(async ({ url }) => post(url)));
    expect(answers).toEqual(homes.map(() => '204'));
    await expect.poll(() => homes.map(({ got }) => got)).toEqual(homes.map(() => ['0']));
    expect(homes.map((home) => home.state())).toMatchObject(homes.map(() => CONNECTED));
  },
);

describe.skipIf(!hasNats)('the limits of the stream', () => {
  it('are stated when it is made, and changed when the options are changed later (faults#175, faults#179)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const manager = await managerOf(stage);
    const limits = async (): Promise<readonly number[]> => {
      const { config } = await manager.streams.info('HOMES');
      return [config.max_consumers, config.max_msgs, config.max_bytes];
    };
    expect(await limits()).toEqual([100_000, 20_000_000, 40_000_000_000]);
    await stage.stopRelays();
    await stage.startRelay({ broker: { ...stage.config.broker, events: 1_000, bytes: 2_000_000 } });
    expect(await limits()).toEqual([100_000, 1_000, 2_000_000]);
  });

  it('are tried again soon where too few nodes know each other, as in the first second of a cluster', async () => {
    const cluster = await startNats({ folder: temporaryFolder(), nodes: 2 });
    onTestFinished(async () => cluster.close());
    const shape = { replicas: 3, homes: 1, events: 1, bytes: 1_000_000 };
    const [nats, manager] = [await loadNats(), await managerOf({ cluster })];
    const faultOf = async (): Promise<unknown> =>
      shapeStream(nats, manager, shape).catch((error: unknown) => faultOfNats(error));
    await expect
      .poll(faultOf)
      .toMatchObject({ isLasting: false, reason: { text: expect.stringContaining('no room') as string } });
  });

  it('are refused in words where the nodes have no room for them', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    await stage.stopRelays();
    await stage.startRelay({ broker: { ...stage.config.broker, bytes: 900_000_000_000 } });
    const refused = 'broker.bytes of 900000000000 was refused by the cluster, which keeps 40000000000';
    expect(stage.lines.filter((line) => line.includes(refused))).toHaveLength(1);
    const home = await listening(await stage.enrol('blue'));
    await expect.poll(async () => post(home.url)).toBe('204');
  });

  it('hold events back with 503 when they are reached, and lose none (faults#175)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1, { broker: { events: 3 } });
    const home = await listening(await stage.enrol('blue'));
    await expect.poll(home.state).toMatchObject(CONNECTED);
    const answers = [];
    for (let number = 1; number <= 3; number += 1) {
      answers.push(await post(home.url, number));
    }
    expect(answers).toEqual(['204', '204', '204']);
    expect(await post(home.url, 4)).toBe('503 not-acknowledged');
    await expect.poll(() => home.got).toEqual(['1', '2', '3']);
  });
});

describe.skipIf(!hasNats)('a revoked home', () => {
  it('reads nothing more at any relay from then on, with its consumer or anew, and nothing of its successor (faults#177)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const other = await stage.startRelay({ port: 0 });
    const [former, next] = [await stage.enrol('blue'), await stage.enrol('blue', 2)];
    const spy = await intruder(former);
    expect(await ask(spy, former)).toBe('ready');
    expect(await post(former.url, 1)).toBe('204');
    const before = pull(spy, former);
    await expect.poll(() => before.events.length).toBe(1);
    const home = await listening(next);
    await expect.poll(home.state).toMatchObject(CONNECTED);

    // One relay is told, and the others know.
    other.reread({ ...stage.config, revoked: { blue: 1 } });
    await expect.poll(async () => post(former.url)).toBe('410 revoked');
    // The node ends its connection, and accepts no other.
    await spy.closed();
    await expect(intruder(former)).rejects.toThrow(/authorization/iu);
    expect(await post(next.url, 2)).toBe('204');
    await expect.poll(() => home.got).toEqual(['2']);
    expect(before.events).toHaveLength(1);

    // So does a relay that starts later, whose file says nothing of it.
    await stage.stopRelays();
    await stage.startRelay();
    expect(await post(former.url)).toBe('410 revoked');
    await expect.poll(async () => post(next.url, 3)).toBe('204');
  });
});

/** On a busy machine an election takes longer than the 15 seconds for which a relay holds a delivery. */
const ELECTED = { timeout: 60_000 };

describe.skipIf(!hasNats)('a number of copies that is changed later', () => {
  it('takes effect: one of three nodes may then be killed (faults#179)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 3, { broker: { replicas: 1 } });
    const home = await listening(await stage.enrol('blue'));
    await expect.poll(async () => post(home.url, 1)).toBe('204');
    await stage.stopRelays();
    await stage.startRelay({ broker: { ...stage.config.broker, replicas: 3 } });
    const manager = await managerOf(stage);
    // The consumers' copies come after those of the stream: until they have elected, no node may be lost.
    const copies = async (): Promise<number[]> =>
      [await manager.streams.info('HOMES'), ...(await manager.consumers.list('HOMES').next())].map(
        ({ cluster: { leader, replicas = [] } = {} }) =>
          leader === undefined ? 0 : replicas.filter(({ current }) => current).length,
      );
    await expect.poll(copies, ELECTED).toEqual([2, 2]);
    const leader = await stage.cluster.leader();
    await stage.cluster.nodes.find(({ name }) => name === leader)?.kill();
    await expect.poll(async () => post(home.url, 2), ELECTED).toBe('204');
    await expect.poll(() => home.got, ELECTED).toContain('2');
  });
});
