// From the simulated service through the relay and a real cluster to a whole account, with attacks on the way.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CarrierState } from '../../../src/carrier/carrier.ts';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { SELF_SIGNED } from '../../../test/component/cloud/self-signed.ts';
import { inWords } from '../../../test/support/in-words.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { enrolAtBroker } from '../../src/enrol-home.ts';
import { LiveConfig } from '../../src/live-config.ts';
import { withCluster } from '../../src/look-at-cluster.ts';
import { openBroker } from '../../src/open-broker.ts';
import { hasNats, startNats } from '../harness/nats-cluster.ts';
import { openHome } from '../support/cluster-home.ts';
import { ask, intruder, pull } from '../support/cluster-intruder.ts';
import { type ClusterHome, openClusterStage } from './cluster-stage.ts';
import { RELAY } from './open-relay.ts';
import { accepted, expectTurnShown, relayedHome, shown, truth, turnFront, until } from './relayed-home.ts';

const FIRST = { home: 'blue', generation: 1 };

const post = async (url: string, body = '{}'): Promise<number> =>
  (await fetch(url, { method: 'POST', body })).status;

/** Asks for the consumer, so that there is one. */
async function seated(home: ClusterHome): Promise<NatsConnection> {
  const connection = await intruder(home);
  expect(await ask(connection, home)).toBe('ready');
  return connection;
}

/** Two homes at one cluster, seated: an intruder with the rights of one, and the owner of the other. */
async function twoSeated() {
  const stage = await openClusterStage(temporaryFolder(), 1);
  const [blue, green] = [await stage.enrol('blue'), await stage.enrol('green')];
  return { blue, green, spy: await seated(blue), owner: await seated(green) };
}

describe.skipIf(!hasNats)('a home behind a relay on a cluster', () => {
  it('registers its address, tests the way, shows a turn of the key, and gets once what came while it was away (faults#103)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const home = await relayedHome(await stage.enrol('blue'));
    expect(await home.app.operations['webhooks.test']({})).toMatchObject({ finding: 'came-through' });
    await expectTurnShown(home);
    await home.app.dispose();
    await turnFront(home);
    await home.simulator.deliveriesIdle();
    await home.restart();
    await until(home, async () => (await accepted(home)) === 1);
    expect(shown(home)).toBe(truth(home));
  });
});

describe.skipIf(!hasNats)('a home that is stopped while it takes an event', () => {
  it('acknowledges it first, so that it does not come again (faults#103)', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const blue = await stage.enrol('blue');
    const [began, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let seen = 0;
    const open = async (): Promise<{ close(): Promise<void> }> =>
      openHome(blue.enrolment, systemClock, async () => {
        seen += 1;
        began.resolve();
        await done.promise;
      });
    const first = await open();
    await expect.poll(async () => post(blue.url)).toBe(204);
    await began.promise;
    const closed = first.close();
    done.resolve();
    await closed;
    const second = await open();
    onTestFinished(async () => second.close());
    // What was not acknowledged would come again after four seconds.
    await expect
      .poll(async () => withCluster(stage.config, systemClock, async (view) => view.missed(FIRST)))
      .toEqual([]);
    expect(seen).toBe(1);
  });
});

describe.skipIf(!hasNats)('the rights of a home at the cluster', () => {
  it('let it read its own events alone, and write none (faults#104)', async () => {
    const { green, spy, owner } = await twoSeated();
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
    const { blue, green, spy, owner } = await twoSeated();
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
    await stage.startRelay({ port: 0, revoked: { blue: 1 } });
    await expect.poll(() => connection.isClosed()).toBe(true);
  });
});

describe.skipIf(!hasNats)('the connection to a cluster', () => {
  it('ends with the enrolment of its home, which says what to do', async () => {
    const stage = await openClusterStage(temporaryFolder(), 1);
    const home = await relayedHome(await stage.enrol('blue'));
    await stage.stopRelays();
    await stage.startRelay({ revoked: { blue: 1 } });
    const said = (): readonly string[] => home.lines.filter((line) => line.includes('new enrolment'));
    await expect
      .poll(async () => {
        await home.clock.advance(5_000);
        return said();
      })
      .toHaveLength(1);
    expect(said()[0]).toContain('does not accept this login. Ask for a new enrolment.');
    await home.restart();
    const trouble = async (): Promise<unknown> =>
      inWords((await home.app.operations['webhooks.status']({})).trouble);
    await expect.poll(trouble).toContain('Ask for a new enrolment.');
  });

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
      const opened = await openBroker(new LiveConfig({ ...RELAY, broker: { ...broker, ...changes } }), parts);
      onTestFinished(async () => opened.close());
      return () => opened.state;
    };
    const enrolled = await enrolAtBroker(
      { ...RELAY, broker, homeCaFile: certFile },
      { home: 'blue', generation: 1, withAddress: true },
    );
    const line = readEnrolment(enrolled.line);
    if (line === null) {
      throw new Error('The line cannot be read');
    }
    expect(line.ca).toBe(SELF_SIGNED.cert);
    const [trusting, careful] = [await stateOf({ caFile: certFile }), await stateOf({})];
    await expect.poll(trusting).toMatchObject({ kind: 'connected' });
    await expect
      .poll(() => inWords(careful()))
      .toMatchObject({
        kind: 'waiting',
        reason:
          "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
      });
    // A home has that authority in its line.
    const home = await openHome(line, systemClock, async () => {});
    onTestFinished(async () => home.close());
    await expect.poll(() => home.state).toMatchObject({ kind: 'connected' });
  });
});
