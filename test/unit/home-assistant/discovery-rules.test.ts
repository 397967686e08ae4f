// The rules of Home Assistant by which all tests read announcements: a device that breaks one of them is not taken.
import { expect, it } from 'vitest';
import { deviceDiscovery } from '../../support/home-assistant-rules.ts';

const LOCK = { platform: 'lock', unique_id: 'a_lock', name: null, command_topic: 'a/set', state_topic: 'a' };
const ANNOUNCED = { origin: { name: 'test' }, device: { identifiers: ['a'], name: 'Front door' } };
const BATTERY = { platform: 'sensor', unique_id: 'b', name: 'B', state_topic: 'b', device_class: 'battery' };
const EVENT = { platform: 'event', unique_id: 'e', name: 'E', state_topic: 'e' };
const NAMED = { ...EVENT, event_types: ['moved'] };

it.each([
  ['of a lock', true, { components: { lock: LOCK } }],
  ['of a percentage', true, { components: { b: { ...BATTERY, unit_of_measurement: '%' } } }],
  ['of named events', true, { components: { e: NAMED } }],
  ['that takes a part away', true, { components: { lock: { platform: 'lock' } } }],
  ['for a device that nothing identifies', false, { device: { name: 'a' }, components: { lock: LOCK } }],
  ['of nobody', false, { origin: undefined, components: { lock: LOCK } }],
  ['with a member that nobody knows', false, { colour: 'red', components: { lock: LOCK } }],
  ['with an entity whose member nobody knows', false, { components: { lock: { ...LOCK, colour: 'red' } } }],
  ['with an entity without a name', false, { components: { lock: { ...LOCK, name: undefined } } }],
  ['of a lock that takes no command', false, { components: { lock: { ...LOCK, command_topic: undefined } } }],
  ['of a lock at a wildcard', false, { components: { lock: { ...LOCK, command_topic: 'a/#' } } }],
  ['without a state', false, { components: { lock: { ...LOCK, state_topic: undefined } } }],
  ['with one unique id twice', false, { components: { lock: LOCK, other: LOCK } }],
  ['with a wrong unit', false, { components: { b: { ...BATTERY, unit_of_measurement: 'V' } } }],
  ['of events that are not named', false, { components: { e: { ...EVENT, event_types: [] } } }],
  ['with a template that renders nothing', false, { components: { e: { ...NAMED, value_template: 'x' } } }],
  [
    'with two availabilities that hide each other',
    false,
    { availability: [{ topic: 'x' }], components: { lock: { ...LOCK, availability: [{ topic: 'y' }] } } },
  ],
])('an announcement %s is taken: %s', (_, isTaken, announcement) => {
  const message: unknown = JSON.parse(JSON.stringify({ ...ANNOUNCED, ...announcement }));
  expect(deviceDiscovery.safeParse(message).success).toBe(isTaken);
});
