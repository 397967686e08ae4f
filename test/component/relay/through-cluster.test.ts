// From the simulated service through the relay and a real cluster to a whole account, with attacks on the way.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CarrierState } from '../../../src/carrier/carrier.ts';
import { boltOf } from '../../../src/domain/locks/lock.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { openBroker } from '../../../src/relay/open-broker.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';
import { hasNats, startNats } from '../../harness/nats-cluster.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { inWords } from '../../support/in-words.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SELF_SIGNED } from '../cloud/self-signed.ts';
import { bodyOf, pssOf, strangerPair } from '../webhook/fixture.ts';
import { type ClusterHome, type ClusterStage, openClusterStage } from './cluster-stage.ts';
import { RELAY } from './open-relay.ts';
import { relayedOptions } from './relay-stage.ts';

const FRONT = 'Front door';

/** An account whose events come through the relay, registered and with its first listing. */
async function relayedHome(): Promise<{ stage: ClusterStage; blue: ClusterHome; home: SimulatedHome }> {
  const stage = await openClusterStage(temporaryFolder(), 1);
  const blue = await stage.enrol('blue');
  const home = await SimulatedHome.linked({
    simulator: { webhooks: { allowHttpToLoopback: true } },
    options: relayedOptions(blue),
  });
  await until(
    home,
    async () => (await home.app.operations['webhooks.status']({})).registration === 'standing',
  );
  return { stage, blue, home };
}

/** Messages on real sockets arrive while the clock of the home stands. */
async function until(home: SimulatedHome, check: () => Promise<boolean> | boolean): Promise<void> {
  await expect
    .poll(async () => {
      await home.clock.advance(0);
      return check();
    })
    .toBe(true);
}

const shown = (home: SimulatedHome): unknown =>
  home.app.runtime
    .locks()
    .filter(({ description }) => description.name === FRONT)
    .map((lock) => boltOf(lock))[0];

const truth = (home: SimulatedHome): string =>
  home.simulator.world.inspect(home.idOf(FRONT)).bolt === 'Locked' ? 'secured' : 'unsecured';

async function turn(home: SimulatedHome): Promise<void> {
  await home.control(`locks/${encodeURIComponent(FRONT)}/turn-thumbturn`);
}

const answered = async (home: SimulatedHome, answer: 'accepted' | 'forged'): Promise<number> =>
  (await home.app.operations['webhooks.status']({})).answers[answer] ?? 0;

/** A connection with the rights of a home, in the hands of an attacker. */
async function intruder({ enrolment }: ClusterHome): Promise<NatsConnection> {
  const nats = await loadNats();
  const connection = await nats.connect({
    servers: [...(readClusterAddress(enrolment.broker)?.nodes ?? [])],
    authenticator: nats.jwtAuthenticator(enrolment.jwt ?? '', new TextEncoder().encode(enrolment.password)),
    inboxPrefix: seatSubjects(enrolment.username).inbox,
    reconnect: false,
  });
  onTestFinished(async () => connection.close());
  return connection;
}

const post = async (url: string, body = '{}'): Promise<number> =>
  (await fetch(url, { method: 'POST', body })).status;

/** Asks for the consumer, so that there is one. */
async function seated(home: ClusterHome): Promise<NatsConnection> {
  const connection = await intruder(home);
  const answer = await connection.request(seatSubjects(home.enrolment.username).ask, '', { timeout: 30_000 });
  expect(new TextDecoder().decode(answer.data)).toBe('ready');
  return connection;
}

interface Received {
  readonly subject: string;
  readonly reply: string;
}

