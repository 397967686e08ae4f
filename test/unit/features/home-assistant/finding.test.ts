// The doctor's findings on MQTT.
import { describe, expect, it } from 'vitest';
import type { Config } from '../../../../src/config/config.ts';
import { verbatim } from '../../../../src/domain/language/message.ts';
import { mqttFinding } from '../../../../src/features/home-assistant/commands/finding.ts';
import type { MqttView } from '../../../../src/features/home-assistant/panel/views.ts';
import { configOf } from '../../../support/checked-config.ts';

const configWith = (mqtt: object): Config => configOf({ mqtt });

const BROKER = configWith({ url: 'mqtt://127.0.0.1' });
const CONNECTED: MqttView = {
  broker: 'mqtt://127.0.0.1',
  encrypted: false,
  state: 'connected',
  trouble: null,
  homeAssistant: true,
  loginFrom: null,
  username: null,
  topics: null,
  refused: {},
};

describe('the doctor', () => {
  it('leaves out MQTT where it is off', () => {
    expect(mqttFinding(configWith({}), null)).toBeNull();
  });

  it.each([
    [CONNECTED, 'ok', 'Connected to mqtt://127.0.0.1.'],
    [
      { ...CONNECTED, state: 'waiting', trouble: verbatim('The broker is busy.') },
      'warning',
      'The broker is busy.',
    ],
    [{ ...CONNECTED, trouble: verbatim('No commands arrive.') }, 'warning', 'No commands arrive.'],
    [{ ...CONNECTED, state: 'starting' }, 'warning', 'Not connected to the broker yet.'],
    [null, 'note', 'The plugin is not running, so the broker was not asked.'],
  ] as const)('describes the connection: %o', (status, grade, what) => {
    expect(mqttFinding(BROKER, status)).toMatchObject({ grade, what });
  });

  it('names a file that cannot be read', () => {
    const config = configWith({ url: 'mqtts://127.0.0.1', ca: '/no/such/ca.pem' });
    expect(mqttFinding(config, CONNECTED)).toMatchObject({
      grade: 'fault',
      what: 'mqtt.ca names a file that cannot be read: /no/such/ca.pem.',
    });
  });
});
