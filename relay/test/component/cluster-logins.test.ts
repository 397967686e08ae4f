// The login of a revoked home at the nodes of a cluster: it ends at once at each of them, and its neighbours notice nothing.
import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NatsConnection as OurConnection } from '../../../src/nats/nats-connection.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { inWords } from '../../../test/support/in-words.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hasNats, type NatsNode } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { type ClusterHome, openClusterStage } from './cluster-stage.ts';

const LONG = { timeout: 30_000, interval: 100 };

/** Rejects when the node does not accept the login; until the test ends. */
async function login({ enrolment }: ClusterHome, { host, port }: NatsNode): Promise<NatsConnection> {
  const { raw } = await OurConnection.open(
    await loadNats(),
    {
      address: { nodes: [`${host}:${String(port)}`], hosts: [host], isEncrypted: false },
      ca: null,
      login: { jwt: enrolment.jwt ?? '', seed: enrolment.password },
      inboxPrefix: seatSubjects(enrolment.username).inbox,
      pingEveryMs: 15_000,
    },
    new AbortController().signal,
  );
  onTestFinished(async () => raw.close());
  return raw;
}

const saysRefused = async (home: ClusterHome, node: NatsNode): Promise<string> =>
  login(home, node).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.name : ''),
  );

describe.skipIf(!hasNats)('the login of a revoked home', () => {
  it('ends at each node within seconds, by any relay and for good, and that of no other (faults#177)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 3);
    const { nodes } = stage.cluster;
    const [former, next, green] = [
      await stage.enrol('blue'),
      await stage.enrol('blue', 2),
      await stage.enrol('green'),
    ];
    const got = new Map<string, number>();
    const neighbour = await openHome(green.enrolment, systemClock, async ({ properties }) => {
      got.set(properties['webhook-signature'] ?? '', performance.now());
      return Promise.resolve();
    });
    onTestFinished(async () => neighbour.close());
    await expect.poll(() => neighbour.state.kind, LONG).toBe('connected');
    const connections = await Promise.all(nodes.map(async (node) => login(former, node)));
    const states: unknown[] = [];
    const home = await openHome(former.enrolment, systemClock, async () => Promise.resolve());
    onTestFinished(async () => home.close());
    home.subscribeState((state) => states.push(inWords(state)));
    await expect.poll(() => home.state.kind, LONG).toBe('connected');

    const tookMs: number[] = [];
    const progress = { isRevoked: false };
    const sendToNeighbour = async (): Promise<void> => {
      for (let number = 0; number < 20 || !progress.isRevoked; number += 1) {
        const id = String(number);
        const from = performance.now();
        const headers = { 'webhook-signature': id };
        expect((await fetch(green.url, { method: 'POST', body: '{}', headers })).status).toBe(204);
        await expect.poll(() => got.has(id), { timeout: 20_000, interval: 2 }).toBe(true);
        tookMs.push((got.get(id) ?? 0) - from);
      }
    };
    const sending = sendToNeighbour();
    const from = performance.now();
    stage.relay.reread({ ...stage.config, revoked: { blue: 1 } });
    await Promise.all(connections.map(async (connection) => connection.closed()));
    const endedMs = performance.now() - from;
    progress.isRevoked = true;
    await sending;
    console.log(
      `ended after ${String(Math.round(endedMs))} ms; a neighbour's slowest event ${String(Math.round(Math.max(...tookMs)))} ms`,
    );
    for (const node of nodes) {
      expect(await saysRefused(former, node)).toBe('AuthorizationError');
      expect([await saysRefused(next, node), await saysRefused(green, node)]).toEqual([
        'accepted',
        'accepted',
      ]);
    }
    await expect.poll(() => home.state.kind, LONG).toBe('waiting');
    expect(states.at(-1)).toMatchObject({
      reason: 'The broker does not accept this login. Ask for a new enrolment.',
    });

    // A node that was down when another home was revoked learns of it from the next relay that connects.
    await stage.stopRelays();
    await nodes[0]?.kill();
    const relay = await stage.startRelay({ revoked: { green: 1 } });
    const [, second, third] = nodes;
    if (second !== undefined && third !== undefined) {
      await expect.poll(async () => saysRefused(green, second), LONG).toBe('AuthorizationError');
      expect(await saysRefused(former, third)).toBe('AuthorizationError');
    }
    nodes[0]?.start();
    await stage.cluster.ready();
    await relay.stop();
    await stage.startRelay();
    for (const node of nodes) {
      await expect.poll(async () => saysRefused(green, node), LONG).toBe('AuthorizationError');
      expect(await saysRefused(former, node)).toBe('AuthorizationError');
    }
  }, 90_000);
});
