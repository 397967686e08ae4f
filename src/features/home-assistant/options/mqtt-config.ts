// The broker of an account, from checked options, and the checks that options of MQTT need together.

import type { OptionsOfFeature } from '../../../config/options/feature-config.ts';
import { faultOfHalf, problem } from '../../../config/options/problem-line.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { isLoopbackHost } from '../../../support/server/loopback.ts';
import { type MqttOptions, mqttOptionNames } from './mqtt-options.ts';

export interface MqttConfig {
  /** Scheme, host, port and, over WebSockets, a path. */
  readonly url: string;
  /** Null where the vault may hold one. */
  readonly login: { readonly username: string; readonly password: string | null } | null;
  readonly caFile: string | null;
  readonly clientCertificate: { readonly certFile: string; readonly keyFile: string } | null;
  readonly homeAssistant: boolean;
  readonly commands: MqttOptions['commands'];
  /** Whether access codes and guests are shown and changed over MQTT. */
  readonly accessCodes: boolean;
  /** Null takes the usual one. */
  readonly topics: {
    readonly base: string | null;
    readonly discoveryPrefix: string | null;
    readonly clientId: string | null;
  };
}

declare module '../../../config/options/feature-config.ts' {
  interface FeatureConfig {
    /** Null: off. */
    readonly mqtt: MqttConfig | null;
  }
}

export const OF_MQTT: OptionsOfFeature = {
  forbids: {
    block: 'mqtt',
    names: mqttOptionNames,
    option: 'commands',
    meanwhile: 'lockOnly',
    fault: message(
      'is not an option, and may be meant to forbid: nothing is unlocked over MQTT until then; correct or remove it',
    ),
  },
  problems: ({ mqtt }) => mqttProblems(mqtt),
  warnings: ({ mqtt }) => mqttWarnings(mqtt),
  config: ({ mqtt }, { remotePinIsFaulty }) => ({
    mqtt: toMqtt(remotePinIsFaulty ? withoutUnlocking(mqtt) : mqtt),
  }),
};

const SCHEMES: ReadonlySet<string> = new Set(['mqtt:', 'mqtts:', 'ws:', 'wss:']);
const ENCRYPTED: ReadonlySet<string> = new Set(['mqtts:', 'wss:']);

/** No lock is unlocked and no code changed over MQTT; locking and reading go on. */
function withoutUnlocking(options: MqttOptions): MqttOptions {
  const commands = options.commands === 'both' ? 'lockOnly' : options.commands;
  return { ...options, commands, accessCodes: false };
}

/** Null: off. */
function toMqtt({ url, username, password, ca, certFile, keyFile, ...rest }: MqttOptions): MqttConfig | null {
  return url === undefined
    ? null
    : {
        url,
        login: username === undefined ? null : { username, password: password ?? null },
        caFile: ca ?? null,
        clientCertificate: certFile === undefined || keyFile === undefined ? null : { certFile, keyFile },
        homeAssistant: rest.homeAssistant,
        commands: rest.commands,
        accessCodes: rest.accessCodes,
        topics: {
          base: rest.baseTopic ?? null,
          discoveryPrefix: rest.discoveryPrefix ?? null,
          clientId: rest.clientId ?? null,
        },
      };
}

/** Whether the broker is reached over TLS. False for a malformed address. */
export function isEncryptedBroker(url: string): boolean {
  return ENCRYPTED.has(URL.parse(url)?.protocol ?? '');
}

function mqttProblems({ url, username, password, certFile, keyFile, ca }: MqttOptions): readonly Message[] {
  if (url === undefined) {
    return [];
  }
  const addressFault = faultOfBroker(url);
  const hasTlsFile = [certFile, keyFile, ca].some((file) => file !== undefined);
  return [
    ...problem('mqtt.url', addressFault),
    ...problem(
      'mqtt.username',
      password !== undefined && username === undefined
        ? message('is missing; a password needs a user name')
        : null,
    ),
    ...problem('mqtt', faultOfHalf(certFile, keyFile)),
    ...problem(
      'mqtt.url',
      addressFault === null && hasTlsFile && !isEncryptedBroker(url)
        ? message('is not encrypted, so its certificate files are not used; use {first} or {second}', {
            first: 'mqtts:',
            second: 'wss:',
          })
        : null,
    ),
  ];
}

function mqttWarnings({ url, username, commands, homeAssistant }: MqttOptions): readonly Message[] {
  if (url === undefined) {
    return problem(
      'mqtt.homeAssistant',
      homeAssistant
        ? message('has no effect without {option}; enter the address of the broker', { option: 'mqtt.url' })
        : null,
    );
  }
  const isFar = !isLoopbackHost(URL.parse(url)?.hostname ?? '');
  return [
    ...problem(
      'mqtt.url',
      isFar && !isEncryptedBroker(url)
        ? message(
            'is not encrypted: others in the network can read the password and send commands; use {scheme}',
            { scheme: 'mqtts:' },
          )
        : null,
    ),
    ...problem(
      'mqtt.username',
      username === undefined && isFar && commands === 'both'
        ? message(
            'is not set: unless the broker asks for a login, anyone who reaches it can unlock; set {option} to "{value}", or add a login',
            { option: 'mqtt.commands', value: 'lockOnly' },
          )
        : null,
    ),
  ];
}

function faultOfBroker(address: string): Message | null {
  const url = URL.parse(address);
  if (url === null || !SCHEMES.has(url.protocol) || url.hostname === '') {
    return message('is not the address of a broker; enter one such as {first} or {second}', {
      first: 'mqtt://192.168.1.20',
      second: 'mqtts://broker.example:8883',
    });
  }
  if (url.username !== '' || url.password !== '') {
    return message('holds credentials; enter them as {first} and {second}', {
      first: 'mqtt.username',
      second: 'mqtt.password',
    });
  }
  return null;
}
