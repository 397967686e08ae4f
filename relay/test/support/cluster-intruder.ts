// Connections to a cluster that no relay or home would open: with the rights of a home in other hands, and with those of a relay.
import { readFileSync } from 'node:fs';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';
import type { NatsLogin } from '../../../src/nats/nats-connection.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';
import { clusterKeys } from '../../src/cluster/cluster-accounts.ts';
import type { ClusterHome, ClusterStage } from '../component/cluster-stage.ts';

export interface Received {
  readonly subject: string;
  readonly reply: string;
}

/** Until the test ends. */
async function connected(
  url: string,
  { jwt, seed }: NatsLogin,
  inboxPrefix: string,
): Promise<NatsConnection> {
  const nats = await loadNats();
  const connection = await nats.connect({
    servers: [...(readClusterAddress(url)?.nodes ?? [])],
    authenticator: nats.jwtAuthenticator(jwt, new TextEncoder().encode(seed)),
    inboxPrefix,
    reconnect: false,
  });
  onTestFinished(async () => connection.close());
  return connection;
}

/** A connection with the rights of a home, in the hands of an attacker. */
export async function intruder({ enrolment }: ClusterHome): Promise<NatsConnection> {
  const login = { jwt: enrolment.jwt ?? '', seed: enrolment.password };
  return connected(enrolment.broker, login, seatSubjects(enrolment.username).inbox);
}

/** The answer to a home that asks for its consumer. */
export async function ask(
  connection: NatsConnection,
  { enrolment }: ClusterHome,
  timeout = 30_000,
): Promise<string> {
  const answer = await connection.request(seatSubjects(enrolment.username).ask, '', { timeout });
  return new TextDecoder().decode(answer.data);
}

/** Asks for events; what arrives is noted and not acknowledged. */
export function pull(
  connection: NatsConnection,
  { enrolment }: ClusterHome,
): { readonly events: readonly Received[]; readonly inbox: string } {
  const { next, inbox: prefix } = seatSubjects(enrolment.username);
  const inbox = `${prefix}.${crypto.randomUUID()}`;
  const events: Received[] = [];
  connection.subscribe(inbox, {
    callback: (_, { subject, reply = '', data }) => {
      if (data.length > 0) {
        events.push({ subject, reply });
      }
    },
  });
  connection.publish(next, JSON.stringify({ batch: 20, expires: 60_000_000_000 }), { reply: inbox });
  return { events, inbox };
}

/** What a relay may look at. */
export async function managerOf({ cluster }: Pick<ClusterStage, 'cluster'>): Promise<JetStreamManager> {
  const keys = clusterKeys.parse(JSON.parse(readFileSync(cluster.keysFile, 'utf8')));
  const connection = await connected(cluster.url, keys.relay, '_INBOX.relay');
  return (await loadNats()).jetstreamManager(connection, { checkAPI: false });
}
