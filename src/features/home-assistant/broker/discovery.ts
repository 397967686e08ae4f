// The message that announces a lock to Home Assistant: one device with its entities (MQTT device discovery).
import type { LockDescription } from '../../../domain/locks/lock.ts';
import { ACCESS_EVENT_TYPES } from './access-over-mqtt.ts';
import { EVENT_TYPES } from './lock-events.ts';
import type { LockTopics } from './topics.ts';

const ORIGIN_URL = 'https://github.com/homebridge-latchkey/homebridge-latchkey';
export const ORIGIN = 'Latchkey';

export interface DiscoveryFacts {
  readonly topics: LockTopics;
  /** The account's topic of availability. */
  readonly status: string;
  readonly name: string;
  readonly description: LockDescription;
  /** False: the lock is shown, and cannot be moved. */
  readonly isCommanded: boolean;
  /** Home Assistant prompts for a PIN, and sends it along. */
  readonly asksForPin: boolean;
  /** Access codes are shown at the broker, too. */
  readonly hasCodes: boolean;
  /** The version of the plugin. */
  readonly version: string;
  /** Id of the account's device. */
  readonly via: string;
}

type Component = Readonly<Record<string, unknown>> & { readonly platform: string };

export interface Discovery {
  readonly device: Readonly<Record<string, unknown>>;
  readonly origin: Readonly<Record<string, string>>;
  readonly components: Readonly<Record<string, Component>>;
  readonly state_topic: string;
  readonly qos: 1;
}

/** Jinja for the attributes of the lock, with the topic for its codes, so that nobody has to know one. `changed_by` is Home Assistant's own and refused from outside. */
function attributesOf({ codes }: LockTopics, hasCodes: boolean): string {
  const facts = ['moved_by', 'moved_how', 'moved_at', 'confirmed_at'].map(
    (member) => `'${member}': value_json.${member}`,
  );
  const topic = hasCodes ? [`'codes_topic': ${JSON.stringify(codes.set)}`] : [];
  return `{{ {${[...facts, ...topic].join(', ')}} | tojson }}`;
}

/** The time is what keeps a broker from opening a lock with a command of yesterday. */
const COMMAND = '"action": "{{ value }}", "at": {{ (as_timestamp(now()) * 1000) | int }}';
/** Home Assistant applies one format to locking and unlocking. An empty code locks; an unlock without one is refused here (faults#169). */
const CODE = '"code": "{{ code or \'\' }}"';
const CODE_FORMAT = '^(\\d{4,8})?$';

/** Home Assistant renders a boolean of JSON as Python does. */
export const TRUE_OR_FALSE = { payload_on: 'True', payload_off: 'False' };

export function discoveryOf(facts: DiscoveryFacts): Discovery {
  const { topics, name, description, version } = facts;
  return {
    device: {
      identifiers: [topics.uniqueId],
      name,
      manufacturer: ORIGIN,
      via_device: facts.via,
      ...(description.model === '' ? {} : { model: description.model }),
      ...(description.firmware === '' ? {} : { sw_version: description.firmware }),
      ...(description.serial === '' ? {} : { serial_number: description.serial }),
    },
    origin: originOf(version),
    components: componentsOf(facts),
    state_topic: topics.state,
    qos: 1,
  };
}

export function originOf(version: string): Discovery['origin'] {
  return { name: 'homebridge-latchkey', sw_version: version, support_url: ORIGIN_URL };
}

