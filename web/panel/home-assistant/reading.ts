// What the pages of MQTT read of an account.
import type { MQTT_OPERATIONS } from '../../../src/features/home-assistant/panel/operations.ts';
import type { FeatureReading } from '../state/views.ts';

type Operations = typeof MQTT_OPERATIONS;

declare module '../state/views.ts' {
  interface FeatureReadings extends Pick<Operations, 'mqtt.status'> {}
}

export const MQTT_READING: FeatureReading = { reading: 'mqtt.status', after: 'mqtt' };
