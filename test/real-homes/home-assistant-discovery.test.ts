// What our rules of Home Assistant's discovery take, the real Home Assistant takes: announcements of the plugin, each with one
// fault planted into it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { BrokerClient } from '../harness/broker-client.ts';
import { type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { DISCOVERY_TOPIC, deviceDiscovery } from '../support/home-assistant-rules.ts';
import { HomeAssistant } from './home-assistant.ts';
import { type HomeStage, openHomeStage } from './stage.ts';

type Json = Record<string, unknown>;

/** One entity of an announcement, with the device and the origin, as a message of its own. */
interface Announcement {
  readonly key: string;
  readonly uniqueId: string;
  readonly message: Json;
}

const LOST = Symbol('lost');

/** The account, and the locks of the simulator's default house. */
const DEVICES = 4;

/** Home Assistant takes announcements in order: when it has this one, it has judged all. */
const LAST = {
  device: { identifiers: ['last'], name: 'Last' },
  origin: { name: 'test' },
  components: {
    last: { platform: 'sensor', unique_id: 'last', name: 'Last', state_topic: 'latchkey/last' },
  },
};

function copied(message: unknown): Json {
  return JSON.parse(JSON.stringify(message)) as Json;
}

/** Every object in a message, by its path. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return [path, ...Object.entries(value).flatMap(([name, part]) => placesIn(part, [...path, name]))];
}

function at(message: Json, path: readonly string[]): Json {
  return path.reduce((part, name) => part[name] as Json, message);
}

/** The message with one thing in it lost, wrong, empty or unheard of. */
function planted(message: Json): readonly { readonly what: string; readonly bad: Json }[] {
  return placesIn(message).flatMap((path) =>
    [...Object.keys(at(message, path)), 'colour'].flatMap((name) =>
      [LOST, 7, '', 'a/+/#'].map((value) => {
        const bad = copied(message);
        // JSON leaves out what is undefined.
        at(bad, path)[name] = value === LOST ? undefined : value;
        return { what: `${[...path, name].join('.')}: ${String(value)}`, bad: copied(bad) };
      }),
    ),
  );
}

function entitiesOf(text: string): readonly Announcement[] {
  const { components, ...whole } = JSON.parse(text) as Json & { readonly components: Json };
  return Object.entries(components).flatMap(([key, component]) => {
    const { unique_id: uniqueId } = component as Json;
    return typeof uniqueId === 'string'
      ? [{ key, uniqueId, message: { ...whole, components: { [key]: component } } }]
      : [];
  });
}

describe('announcements with a fault in them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-homes-'));
  let broker: Mosquitto;
  let stage: HomeStage;
  let home: HomeAssistant;
  let client: BrokerClient;
  let whole: readonly Announcement[];

  beforeAll(async () => {
    broker = await startMosquitto({ folder: join(folder, 'broker') });
    stage = await openHomeStage({
      pluginsFolder: inject('packed').pluginsFolder,
      options: {
        remotePin: '2468',
        mqtt: { url: broker.url.href, homeAssistant: true, accessCodes: true },
      },
    });
    home = await HomeAssistant.start(join(folder, 'home-assistant'));
    await home.addMqtt(broker.port);
    await home.shows('lock.front_door', 'locked');
    client = await BrokerClient.connect(broker.url, 'homeassistant/#');
    const announced = () => client.seen.filter(({ topic }) => DISCOVERY_TOPIC.test(topic));
    await vi.waitUntil(() => announced().length >= DEVICES, 20_000);
    whole = announced().flatMap(({ text }) => entitiesOf(text));
  });

  afterAll(async () => {
    client.close();
    await home.close();
    await stage.leave();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Each kind of entity as it is, and with each fault, under a unique id of its own. */
  function tried() {
    const kinds = new Map(whole.map((one) => [one.key, one]));
    return [...kinds.values()].flatMap(({ key, uniqueId, message }) =>
      [{ what: 'nothing', bad: message }, ...planted(message)].map(({ what, bad }, index) => {
        const own = `${key}_${String(index)}`;
        const text = JSON.stringify(bad).replaceAll(uniqueId, own);
        const isTaken = deviceDiscovery.safeParse(JSON.parse(text)).success;
        return { own, text, what: `${key}, ${what}`, isTaken };
      }),
    );
  }

  it('are taken where our rules take them, and each fault that it refuses is one to them, too', async () => {
    const all = tried();
    for (const { own, text } of all) {
      await client.publish(`homeassistant/device/${own}/config`, text);
    }
    await client.publish('homeassistant/device/last/config', JSON.stringify(LAST));
    const known = async () =>
      new Set((await home.entities('mqtt')).map(({ unique_id: uniqueId }) => uniqueId));
    await vi.waitFor(async () => expect(await known()).toContain('last'), {
      timeout: 180_000,
      interval: 500,
    });
    const real = await known();
    // An entity that is left out, or has another id, is not looked for.
    const judged = all.filter(({ own, text }) => text.includes(`"unique_id":"${own}"`));
    expect(judged.filter(({ own, isTaken }) => isTaken && !real.has(own)).map(({ what }) => what)).toEqual(
      [],
    );
    expect(judged.filter(({ isTaken }) => isTaken).length).toBeGreaterThan(200);
    expect(judged.filter(({ own }) => !real.has(own)).length).toBeGreaterThan(100);
  });
});
