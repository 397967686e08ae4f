// A second reader of discovery messages, written from Home Assistant's tables of options without home-assistant-rules.ts.

type Judge = (value: unknown) => boolean;
/** An option with its judge; `!` at the end of its name: required. */
type Table = Readonly<Record<string, Judge>>;

const isText: Judge = (value) => typeof value === 'string';
const isFilled: Judge = (value) => typeof value === 'string' && value.length > 0;
const isFlag: Judge = (value) => value === true || value === false;
const isTemplate: Judge = (value) => isText(value) && String(value).split('{{')[1]?.includes('}}') === true;
const isTopic: Judge = (value) => isFilled(value) && String(value).length <= 65_535;
const isPublishTopic: Judge = (value) => isTopic(value) && !/[+#\0]/.test(String(value));
const isSeconds: Judge = (value) => Number.isSafeInteger(value) && Number(value) > 0;
const isAddress: Judge = (value) => isText(value) && URL.canParse(String(value));
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf =
  (...words: readonly unknown[]): Judge =>
  (value) =>
    words.includes(value);
const listOf =
  (judge: Judge, least = 0): Judge =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(judge);

const AVAILABILITY: Table = {
  availability: listOf((entry) => {
    const table = { 'topic!': isTopic, payload_available: isText, payload_not_available: isText };
    return isPlain(entry) && keeps(entry, { ...table, value_template: isTemplate });
  }),
  availability_mode: oneOf('all', 'any', 'latest'),
};

/** Of every entity. Without a name Home Assistant would invent one. */
const ENTITY: Table = {
  ...AVAILABILITY,
  'platform!': isText,
  'unique_id!': isFilled,
  'name!': (value) => value === null || isText(value),
  qos: oneOf(0, 1, 2),
  entity_category: oneOf('config', 'diagnostic'),
  default_entity_id: isText,
  state_topic: isTopic,
  value_template: isTemplate,
  json_attributes_topic: isTopic,
  json_attributes_template: isTemplate,
};

function texts(...names: readonly string[]): Table {
  return Object.fromEntries(names.map((name) => [name, isText]));
}

const PLATFORMS: Readonly<Record<string, Table>> = {
  lock: {
    ...ENTITY,
    'command_topic!': isPublishTopic,
    command_template: isTemplate,
    ...texts('code_format', 'payload_lock', 'payload_unlock', 'payload_open', 'payload_reset'),
    ...texts('state_locked', 'state_unlocked', 'state_locking', 'state_unlocking', 'state_jammed'),
    optimistic: isFlag,
    retain: isFlag,
  },
  binary_sensor: {
    ...ENTITY,
    device_class: oneOf('battery', 'connectivity', 'lock', 'problem'),
    ...texts('payload_on', 'payload_off'),
    off_delay: isSeconds,
    expire_after: isSeconds,
  },
  sensor: {
    ...ENTITY,
    device_class: oneOf('battery', 'signal_strength'),
    state_class: oneOf('measurement', 'total', 'total_increasing'),
    unit_of_measurement: isText,
    expire_after: isSeconds,
  },
  event: {
    ...ENTITY,
    'event_types!': listOf(isText, 1),
    device_class: oneOf('button', 'doorbell', 'motion'),
  },
  update: {
    ...ENTITY,
    device_class: oneOf('firmware'),
    command_topic: isPublishTopic,
    latest_version_topic: isTopic,
    latest_version_template: isTemplate,
    ...texts('payload_install', 'release_summary', 'title'),
    release_url: isAddress,
  },
};

const DEVICE: Table = {
  'identifiers!': listOf(isFilled, 1),
  ...texts('name', 'manufacturer', 'model', 'hw_version', 'sw_version', 'serial_number'),
  ...texts('suggested_area', 'via_device'),
  configuration_url: isAddress,
};

const WHOLE: Table = {
  ...AVAILABILITY,
  'device!': (value) => isPlain(value) && keeps(value, DEVICE),
  'origin!': (value) =>
    isPlain(value) && keeps(value, { 'name!': isText, sw_version: isText, support_url: isAddress }),
  'components!': isPlain,
  state_topic: isTopic,
  command_topic: isPublishTopic,
  qos: oneOf(0, 1, 2),
  encoding: isText,
};

const UNITS: Readonly<Record<string, string>> = { battery: '%', signal_strength: 'dBm' };

/** Whether Home Assistant would take the message as it stands. */
export function isTakenByHomeAssistant(message: unknown): boolean {
  if (!isPlain(message) || !keeps(message, WHOLE) || !isPlain(message['components'])) {
    return false;
  }
  const entities = Object.values(message['components']).filter((part) => !isRemoval(part));
  const ids = entities.map((part) => (isPlain(part) ? part['unique_id'] : null));
  return ids.length === new Set(ids).size && entities.every((part) => isEntity(part, message));
}

/** A component with its platform alone is taken away. */
function isRemoval(part: unknown): boolean {
  return isPlain(part) && Object.keys(part).join() === 'platform' && isText(part['platform']);
}

function isEntity(part: unknown, whole: Readonly<Record<string, unknown>>): boolean {
  const table = isPlain(part) ? PLATFORMS[String(part['platform'])] : undefined;
  if (!isPlain(part) || table === undefined || !keeps(part, table)) {
    return false;
  }
  const { device_class: kind, unit_of_measurement: unit } = part;
  const unitFits =
    part['platform'] !== 'sensor' || kind === undefined || (typeof kind === 'string' && UNITS[kind] === unit);
  const isHidden = 'availability' in whole && 'availability' in part;
  return unitFits && !isHidden && ('state_topic' in part || 'state_topic' in whole);
}

function keeps(value: Readonly<Record<string, unknown>>, table: Table): boolean {
  const required = Object.keys(table).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  return (
    required.every((name) => name in value) &&
    Object.entries(value).every(([name, given]) => (table[name] ?? table[`${name}!`])?.(given) === true)
  );
}
