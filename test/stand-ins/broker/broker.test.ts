// The broker in memory and mosquitto, behind our carrier, keep the same promises; what both must do stands here once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BARRIER_TOPIC } from '../../../relay/src/save-barrier.ts';
import type { Carrier } from '../../../src/carrier/carrier.ts';
import { BrokerClient } from '../../harness/broker-client.ts';
import { hasMosquitto, startMosquitto } from '../../harness/mosquitto.ts';
import { carrierAt } from '../../support/mqtt-carrier.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { StandInBroker } from './broker.ts';

/** Somebody subscribes to one of these topics; the third may not be written. */
const HEARD = 'latchkey/homes/blue/events';
const DESERTED = 'latchkey/homes/green/events';
const FORBIDDEN = 'somebody/else';

interface World {
  readonly carrier: Carrier;
  /** The payloads that the subscriber has, or that wait for it. */
  readonly received: () => readonly string[];
  readonly vanish: () => Promise<void> | void;
  /** Resolves when it is sure to die with the next message unanswered; `publishing` is called meanwhile. */
  readonly dieWith: (publishing: () => void) => Promise<void> | void;
}

async function inMemory(): Promise<World> {
  const carrier = new StandInBroker();
  carrier.deserted.add(DESERTED);
  carrier.forbidden.add(FORBIDDEN);
  return Promise.resolve({
    carrier,
    received: () =>
      carrier.published
        .filter(({ topic }) => topic === HEARD)
        .map(({ payload }) => Buffer.from(payload).toString()),
    vanish: () => {
      carrier.fate = 'gone';
    },
    dieWith: (publishing) => {
      carrier.fate = 'dies';
      publishing();
    },
  });
}

async function atMosquitto(): Promise<World> {
  const folder = temporaryFolder();
  const rights = join(folder, 'rights');
  writeFileSync(rights, 'topic readwrite latchkey/#\n');
  const broker = await startMosquitto({ folder: join(folder, 'broker'), lines: [`acl_file ${rights}`] });
  const home = await BrokerClient.connect(broker.url, HEARD);
  const carrier = carrierAt(broker.url);
  onTestFinished(async () => {
    home.close();
    await broker.kill();
  });
  await expect.poll(() => carrier.state.kind).toBe('connected');
  return {
    carrier,
    received: () => home.seen.map(({ text }) => text),
    vanish: async () => {
      await broker.stop();
      await expect.poll(() => carrier.state.kind).not.toBe('connected');
    },
    dieWith: async (publishing) => {
      process.kill(broker.pid() ?? 0, 'SIGSTOP');
      publishing();
      // The message is in the broker's socket then, where it dies with it.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await broker.kill();
    },
  };
}

const WORLDS = [
  ['the stand-in of the broker', inMemory, true],
  ['mosquitto (Debian: mosquitto)', atMosquitto, hasMosquitto],
] as const;

describe.for(WORLDS)('%s', ([, open, isThere]) => {
  beforeEach(({ skip }) => {
    skip(!isThere, 'mosquitto is not installed');
  });

  it('acknowledges what it is given, in order, and says that somebody subscribes', async () => {
    const { carrier, received } = await open();
    const receipts = await Promise.all(
      ['1', '2', '3'].map(async (payload) => carrier.publish({ topic: HEARD, payload })),
    );
    expect(receipts).toEqual([{ hasSubscriber: true }, { hasSubscriber: true }, { hasSubscriber: true }]);
    await expect.poll(received).toEqual(['1', '2', '3']);
  });

  it('says that nobody subscribes, to a home that is not there and to the barrier of a save', async () => {
    const { carrier, received } = await open();
    for (const topic of [DESERTED, BARRIER_TOPIC]) {
      expect(await carrier.publish({ topic, payload: 'x' })).toEqual({ hasSubscriber: false });
    }
    expect(received()).toEqual([]);
  });

  it('refuses for good what may not be written', async () => {
    const { carrier } = await open();
    await expect(carrier.publish({ topic: FORBIDDEN, payload: 'x' })).rejects.toMatchObject({
      disposition: 'final',
      code: 'not-permitted',
    });
  });

  it('takes nothing while it is gone', async () => {
    const { carrier, vanish } = await open();
    await vanish();
    await expect(carrier.publish({ topic: HEARD, payload: 'x' })).rejects.toMatchObject({
      disposition: 'retry',
      code: 'unreachable',
    });
  });

  it('leaves it open what became of a message when it dies before its answer', async () => {
    const { carrier, dieWith } = await open();
    const published = Promise.withResolvers<unknown>();
    await dieWith(() => {
      carrier.publish({ topic: HEARD, payload: 'x' }).then(published.resolve, published.resolve);
    });
    expect(await published.promise).toMatchObject({ disposition: 'uncertain' });
  });

  it('takes nothing after it is closed', async () => {
    const { carrier } = await open();
    await carrier.close();
    expect(carrier.state).toEqual({ kind: 'closed' });
    await expect(carrier.publish({ topic: HEARD, payload: 'x' })).rejects.toMatchObject({
      disposition: 'retry',
    });
  });
});
