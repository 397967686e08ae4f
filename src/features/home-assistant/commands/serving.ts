// What `latchkey serve` is told of a broker: for an account by the Supervisor, for the demo by a flag.
import { Option } from 'commander';
import type { Block, ServeStart } from '../../../cli/serve/feature-serving.ts';
import { message } from '../../../domain/language/message.ts';
import { FinalError } from '../../../support/errors.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import { t } from '../../../words/translate.ts';
import { withSupervisorBroker } from './supervisor-broker.ts';

export function mqttAddress(): Option {
  return new Option(
    '--mqtt <address>',
    t('show the demo to Home Assistant at a broker, such as {example}', { example: 'mqtt://127.0.0.1' }),
  );
}

export function assertNotForDemo({ mqtt }: ServeStart['flags']): void {
  if (mqtt !== undefined) {
    throw new FinalError(
      'bad-configuration',
      message('{option} is for the demo. Set {url} in the configuration file instead.', {
        option: '--mqtt',
        url: 'mqtt.url',
      }),
    );
  }
}

export async function withBroker(block: Block, start: ServeStart): Promise<Block> {
  const { flags, isDemo, environment, log } = start;
  return isDemo ? forDemo(block, flags['mqtt'], log) : withSupervisorBroker(block, environment, log);
}

function forDemo(block: Block, url: unknown, log: ServeStart['log']): Block {
  const written = isObject(block['mqtt']) ? block['mqtt'] : {};
  if (url !== undefined) {
    return { ...block, mqtt: { ...written, url, homeAssistant: true } };
  }
  if (written['url'] === undefined) {
    log.info(
      t('MQTT is off. To see the demo in Home Assistant, add {option} with the address of a broker.', {
        option: '--mqtt',
      }),
    );
  }
  return block;
}
