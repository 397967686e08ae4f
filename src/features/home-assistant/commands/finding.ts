// Checks MQTT: whether its files are there, whether the plugin is connected to the broker, and whether commands arrive.

import { type Finding, fault, fine, note, warning } from '../../../cli/doctor/finding.ts';
import type { Config } from '../../../config/config.ts';
import { message } from '../../../domain/language/message.ts';
import { t } from '../../../words/translate.ts';
import { mqttObstacle } from '../account/service.ts';
import type { MqttView } from '../panel/views.ts';

const CHECK = 'MQTT';

const NOT_YET = message('Not connected to the broker yet.');

/** Null without MQTT. `status`: as the running plugin says; null when none runs. */
export function mqttFinding(config: Config, status: MqttView | null): Finding | null {
  if (config.mqtt === null) {
    return null;
  }
  const obstacle = mqttObstacle(config.mqtt);
  if (obstacle !== null) {
    return fault(CHECK, obstacle, t('Until then the locks are not shown over MQTT.'));
  }
  if (status === null) {
    return note(
      CHECK,
      t('The plugin is not running, so the broker was not asked.'),
      t('Start it and ask again.'),
    );
  }
  return status.state === 'connected' && status.trouble === null
    ? fine(
        CHECK,
        status.broker === null
          ? t('Connected to the broker.')
          : t('Connected to {broker}.', { broker: status.broker }),
      )
    : warning(CHECK, t(status.trouble ?? NOT_YET), t('It is tried again by itself.'));
}
