// Two readers of discovery messages, written apart, judge the published messages, and faults that are planted into them.
import { expect, it } from 'vitest';
import { type Discovery, discoveryOf } from '../../../src/home-assistant/discovery.ts';
import { AccountTopics, newIdentity, USUAL_TOPICS } from '../../../src/home-assistant/topics.ts';
import { hasMosquitto } from '../../harness/mosquitto.ts';
import { describedAs } from '../../stand-ins/account/runtime.ts';
import { isTakenByHomeAssistant } from '../../support/discovery-reader.ts';
import { deviceDiscovery } from '../../support/home-assistant-rules.ts';
import { brokerHome } from './fixture.ts';

type Json = Record<string, unknown>;

const topics = new AccountTopics(newIdentity('Latchkey', 'a1b2c3d4'), USUAL_TOPICS);

function lockMessage(isCommanded: boolean, asksForPin: boolean, hasCodes: boolean): Discovery {
  const description = { ...describedAs('Front door'), model: 'M', firmware: '1', serial: 'S' };
  const facts = { topics: topics.of('front-1'), status: topics.status, name: 'Front door', via: 'account' };
  return discoveryOf({ ...facts, description, isCommanded, asksForPin, hasCodes, version: '0.1.0' });
}

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

const LOST = Symbol('lost');

/** The message with one thing in it lost, wrong, empty or unheard of. */
function planted(message: unknown): readonly { readonly what: string; readonly bad: Json }[] {
  return placesIn(message).flatMap((path) =>
    [...Object.keys(at(message as Json, path)), 'colour'].flatMap((name) =>
      [LOST, 7, '', 'a/+/#'].map((value) => {
        const bad = copied(message);
        // JSON leaves out what is undefined.
        at(bad, path)[name] = value === LOST ? undefined : value;
        return { what: `${[...path, name].join('.')}: ${String(value)}`, bad: copied(bad) };
      }),
    ),
  );
}

function verdicts(message: unknown): readonly [boolean, boolean] {
  return [deviceDiscovery.safeParse(message).success, isTakenByHomeAssistant(message)];
}

const LOCKS = [
  ['with a PIN and access codes', lockMessage(true, true, true)],
  ['that is only looked at', lockMessage(false, false, true)],
] as const;

it.each(LOCKS)(
  'both oracles accept the announcement of a lock %s, and judge each fault in it alike',
  (_, message) => {
    expect(verdicts(copied(message))).toEqual([true, true]);
    const all = planted(message).map(({ what, bad }) => ({ what, judged: verdicts(bad) }));
    expect(all.filter(({ judged: [first, second] }) => first !== second)).toEqual([]);
    expect(all.filter(({ judged: [first] }) => !first).length).toBeGreaterThan(200);
  },
);

const LOCK = { platform: 'lock', unique_id: 'a_lock', name: null, command_topic: 'a/set', state_topic: 'a' };
const ANNOUNCED = { origin: { name: 'test' }, device: { identifiers: ['a'], name: 'Front door' } };
const BATTERY = { platform: 'sensor', unique_id: 'b', name: 'B', state_topic: 'b', device_class: 'battery' };
const EVENT = { platform: 'event', unique_id: 'e', name: 'E', state_topic: 'e' };

it.each([
  ['of a lock', true, { components: { lock: LOCK } }],
  [
    'of a percentage and named events',
    true,
    {
      components: { b: { ...BATTERY, unit_of_measurement: '%' }, e: { ...EVENT, event_types: ['moved'] } },
    },
  ],
  ['for a device that nothing identifies', false, { device: { name: 'a' }, components: { lock: LOCK } }],
  ['with one unique id twice', false, { components: { lock: LOCK, other: LOCK } }],
  ['with a wrong unit', false, { components: { b: { ...BATTERY, unit_of_measurement: 'V' } } }],
  ['of events that are not named', false, { components: { e: { ...EVENT, event_types: [] } } }],
  [
    'with two availabilities that hide each other',
    false,
    {
      availability: [{ topic: 'x' }],
      components: { lock: { ...LOCK, availability: [{ topic: 'y' }] } },
    },
  ],
])('an announcement %s is taken by both: %s', (_, isTaken, announcement) => {
  expect(verdicts({ ...ANNOUNCED, ...announcement })).toEqual([isTaken, isTaken]);
});

it.runIf(hasMosquitto)('both take all that an account publishes, and judge each fault alike', async () => {
  const home = await brokerHome();
  home.open({ remotePin: '2468', pagesUrl: 'http://192.168.1.9:18582' });
  await expect.poll(() => home.ha.devices().size).toBe(2);
  const published = home.ha.seen.filter(({ topic }) => /^homeassistant\/device\/.*\/config$/.test(topic));
  for (const { text } of published) {
    const message: unknown = JSON.parse(text);
    expect(verdicts(message)).toEqual([true, true]);
    const apart = planted(message).filter(({ bad }) => new Set(verdicts(bad)).size > 1);
    expect(apart.map(({ what }) => what)).toEqual([]);
  }
});
