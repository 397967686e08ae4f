// Home Assistant and other programs at an MQTT broker: what the feature brings to each part of the core.
import { optionsOfFeatures } from '../../config/options/feature-config.ts';
import { featureOptions } from '../../config/options/feature-options.ts';
import { OF_MQTT } from './options/mqtt-config.ts';
import { mqttRow } from './options/mqtt-options.ts';

/** The name of the feature. */
export const FEATURE = 'home-assistant';

export function addHomeAssistant(): void {
  featureOptions.add(FEATURE, { rows: () => ({ mqtt: mqttRow() }) });
  optionsOfFeatures.add(FEATURE, OF_MQTT);
}
