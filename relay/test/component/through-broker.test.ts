// From the simulated service through the relay and a real broker to a whole account, and what a stranger may not do at the broker.
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { readEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { hasMosquitto } from '../../../test/harness/mosquitto.ts';
import { RESIDENT, type SimulatedHome } from '../../../test/homes/simulated-home.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { EnrolledHome } from '../../src/enrol-home.ts';
import { openRelayStage, type RelayStage } from './relay-stage.ts';
import {
  accepted,
  expectTurnShown,
  relayedHome,
  relayOptions,
  shown,
  truth,
  turnFront,
  until,
} from './relayed-home.ts';

/** A home behind a relay before a broker of its own. */
async function brokeredHome(): Promise<{ stage: RelayStage; home: SimulatedHome }> {
  const stage = await openRelayStage(temporaryFolder(), ['blue', 'green']);
  return { stage, home: await relayedHome(stage.enrol('blue')) };
}

describe.skipIf(!hasMosquitto)('a home behind a relay', () => {
  it('registers its address there, tests the way through it, and shows a turn of the key without a poll', async () => {
    const { stage, home } = await brokeredHome();
    const test = home.app.operations['webhooks.test']({});
    expect(await test).toMatchObject({ finding: 'came-through', status: 204 });
    await expectTurnShown(home);
    // It is shown before it is in the ledger, and counted after that.
    await until(home, async () => (await accepted(home)) === 1);
    expect(await home.app.operations['webhooks.status']({ address: true })).toMatchObject({
      health: 'healthy',
      listener: stage.broker.url.href,
      publicUrl: stage.url,
      answers: { accepted: 1 },
    });
  });

  it('gets what came while it was away, once, also when it is stopped at once (faults#103)', async () => {
    const { home } = await brokeredHome();
    await home.app.dispose();
    await turnFront(home);
    await home.simulator.deliveriesIdle();
    await home.restart();
    await until(home, async () => (await accepted(home)) === 1);
    expect(shown(home)).toBe(truth(home));
    await home.restart();
    await turnFront(home);
    await until(home, async () => (await accepted(home)) === 1);
    const { answers } = await home.app.operations['webhooks.status']({});
    expect(answers).not.toHaveProperty('repeated');
    expect(answers).not.toHaveProperty('forged');
  });

  it('gets what the relay refused while the broker was dead, once the service repeats it (faults#103)', async () => {
    const { stage, home } = await brokeredHome();
    await stage.broker.kill();
    await turnFront(home);
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
});

/** How many events that process has taken. */
const taken = async (app: App | undefined): Promise<number> =>
  (await app?.operations['webhooks.status']({}))?.answers['accepted'] ?? 0;

it.skipIf(!hasMosquitto)(
  'a computer whose link another one has ended takes no event of it from the relay (faults#139)',
  async () => {
    const { stage, home } = await brokeredHome();
    const copy = temporaryFolder();
    await home.app.dispose();
    cpSync(home.folder, copy, { recursive: true });
    await home.restart();
    const other = home.another(relayOptions(stage.enrol('blue')), true, copy);
    onTestFinished(async () => other.dispose());
    await other.start();
    const computers = [home.app, other];
    const isLinked = ({ runtime }: App): boolean => runtime.linkState() === 'linked';
    for (let minutes = 0; minutes < 120 && computers.every(isLinked); minutes += 1) {
      await home.clock.advance(60_000);
    }
    // The one that renews first goes on.
    const goesOn = computers.find(isLinked);
    const ended = computers.find((app) => app !== goesOn);
    const before = await taken(goesOn);
    const former = await taken(ended);
    for (let turns = 1; turns <= 10; turns += 1) {
      await turnFront(home);
      await home.clock.advance(20_000);
      await until(home, async () => (await taken(goesOn)) === before + turns);
    }
    expect(await taken(ended)).toBe(former);
    expect(await ended?.operations['webhooks.status']({})).toMatchObject({ listener: null });
  },
);

it.skipIf(!hasMosquitto)(
  'a home that is connected again after its link has ended receives through the relay again',
  async () => {
    const { home } = await brokeredHome();
    await home.control('house/revoke', { userId: RESIDENT });
    await until(home, async () => {
      await home.clock.advance(60_000);
      return home.app.runtime.linkState() !== 'linked';
    });
    await until(home, async () => (await home.app.operations['webhooks.status']({})).listener === null);
    await home.link();
    await until(
      home,
      async () => (await home.app.operations['webhooks.status']({})).registration === 'standing',
    );
    await expectTurnShown(home);
    await expect.poll(async () => accepted(home)).toBe(1);
  },
);

describe.skipIf(!hasMosquitto)('a home that its relay has put out', () => {
  it('says once that the broker refuses its login, after it said that the connection was lost', async () => {
    const folder = temporaryFolder();
    const stage = await openRelayStage(folder, ['blue']);
    const home = await relayedHome(stage.enrol('blue'));
    const lost = (): readonly string[] =>
      home.lines.filter((line) => line.includes('broker is out of reach'));
    spawnSync('mosquitto_passwd', ['-D', join(folder, 'passwords'), 'blue']);
    await stage.broker.stop();
    await until(home, () => lost().length === 1);
    await stage.broker.start();
    const refused = 'The broker rejected the user name or password.';
    await expect
      .poll(async () => {
        await home.clock.advance(5_000);
        return lost().at(-1);
      })
      .toContain(refused);
    await home.clock.advance(600_000);
    expect(lost().filter((line) => line.includes(refused))).toHaveLength(1);
  });
});

/** A client of that home at the broker; it ends with the test. */
function connect(
  { broker }: RelayStage,
  { username, password }: EnrolledHome,
  session: IClientOptions = {},
): MqttClient {
  const client = mqtt.connect(broker.url.href, {
    protocolVersion: 5,
    username,
    password,
    reconnectPeriod: 0,
    ...session,
  });
  onTestFinished(() => {
    client.end(true);
  });
  return client;
}

/** Sends an event for that home through the relay; resolves with the status of the answer. */
async function send({ line }: EnrolledHome): Promise<number> {
  return (await fetch(readEnrolment(line)?.url ?? '', { method: 'POST', body: '{}' })).status;
}

describe.skipIf(!hasMosquitto)('an event that was answered with 204', () => {
  it('is delivered again to a connected home that did not acknowledge it, though the broker was killed (faults#103)', async () => {
    const stage = await openRelayStage(temporaryFolder(), ['blue']);
    const blue = stage.enrol('blue');
    const session = {
      clientId: blue.username,
      clean: false,
      properties: { sessionExpiryInterval: 3_600 },
    } as const;
    const first = connect(stage, blue, session);
    const got = Promise.withResolvers<void>();
    // It never calls back, so nothing is acknowledged.
    first.handleMessage = () => {
      got.resolve();
    };
    await first.subscribeAsync(blue.topic, { qos: 1 });
    await expect.poll(async () => send(blue)).toBe(204);
    await got.promise;
    await stage.broker.kill();
    first.end(true);
    await stage.broker.start();
    const again = Promise.withResolvers<string>();
    connect(stage, blue, session).on('message', (from) => {
      again.resolve(from);
    });
    expect(await again.promise).toBe(blue.topic);
  });
});

describe.skipIf(!hasMosquitto)('the rights at the broker', () => {
  it('let a home read its own topic alone, and write nothing (faults#104)', async () => {
    const stage = await openRelayStage(temporaryFolder(), ['blue', 'green']);
    const [blue, green] = [stage.enrol('blue'), stage.enrol('green')];
    const seen: string[] = [];
    const spy = connect(stage, green);
    spy.on('message', (topic) => seen.push(topic));
    await spy.subscribeAsync([blue.topic, '#', 'latchkey/homes/+/events', green.topic], { qos: 1 });
    const owner = connect(stage, blue);
    const delivered: string[] = [];
    owner.on('message', (topic) => delivered.push(topic));
    await owner.subscribeAsync(blue.topic, { qos: 1 });
    await expect.poll(async () => send(blue)).toBe(204);
    expect(await send(green)).toBe(204);
    // Its three filters overlap: one message comes three times.
    await expect.poll(() => seen).toEqual([green.topic, green.topic, green.topic]);
    await expect.poll(() => delivered).toEqual([blue.topic]);
    await spy.publishAsync(blue.topic, 'forged', { qos: 1 }).catch(() => {});
    await expect.poll(async () => send(blue)).toBe(204);
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
