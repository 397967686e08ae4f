// How soon a broker's subscribers get a turn: from the POST of a signed event to the message about the lock's state.
import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { topicLevel } from '../../src/features/home-assistant/broker/topics.ts';
import { BrokerClient } from '../harness/broker-client.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { newServiceKey } from '../support/signed-events.ts';
import { Contestant } from './contestant.ts';
import { alone, compared, type Figure, summary } from './figures.ts';
import { Messenger, type TurnedLock } from './messenger.ts';

const LOCKS = 8;
/** The first turns find nothing warmed up yet. */
const WARM_UP = 50;
/** On top of the bare broker, in milliseconds: verifying the signature, the ledger's row, and one more process (our choice). */
const MOST_BEYOND_BROKER_MS = 25;

export interface MqttRounds {
  readonly turns: number;
}

export interface MqttOptions {
  readonly folder: string;
  readonly pluginsFolder: string;
}

/** From the request, in milliseconds. */
type Turned = Awaited<ReturnType<Messenger['turn']>>;

/** Empty where mosquitto is missing. */
export async function measureMqtt(options: MqttOptions, rounds: MqttRounds): Promise<readonly Figure[]> {
  if (!hasMosquitto) {
    return [];
  }
  const { privateKey, publicKeyPem } = newServiceKey();
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
  const toBroker = turned.map(({ elsewhereMs }) => elsewhereMs);
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
  const messenger = new Messenger(ours, key);
  const turned: Turned[] = [];
  try {
    await listener.until(
      ({ topic, text }) => topic.endsWith('/status') && text === 'online',
      'status online',
    );
    for (let round = 0; round < WARM_UP + rounds.turns; round += 1) {
      turned.push(await messenger.turn(round, async (lock) => stateAt(listener, lock)));
    }
  } finally {
    await messenger.close();
  }
  return turned.slice(WARM_UP);
}

/** Resolves with the instant at which the broker has the new state of the lock. */
async function stateAt(listener: BrokerClient, { id, state }: TurnedLock): Promise<number> {
  const wanted = `"state":"${state.toLowerCase()}"`;
  const end = `/${topicLevel(id)}/state`;
  listener.seen.length = 0;
  await listener.until(
    ({ topic, text }) => topic.endsWith(end) && text.includes(wanted),
    `${wanted} of ${end}`,
  );
  return performance.now();
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