/** Asks for events; what arrives is noted and not acknowledged. */
function pull(connection: NatsConnection, { enrolment }: ClusterHome): { events: Received[]; inbox: string } {
  const { next, inbox: prefix } = seatSubjects(enrolment.username);
  const inbox = `${prefix}.x`;
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

describe.skipIf(!hasNats)('a home behind a relay on a cluster', () => {
  it('registers its address, tests the way, shows a turn of the key, and gets once what came while it was away (faults#103)', async () => {
    const { home } = await relayedHome();
    expect(await home.app.operations['webhooks.test']({})).toMatchObject({ finding: 'came-through' });
    const before = shown(home);
    await turn(home);
    await until(home, () => shown(home) !== before);
    expect(shown(home)).toBe(truth(home));
    await home.app.dispose();
    await turn(home);
    await home.simulator.deliveriesIdle();
    await home.restart();
    await until(home, async () => (await answered(home, 'accepted')) === 1);
    expect(shown(home)).toBe(truth(home));
  });

  it('does not move for a stranger at its address, with anything that the relay passes on (faults#104)', async () => {
    const { blue, home } = await relayedHome();
    const before = shown(home);
    const body = bodyOf({ deviceId: home.idOf(FRONT) });
    const headers = { 'content-type': 'application/json', 'webhook-signature': pssOf(body, strangerPair) };
    const answer = await fetch(blue.url, { method: 'POST', headers, body: new Uint8Array(body) });
    expect(answer.status).toBe(204);
    await until(home, async () => (await answered(home, 'forged')) === 1);
    expect(shown(home)).toBe(before);
    expect(await answered(home, 'accepted')).toBe(0);
  });
});

describe.skipIf(!hasNats)('the rights of a home at the cluster', () => {
  it('let it read its own events alone, and write none (faults#104)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const [blue, green] = [await stage.enrol('blue'), await stage.enrol('green')];
    const [spy, owner] = [await seated(blue), await seated(green)];
    const refused: string[] = [];
    void (async () => {
      for await (const status of spy.status()) {
        refused.push(status.type);
      }
    })();
    const { events } = pull(owner, green);
    const stolen: string[] = [];
    for (const subject of ['>', 'homes.>', seatSubjects(green.enrolment.username).inbox, '_INBOX.>']) {
      spy.subscribe(subject, {
        callback: (error, message) => {
          if (error === null) {
            stolen.push(message.subject);
          }
        },
      });
    }
    for (const subject of [
      'homes.green.events',
      seatSubjects(green.enrolment.username).next,
      '$JS.API.STREAM.DELETE.HOMES',
      '$JS.API.CONSUMER.CREATE.HOMES',
    ]) {
      spy.publish(subject, '{}');
    }
    expect(await post(green.url)).toBe(204);
    await expect.poll(() => events.map(({ subject }) => subject)).toEqual(['homes.green.events']);
    await expect.poll(() => refused.filter((type) => type === 'error').length).toBe(8);
    expect(stolen).toEqual([]);
  });

  it('allow no answer at a subject where the home may not write (faults#104)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const [blue, green] = [await stage.enrol('blue'), await stage.enrol('green')];
    const [spy, owner] = [await seated(blue), await seated(green)];
    expect(await post(green.url, '{"number":1}')).toBe(204);
    const { events } = pull(owner, green);
    await expect.poll(() => events.length).toBe(1);
    const own = seatSubjects(blue.enrolment.username);
    const others = seatSubjects(green.enrolment.username);
    for (const reply of [
      '$JS.API.STREAM.DELETE.HOMES',
      '$JS.API.STREAM.PURGE.HOMES',
      `$JS.API.CONSUMER.DELETE.HOMES.${green.enrolment.username}`,
      'homes.green.events',
      others.next,
      events[0]?.reply ?? '',
      others.ask,
    ]) {
      spy.publish(own.next, JSON.stringify({ batch: 5, expires: 50_000_000 }), { reply });
      spy.publish(`${own.acknowledge}.1.1.1.1.0`, '+ACK', { reply });
      spy.publish(own.ask, '', { reply });
    }
    await spy.flush();
    // The last of its requests has run its time by then.
    expect(await post(blue.url)).toBe(204);
    expect(await post(green.url, '{"number":2}')).toBe(204);
    await expect.poll(() => events.length).toBe(2);
    expect(events.map(({ subject }) => subject)).toEqual(['homes.green.events', 'homes.green.events']);
    // Nothing was acknowledged for it: a negative word brings the first again.
    owner.publish(events[0]?.reply ?? '', '-NAK');
    await expect.poll(() => events.length).toBe(3);
  });

  it('end with a revoked enrolment, and belong to no other home', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const former = await stage.enrol('blue');
    await expect(
      intruder({
        ...former,
        enrolment: { ...former.enrolment, password: (await stage.enrol('green')).enrolment.password },
      }),
    ).rejects.toThrow(/authorization/iu);
    const connection = await seated(former);
    const relays = { port: 0, revoked: { blue: 1 } };
    await stage.startRelay(relays);
    const ask = async (): Promise<string> => {
      const answer = await connection.request(seatSubjects(former.enrolment.username).ask, '', {
        timeout: 30_000,
      });
      return new TextDecoder().decode(answer.data);
    };
    await expect.poll(ask).toBe('revoked');
  });
});

describe.skipIf(!hasNats)('the connection to a cluster', () => {
  it('is refused where no authority vouches for the certificate, and made with the file of that authority', async () => {
    const folder = temporaryFolder();
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certFile, SELF_SIGNED.cert);
    writeFileSync(keyFile, SELF_SIGNED.key);
    const cluster = await startNats({ folder, nodes: 1, tls: { certFile, keyFile } });
    onTestFinished(async () => cluster.close());
    const broker = { url: cluster.url, keysFile: cluster.keysFile, replicas: 1 };
    const stateOf = async (changes: { readonly caFile?: string }): Promise<() => CarrierState> => {
      const parts = { clock: systemClock, random: () => 0, log: silentLog };
      const opened = await openBroker({ ...RELAY, broker: { ...broker, ...changes } }, parts);
      onTestFinished(async () => opened.close());
      return () => opened.state;
    };
    const [trusting, careful] = [await stateOf({ caFile: certFile }), await stateOf({})];
    await expect.poll(trusting).toMatchObject({ kind: 'connected' });
    await expect
      .poll(() => inWords(careful()))
      .toMatchObject({
        kind: 'waiting',
        reason:
          "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
      });
  });
});
