// The options of the broker, in a configuration and in the lines that they cause.
import { describe, expect, it } from 'vitest';
import { acceptedFrom, configOf, linesOf, problemsOf } from '../../../support/checked-config.ts';

const TLS = { certFile: '/srv/cert.pem', keyFile: '/srv/key.pem' };
const BROKER = { url: 'mqtts://broker.example' };
const NO_BROKER =
  'is not the address of a broker; enter one such as mqtt://192.168.1.20 or mqtts://broker.example:8883';
const READABLE =
  'is not encrypted: others in the network can read the password and send commands; use mqtts:';
const OPEN =
  'is not set: unless the broker asks for a login, anyone who reaches it can unlock; set mqtt.commands to "lockOnly", or add a login';

describe('an option of the broker', () => {
  it.each([
    [{}, { login: null, caFile: null, clientCertificate: null }],
    [{ username: 'a' }, { login: { username: 'a', password: null } }],
    [{}, { topics: { base: null, discoveryPrefix: null, clientId: null } }],
    [
      { baseTopic: 'home/latchkey', discoveryPrefix: 'ha', clientId: 'latchkey-1' },
      { topics: { base: 'home/latchkey', discoveryPrefix: 'ha', clientId: 'latchkey-1' } },
    ],
    [
      { ca: '/srv/ca.pem', ...TLS },
      { caFile: '/srv/ca.pem', clientCertificate: TLS },
    ],
    ...['mqtt://127.0.0.1', 'mqtts://a.example:8883', 'ws://localhost:9001/mqtt', 'wss://a.example'].map(
      (url): [object, object] => [
        { url, username: 'a', password: 'b' },
        { url, login: { username: 'a', password: 'b' } },
      ],
    ),
  ])('reaches the configuration: %o', (written, mqtt) => {
    expect(configOf({ mqtt: { ...BROKER, ...written } }).mqtt).toMatchObject(mqtt);
  });

  it.each([{ command: 'none' }, { Commands: 'lockOnly' }, { comands: 'none', commands: 'both' }])(
    'forbids unlocking where it may be misspelt: %o',
    (written) => {
      const { config, warnings } = acceptedFrom({ mqtt: { ...BROKER, username: 'a', ...written } });
      const [name = ''] = Object.keys(written);
      expect(config.mqtt?.commands).toBe('lockOnly');
      expect(warnings).toEqual([
        `mqtt.${name}: is not an option, and may be meant to forbid: nothing is unlocked over MQTT until then; correct or remove it`,
      ]);
    },
  );

  it('turns MQTT off without an address, as the form of Homebridge leaves it', () => {
    expect(configOf({ mqtt: { url: '', homeAssistant: true } }).mqtt).toBeNull();
  });

  it.each<[string, object]>([
    ...['http://a.example', 'broker.example', 'mqtt://'].map((url): [string, object] => [
      `mqtt.url: ${NO_BROKER}`,
      { mqtt: { url } },
    ]),
    ...['mqtts://u@a.example', 'mqtt://:hush@a.example'].map((url): [string, object] => [
      'mqtt.url: holds credentials; enter them as mqtt.username and mqtt.password',
      { mqtt: { url } },
    ]),
    [
      'mqtt.username: is missing; a password needs a user name',
      { mqtt: { url: 'mqtts://a.example', password: 'p' } },
    ],
    [`mqtt.url: ${NO_BROKER}`, { mqtt: { url: 'http://127.0.0.1', ca: '/ca.pem' } }],
    [
      'mqtt: needs both certFile and keyFile; set both or neither',
      { mqtt: { url: 'mqtts://a.example', keyFile: '/k' } },
    ],
    [
      'mqtt.url: is not encrypted, so its certificate files are not used; use mqtts: or wss:',
      { mqtt: { url: 'mqtt://127.0.0.1', ca: '/ca.pem' } },
    ],
  ])('is refused: %s', (line, block) => {
    expect(problemsOf(block)).toEqual([line]);
  });

  it.each<[readonly string[], object]>([
    [
      ['mqtt.homeAssistant: has no effect without mqtt.url; enter the address of the broker'],
      { mqtt: { homeAssistant: true } },
    ],
    [
      [`mqtt.url: ${READABLE}`, `mqtt.username: ${OPEN}`],
      { mqtt: { url: 'mqtt://192.168.1.20', commands: 'both' } },
    ],
    [[`mqtt.url: ${READABLE}`], { mqtt: { url: 'mqtt://10.0.0.1', username: 'u' } }],
    [[`mqtt.username: ${OPEN}`], { mqtt: { url: 'mqtts://a.example' } }],
    [[], { mqtt: { url: 'mqtts://192.168.1.20', username: 'a' } }],
    [[], { mqtt: { url: 'mqtt://127.0.0.1', commands: 'both' } }],
    [[], { mqtt: { url: 'mqtts://a.example', commands: 'lockOnly' } }],
    [[], { mqtt: { url: 'wss://a.example', username: 'u', ca: '/ca.pem' } }],
  ])('has the warnings %j (%#)', (warnings, block) => {
    expect(problemsOf(block)).toEqual([]);
    expect(linesOf(block)).toEqual(warnings);
  });
});

it.each(['246', '246813579', 24_681_357])(
  'a PIN such as %j, which is refused, costs unlocking over MQTT and the digits there (faults#135)',
  (remotePin) => {
    const { mqtt } = configOf({ remotePin, mqtt: { url: 'mqtt://127.0.0.1', accessCodes: true } });
    expect(mqtt).toMatchObject({ commands: 'lockOnly', accessCodes: false });
  },
);