function componentsOf(facts: DiscoveryFacts): Discovery['components'] {
  const { topics, status, isCommanded, hasCodes } = facts;
  const account = availability(status);
  const lock = availability(status, topics.available);
  const one = (id: string, component: Component): Component => ({
    unique_id: `${topics.uniqueId}_${id}`,
    ...component,
  });
  const flag = (id: string, name: string, more: Readonly<Record<string, string>>): Component =>
    one(id, {
      ...account,
      ...TRUE_OR_FALSE,
      platform: 'binary_sensor',
      name,
      value_template: `{{ value_json.${id} }}`,
      ...more,
    });
  return {
    // A component of which only the platform is named is removed.
    lock: isCommanded ? one('lock', { ...lock, ...lockComponent(facts) }) : { platform: 'lock' },
    position: isCommanded ? { platform: 'binary_sensor' } : one('position', { ...lock, ...POSITION }),
    online: flag('online', 'Connection', { device_class: 'connectivity', entity_category: 'diagnostic' }),
    jammed: flag('jammed', 'Jammed', { device_class: 'problem' }),
    // Not of class "battery": Home Assistant counts the entities of that class as batteries, and there is one (faults#173).
    battery_low: flag('battery_low', 'Low battery', {
      device_class: 'problem',
      entity_category: 'diagnostic',
    }),
    battery: one('battery', { ...account, ...BATTERY }),
    wifi: one('wifi', { ...lock, ...WIFI }),
    last_moved_by: one('last_moved_by', { ...account, ...LAST_MOVED_BY }),
    activity: one('activity', {
      ...account,
      platform: 'event',
      name: 'Activity',
      event_types: EVENT_TYPES,
      state_topic: topics.event,
    }),
    codes: hasCodes ? one('codes', { ...account, ...codesComponent(topics) }) : { platform: 'event' },
  };
}

/** All of them must be online. Given for each entity, because a list of the device's own hides that of an entity. */
export function availability(...topics: readonly string[]): Readonly<Record<string, unknown>> {
  return { availability: topics.map((topic) => ({ topic })), availability_mode: 'all' };
}

function lockComponent({ topics, asksForPin, hasCodes }: DiscoveryFacts): Component {
  const { state, set } = topics;
  return {
    platform: 'lock',
    // Takes the name of the device.
    name: null,
    command_topic: set,
    command_template: asksForPin ? `{${COMMAND}, ${CODE}}` : `{${COMMAND}}`,
    ...(asksForPin ? { code_format: CODE_FORMAT } : {}),
    payload_lock: 'lock',
    payload_unlock: 'unlock',
    value_template: '{{ value_json.state }}',
    state_locked: 'locked',
    state_unlocked: 'unlocked',
    state_locking: 'locking',
    state_unlocking: 'unlocking',
    state_jammed: 'jammed',
    payload_reset: 'unknown',
    optimistic: false,
    retain: false,
    json_attributes_topic: state,
    json_attributes_template: attributesOf(topics, hasCodes),
  };
}

function codesComponent({ codes }: LockTopics): Component {
  return {
    platform: 'event',
    entity_category: 'diagnostic',
    name: 'Access codes',
    event_types: ACCESS_EVENT_TYPES,
    state_topic: codes.event,
  };
}

/** The sensor of a lock that cannot be moved from here: on means unlocked. */
const POSITION: Component = {
  platform: 'binary_sensor',
  device_class: 'lock',
  name: null,
  value_template: "{{ {'locked': 'OFF', 'unlocked': 'ON'}.get(value_json.state, 'None') }}",
};

const BATTERY: Component = {
  platform: 'sensor',
  device_class: 'battery',
  entity_category: 'diagnostic',
  name: 'Battery',
  state_class: 'measurement',
  unit_of_measurement: '%',
  value_template: '{{ value_json.battery }}',
};

/** `changed_by` of a lock is not open to MQTT. */
const LAST_MOVED_BY: Component = {
  platform: 'sensor',
  name: 'Last moved by',
  value_template: '{{ value_json.last_moved_by }}',
};

const WIFI: Component = {
  platform: 'sensor',
  device_class: 'signal_strength',
  entity_category: 'diagnostic',
  name: 'Wi-Fi signal',
  state_class: 'measurement',
  unit_of_measurement: 'dBm',
  value_template: '{{ value_json.wifi_dbm }}',
};
