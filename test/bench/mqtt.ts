// How soon a broker's subscribers get a turn: from the POST of a signed event to the message about the lock's state.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'undici';
import { topicLevel } from '../../src/home-assistant/topics.ts';
import { BrokerClient } from '../harness/broker-client.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { signed } from '../support/signed-events.ts';
import { Contestant, WEBHOOK_PATH } from './contestant.ts';
import { alone, compared, type Figure, summary } from './figures.ts';

const LOCKS = 8;
/** The first turns find nothing warmed up yet. */
const WARM_UP = 50;
const ANSWERED_WITHIN_MS = 30_000;
/** On top of the bare broker, in milliseconds: verifying the signature, the ledger's row, and one more process (our choice). */
const MOST_BEYOND_BROKER_MS = 25;

export interface MqttRounds {
  readonly turns: number;
}

export interface MqttOptions {
  readonly folder: string;
  readonly pluginsFolder: string;
}

interface Turned {
  readonly toBrokerMs: number;
  readonly toHomeMs: number;
}

/** Empty where mosquitto is missing. */
export async function measureMqtt(options: MqttOptions, rounds: MqttRounds): Promise<readonly Figure[]> {
  if (!hasMosquitto) {
    return [];
  }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const broker = await startMosquitto({ folder: join(options.folder, 'broker') });
  const ours = await Contestant.open({
    ...options,
    side: 'ours',
    locks: LOCKS,
    webhooks: { publicKeyPem, fastEvents: false },
    mqttUrl: broker.url.href,
  });
  const listener = await BrokerClient.connect(broker.url, 'latchkey/#', 'bare');
  try {
    await ours.holdEvents(0);
    return figuresOf(await turns(ours, listener, privateKey, rounds), await bare(broker, listener, rounds));
  } finally {
    listener.close();
    await ours.close();
    await broker.stop();
  }
}

function figuresOf(turned: readonly Turned[], bareMs: readonly number[]): readonly Figure[] {
  const toBroker = turned.map(({ toBrokerMs }) => toBrokerMs);
  const toHome = turned.map(({ toHomeMs }) => toHomeMs);
  return [
    compared(
      {
        name: 'webhook to the state at the broker (limit: one message through the bare broker)',
        unit: 'ms',
        goal: `p50 at most ${String(MOST_BEYOND_BROKER_MS)} ms beyond the broker's`,
      },
      { ours: toBroker, limit: bareMs },
      (ours, limit) => ours.p50 <= limit.p50 + MOST_BEYOND_BROKER_MS,
    ),
    alone(
      { name: 'the same turns: webhook to its event in Home, hold removed', unit: 'ms', goal: 'beside it' },
      toHome,
      summary(toHome).n > 0,
    ),
  ];
}

async function turns(
  ours: Contestant,
  listener: BrokerClient,
  key: KeyObject,
  rounds: MqttRounds,
): Promise<readonly Turned[]> {
  const messenger = new Client(`http://127.0.0.1:${String(ours.routePort)}`, {
    headersTimeout: ANSWERED_WITHIN_MS,
  });
  const turned: Turned[] = [];
  try {
    await listener.until(
      ({ topic, text }) => topic.endsWith('/status') && text === 'online',
      'status online',
    );
    for (let round = 0; round < WARM_UP + rounds.turns; round += 1) {
      turned.push(await turn(ours, listener, messenger, key, round));
    }
  } finally {
    await messenger.close();
  }
  return turned.slice(WARM_UP);
}

async function turn(
  ours: Contestant,
  listener: BrokerClient,
  messenger: Client,
  key: KeyObject,
  round: number,
): Promise<Turned> {
  const { id, current } = ours.lock(round);
  const state = ours.service.locks.get(id) === 'Locked' ? 'Unlocked' : 'Locked';
  ours.service.locks.set(id, state);
  const delivery = await signed({ id: randomUUID(), lockId: id, state, at: Date.now() }, key);
  const topic = `/${topicLevel(id)}/state`;
  const wanted = `"state":"${state.toLowerCase()}"`;
  const shown = ours.controller.received({ [current]: state === 'Locked' ? 1 : 0 });
  listener.seen.length = 0;
  const startedAt = performance.now();
  const published = listener
    .until(
      (message) => message.topic.endsWith(topic) && message.text.includes(wanted),
      `${wanted} of ${topic}`,
    )
    .then(() => performance.now());
  const [receivedAt, shownAt, { statusCode, body }] = await Promise.all([
    published,
    shown,
    messenger.request({ method: 'POST', path: WEBHOOK_PATH, ...delivery }),
  ]);
  await body.dump();
  if (statusCode !== 204) {
    throw new Error(`An event was answered with ${String(statusCode)}`);
  }
  return { toBrokerMs: receivedAt - startedAt, toHomeMs: shownAt - startedAt };
}

/** The same size of message, from one client to another. */
async function bare(
  broker: Mosquitto,
  listener: BrokerClient,
  rounds: MqttRounds,
): Promise<readonly number[]> {
  const sender = await BrokerClient.connect(broker.url);
  const samples: number[] = [];
  try {
    for (let round = 0; round < WARM_UP + rounds.turns; round += 1) {
      const text = String(round).padEnd(320, ' ');
      listener.seen.length = 0;
      const startedAt = performance.now();
      const arrived = listener
        .until((message) => message.text === text, 'message to the bare broker')
        .then(() => performance.now());
      await sender.publish('bare', text, { retain: true });
      samples.push((await arrived) - startedAt);
    }
  } finally {
    sender.close();
  }
  return samples.slice(WARM_UP);
}
