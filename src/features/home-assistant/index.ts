// Home Assistant and other programs at an MQTT broker: what the feature brings to each part of the core.
import { features } from '../../app/features.ts';
import type { Config } from '../../config/config.ts';
import { optionsOfFeatures } from '../../config/options/feature-config.ts';
import { featureOptions } from '../../config/options/feature-options.ts';
import { bridgeFeatures } from '../../homekit/bridge-features.ts';
import { featureOperations } from '../../panel/operations/feature-operations.ts';
import { featureEvents } from '../../panel/panel-event.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { AccountMqtt } from './account/api.ts';
import { OF_MQTT } from './options/mqtt-config.ts';
import { mqttRow } from './options/mqtt-options.ts';
import { FEATURE, MQTT_OPERATIONS } from './panel/operations.ts';

export function addHomeAssistant(): void {
  featureOptions.add(FEATURE, { rows: () => ({ mqtt: mqttRow() }) });
  optionsOfFeatures.add(FEATURE, OF_MQTT);
  featureOperations.add(FEATURE, MQTT_OPERATIONS);
  featureEvents.add(FEATURE, ['mqtt']);
  features.add(FEATURE, (account) => new AccountMqtt(account));
  bridgeFeatures.add(FEATURE, ({ config, log }) => ({ start: () => sayTwoTiles(config, log) }));
}

/** Nobody can see from here which hub has this bridge as well. */
function sayTwoTiles({ mqtt }: Config, log: Log): void {
  if (mqtt?.homeAssistant === true) {
    log.info(
      t(
        'Locks go to Home Assistant over MQTT. If it has this bridge as well, each lock has two tiles there: keep one, and remove the other.',
      ),
    );
  }
}
