// What Home Assistant accepts over MQTT, restated rule by rule from its published documents and source (read in November 2026).
import { z } from 'zod';

/*
 * Each rule names its source:
 *   discovery  https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery
 *   device     https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
 *   lock       https://www.home-assistant.io/integrations/lock.mqtt/#configuration-variables
 *   sensor     https://www.home-assistant.io/integrations/sensor.mqtt/#configuration-variables
 *   binary     https://www.home-assistant.io/integrations/binary_sensor.mqtt/#configuration-variables
 *   event      https://www.home-assistant.io/integrations/event.mqtt/#configuration-variables
 *   schemas    homeassistant/components/mqtt/schemas.py, and *.py: the file of that name beside it
 */

/** discovery: `<prefix>/device/<object id>/config`, ids of letters, digits, `_` and `-`. */
export const DISCOVERY_TOPIC = /^homeassistant\/device\/[a-zA-Z0-9_-]+\/config$/;

/** schemas (`valid_publish_topic`): no wildcard, no NUL, at most 65,535 bytes. */
const publishTopic = z
  .string()
  .min(1)
  .max(65_535)
  .regex(/^[^+#\0]+$/, 'a topic to publish to holds no wildcard');
const subscribeTopic = z.string().min(1).max(65_535);
const template = z.string().regex(/\{\{.*\}\}/s, 'a template renders something');

/** schemas (`MQTT_AVAILABILITY_LIST_SCHEMA`): a list of topics and a mode, not beside `availability_topic`. */
const availability = {
  availability: z
    .array(
      z.strictObject({
        topic: subscribeTopic,
        payload_available: z.string().optional(),
        payload_not_available: z.string().optional(),
        value_template: template.optional(),
      }),
    )
    .optional(),
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
};

/** device: every component needs `platform` and `unique_id`; a name of null takes that of the device. */
const entity = {
  ...availability,
  unique_id: z.string().min(1),
  name: z.string().nullable(),
  qos: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
  entity_category: z.enum(['config', 'diagnostic']).optional(),
  json_attributes_topic: subscribeTopic.optional(),
  json_attributes_template: template.optional(),
  value_template: template.optional(),
  state_topic: subscribeTopic.optional(),
  default_entity_id: z.string().optional(),
};

/** lock: `command_topic` is required; an optimistic lock claims what it does not know. */
const lock = z.strictObject({
  ...entity,
  platform: z.literal('lock'),
  command_topic: publishTopic,
  command_template: template.optional(),
  code_format: z.string().optional(),
  payload_lock: z.string().optional(),
  payload_unlock: z.string().optional(),
  payload_open: z.string().optional(),
  payload_reset: z.string().optional(),
  state_locked: z.string().optional(),
  state_unlocked: z.string().optional(),
  state_locking: z.string().optional(),
  state_unlocking: z.string().optional(),
  state_jammed: z.string().optional(),
  optimistic: z.boolean().optional(),
  retain: z.boolean().optional(),
});

/** binary: device classes of the binary sensor that are used here. */
const binarySensor = z.strictObject({
  ...entity,
  platform: z.literal('binary_sensor'),
  device_class: z.enum(['battery', 'connectivity', 'lock', 'problem']).optional(),
  payload_on: z.string().optional(),
  payload_off: z.string().optional(),
  off_delay: z.int().positive().optional(),
  expire_after: z.int().positive().optional(),
});

/** sensor: a unit that belongs to the device class. */
const sensor = z
  .strictObject({
    ...entity,
    platform: z.literal('sensor'),
    device_class: z.enum(['battery', 'signal_strength']).optional(),
    state_class: z.enum(['measurement', 'total', 'total_increasing']).optional(),
    unit_of_measurement: z.string().optional(),
    expire_after: z.int().positive().optional(),
  })
  .refine(
    ({ device_class: of, unit_of_measurement: unit }) =>
      of === undefined || unit === { battery: '%', signal_strength: 'dBm' }[of],
    'the unit belongs to another device class',
  );

/** event (event.py): `event_types` and a topic; a message that is retained is ignored. */
const event = z.strictObject({
  ...entity,
  platform: z.literal('event'),
  event_types: z.array(z.string()).min(1),
  device_class: z.enum(['button', 'doorbell', 'motion']).optional(),
});

/** update: https://www.home-assistant.io/integrations/update.mqtt/#configuration-variables */
const update = z.strictObject({
  ...entity,
  platform: z.literal('update'),
  device_class: z.literal('firmware').optional(),
  command_topic: publishTopic.optional(),
  payload_install: z.string().optional(),
  latest_version_topic: subscribeTopic.optional(),
  latest_version_template: template.optional(),
  release_summary: z.string().optional(),
  release_url: z.url().optional(),
  title: z.string().optional(),
});

/** update.py (`MQTT_JSON_UPDATE_SCHEMA`): texts, never null. */
export const updateMessage = z.strictObject({
  installed_version: z.string().optional(),
  latest_version: z.string().optional(),
  title: z.string().optional(),
  release_summary: z.string().optional(),
  release_url: z.url().optional(),
});

/** device: a component with its platform alone is removed. */
const removed = z.strictObject({ platform: z.string() });

/** schemas (`validate_device_has_at_least_one_identifier`, `MQTT_ORIGIN_INFO_SCHEMA`). */
const device = z.strictObject({
  identifiers: z.array(z.string().min(1)).min(1),
  name: z.string().optional(),
  manufacturer: z.string().optional(),
  model: z.string().optional(),
  hw_version: z.string().optional(),
  sw_version: z.string().optional(),
  serial_number: z.string().optional(),
  suggested_area: z.string().optional(),
  via_device: z.string().optional(),
  configuration_url: z.url().optional(),
});
const origin = z.strictObject({
  name: z.string(),
  sw_version: z.string().optional(),
  support_url: z.url().optional(),
});

/** schemas (`DEVICE_DISCOVERY_SCHEMA`): device, origin and components are required; some options are shared. */
export const deviceDiscovery = z
  .strictObject({
    ...availability,
    device,
    origin,
    components: z.record(z.string(), z.union([lock, binarySensor, sensor, event, update, removed])),
    state_topic: subscribeTopic.optional(),
    command_topic: publishTopic.optional(),
    qos: entity.qos,
    encoding: z.string().optional(),
  })
  .refine(
    (config) =>
      config.availability === undefined ||
      Object.values(config.components).every((part) => !('availability' in part)),
    'an availability of the device hides that of an entity',
  )
  .refine((config) => {
    const ids = Object.values(config.components).flatMap((part) =>
      'unique_id' in part ? [part.unique_id] : [],
    );
    return new Set(ids).size === ids.length;
  }, 'unique ids are unique')
  .refine(
    (config) =>
      Object.values(config.components).every(
        (part) =>
          !('unique_id' in part) || part.state_topic !== undefined || config.state_topic !== undefined,
      ),
    'every entity has a topic for its state, or claims one',
  );

export type DeviceDiscovery = z.output<typeof deviceDiscovery>;

export type EventMessage = Readonly<Record<string, unknown>> & { readonly event_type: string };

/** event.py: JSON with an announced `event_type`; it is taken out of the attributes. */
export function eventMessage(types: readonly string[]): z.ZodType<EventMessage> {
  return z.looseObject({
    event_type: z.string().refine((type) => types.includes(type), 'was not announced'),
  });
}
