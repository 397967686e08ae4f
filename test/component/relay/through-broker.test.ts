// From the simulated service through the relay and a real broker to a whole account, with attacks on the way.
import mqtt, { type MqttClient } from 'mqtt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { boltOf } from '../../../src/domain/locks/lock.ts';
import { hasMosquitto } from '../../harness/mosquitto.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { bodyOf, pssOf, strangerPair } from '../webhook/fixture.ts';
import { openRelayStage, type RelayStage, relayedOptions } from './relay-stage.ts';

const FRONT = 'Front door';

interface Relayed {
  readonly stage: RelayStage;
  readonly home: SimulatedHome;
}

/** An account whose events come through the relay, registered and with its first listing. */
async function relayedHome(): Promise<Relayed> {
  const stage = await openRelayStage(temporaryFolder(), ['blue', 'green']);
  const home = await SimulatedHome.linked({
    simulator: { webhooks: { allowHttpToLoopback: true } },
    options: relayedOptions(stage.enrol('blue')),
  });
  await until(
    home,
    async () => (await home.app.operations['webhooks.status']({})).registration === 'standing',
  );
  return { stage, home };
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

const accepted = async (home: SimulatedHome): Promise<number> =>
  (await home.app.operations['webhooks.status']({})).answers['accepted'] ?? 0;

describe.skipIf(!hasMosquitto)('a home behind a relay', () => {
  it('registers its address there, tests the way through it, and shows a turn of the key without a poll', async () => {
    const { stage, home } = await relayedHome();
    const test = home.app.operations['webhooks.test']({});
    expect(await test).toMatchObject({ finding: 'came-through', status: 204 });
    const before = shown(home);
    await turn(home);
    await until(home, () => shown(home) !== before);
    expect(shown(home)).toBe(truth(home));
    expect(await home.app.operations['webhooks.status']({ address: true })).toMatchObject({
      health: 'healthy',
      listener: stage.broker.url.href,
      publicUrl: stage.url,
      answers: { accepted: 1 },
    });
  });

  it('gets what came while it was away, once, also when it is stopped before the acknowledgement (faults#103)', async () => {
    const { home } = await relayedHome();
    await home.app.dispose();
    await turn(home);
    await home.simulator.deliveriesIdle();
    await home.restart();
    await until(home, async () => (await accepted(home)) === 1);
    expect(shown(home)).toBe(truth(home));
    await home.restart();
    await turn(home);
    await until(home, async () => (await accepted(home)) === 1);
    expect((await home.app.operations['webhooks.status']({})).answers).not.toHaveProperty('repeated');
    expect((await home.app.operations['webhooks.status']({})).answers).not.toHaveProperty('forged');
  });

  it('gets what the relay refused while the broker was dead, once the service repeats it (faults#103)', async () => {
    const { stage, home } = await relayedHome();
    await stage.broker.kill();
    await turn(home);
    await home.simulator.deliveriesIdle();
    expect(await accepted(home)).toBe(0);
    await stage.broker.start();
    for (let passed = 0; passed < 60 && (await accepted(home)) === 0; passed += 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      await home.clock.advance(5_000);
      await home.simulator.deliveriesIdle();
    }
    await until(home, async () => (await accepted(home)) === 1);
    expect(shown(home)).toBe(truth(home));
  });

  it('does not move for a stranger at its address, with anything that the relay passes on (faults#104)', async () => {
    const { stage, home } = await relayedHome();
    const enrolment = readEnrolment(stage.enrol('blue').line);
    const before = shown(home);
    const body = bodyOf({ deviceId: home.idOf(FRONT) });
    const headers = { 'content-type': 'application/json', 'webhook-signature': pssOf(body, strangerPair) };
    const answer = await fetch(enrolment?.url ?? '', {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    expect(answer.status).toBe(204);
    await until(
      home,
      async () => ((await home.app.operations['webhooks.status']({})).answers['forged'] ?? 0) === 1,
    );
    expect(shown(home)).toBe(before);
    expect(await accepted(home)).toBe(0);
  });
});

describe.skipIf(!hasMosquitto)('an event that was answered with 204', () => {
  it('is delivered again to a connected home that did not acknowledge it, though the broker was killed (faults#103)', async () => {
    const stage = await openRelayStage(temporaryFolder(), ['blue']);
    const { username, password, topic, line } = stage.enrol('blue');
    const session = {
      protocolVersion: 5,
      clientId: username,
      username,
      password,
      clean: false,
      properties: { sessionExpiryInterval: 3_600 },
      reconnectPeriod: 0,
    } as const;
    const connect = (): MqttClient => {
      const client = mqtt.connect(stage.broker.url.href, session);
      onTestFinished(() => {
        client.end(true);
      });
      return client;
    };
    const first = connect();
    const got = Promise.withResolvers<void>();
    // It never calls back, so nothing is acknowledged.
    first.handleMessage = () => {
      got.resolve();
    };
    await first.subscribeAsync(topic, { qos: 1 });
    const address = readEnrolment(line)?.url ?? '';
    const send = async (): Promise<number> => (await fetch(address, { method: 'POST', body: '{}' })).status;
    await expect.poll(send).toBe(204);
    await got.promise;
    await stage.broker.kill();
    first.end(true);
    await stage.broker.start();
    const again = Promise.withResolvers<string>();
    const second = connect();
    second.on('message', (from) => {
      again.resolve(from);
    });
    expect(await again.promise).toBe(topic);
  });
});

describe.skipIf(!hasMosquitto)('the rights at the broker', () => {
  it('let a home read its own topic alone, and write nothing (faults#104)', async () => {
    const stage = await openRelayStage(temporaryFolder(), ['blue', 'green']);
    const [blue, green] = [stage.enrol('blue'), stage.enrol('green')];
    const seen: string[] = [];
    const spy = await mqtt.connectAsync(stage.broker.url.href, {
      protocolVersion: 5,
      username: green.username,
      password: green.password,
      reconnectPeriod: 0,
    });
    onTestFinished(() => {
      spy.end(true);
    });
    spy.on('message', (topic) => seen.push(topic));

    await spy.subscribeAsync([blue.topic, '#', 'latchkey/homes/+/events', green.topic], { qos: 1 });
    const owner = await mqtt.connectAsync(stage.broker.url.href, {
      protocolVersion: 5,
      username: blue.username,
      password: blue.password,
      reconnectPeriod: 0,
    });
    onTestFinished(() => {
      owner.end(true);
    });
    const delivered: string[] = [];
    owner.on('message', (topic) => delivered.push(topic));
    await owner.subscribeAsync(blue.topic, { qos: 1 });
    const address = (home: string): string => readEnrolment(stage.enrol(home).line)?.url ?? '';
    const send = async (home: string): Promise<number> =>
      (await fetch(address(home), { method: 'POST', body: '{}' })).status;
    await expect.poll(async () => send('blue')).toBe(204);
    expect(await send('green')).toBe(204);
    // Its three filters overlap: one message comes three times.
    await expect.poll(() => seen).toEqual([green.topic, green.topic, green.topic]);
    await expect.poll(() => delivered).toEqual([blue.topic]);
    await spy.publishAsync(blue.topic, 'forged', { qos: 1 }).catch(() => {});
    await expect.poll(async () => send('blue')).toBe(204);
    await expect.poll(() => delivered).toEqual([blue.topic, blue.topic]);
  });

  it('let no client in without the right password', async () => {
    const stage = await openRelayStage(temporaryFolder(), ['blue']);
    const knock = mqtt.connectAsync(
      stage.broker.url.href,
      { protocolVersion: 5, username: 'blue', password: 'a guess', reconnectPeriod: 0 },
      false,
    );
    await expect(knock).rejects.toThrow(/not authori[sz]ed/iu);
  });
});
