// Our messages and options in the form of the `mqtt` package, and back.
import type { IClientOptions, IClientPublishOptions, IPublishPacket } from 'mqtt';
import type { IncomingMessage, OutgoingMessage } from '../carrier/carrier.ts';
import { BROKER_PORTS, type BrokerOptions, isBrokerScheme } from './broker-options.ts';

/** A silent connection is noticed after one and a half times this, in seconds (our choice). */
const KEEP_ALIVE_SECONDS = 30;

/** Larger messages end the connection, in bytes (our choice): nothing that is sent to us is near it. */
const LARGEST_INCOMING = 256 * 1_024;

export function bytesOf({ payload }: OutgoingMessage): Buffer {
  return Buffer.from(payload);
}

export function publishOptions({
  retain,
  expirySeconds,
  properties,
  mark,
}: OutgoingMessage): IClientPublishOptions {
  return {
    qos: 1,
    retain: retain ?? false,
    properties: {
      ...(expirySeconds === undefined ? {} : { messageExpiryInterval: expirySeconds }),
      ...(properties === undefined ? {} : { userProperties: { ...properties } }),
      ...(mark === undefined ? {} : { correlationData: Buffer.from(mark) }),
    },
  };
}

export function incomingMessage({ topic, payload, retain, properties }: IPublishPacket): IncomingMessage {
  const mark = properties?.correlationData;
  const texts = Object.entries(properties?.userProperties ?? {}).map(
    // A name may come several times.
    ([name, value]) => [name, Array.isArray(value) ? (value[0] ?? '') : value] as const,
  );
  return {
    topic,
    payload: Buffer.from(payload),
    retained: retain,
    properties: Object.fromEntries(texts),
    ...(mark === undefined ? {} : { mark: mark.toString('utf8') }),
  };
}

export function clientOptions(options: BrokerOptions, connectWithinMs: number): IClientOptions {
  const { session, will } = options;
  return {
    ...addressOf(options.url),
    ...tlsOf(options),
    ...loginOf(options),
    protocolVersion: 5,
    clientId: session.clientId,
    clean: session.expirySeconds === 0,
    properties: {
      sessionExpiryInterval: session.expirySeconds,
      receiveMaximum: session.receiveAtMost,
      maximumPacketSize: LARGEST_INCOMING,
    },
    ...(will === null
      ? {}
      : { will: { topic: will.topic, payload: bytesOf(will), qos: 1, retain: will.retain ?? false } }),
    keepalive: KEEP_ALIVE_SECONDS,
    connectTimeout: connectWithinMs,
    // The carrier reconnects, each time with an empty store: a message that waited would be outdated.
    reconnectPeriod: 0,
    resubscribe: false,
    // By default the package writes packets, passwords included, when DEBUG asks for it.
    log() {},
  };
}

function addressOf({ protocol, hostname, port, pathname, search }: URL): IClientOptions {
  // Node takes an IPv6 address without its brackets.
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!isBrokerScheme(protocol)) {
    throw new Error('The scheme of the broker was not checked');
  }
  const isOverWeb = protocol === 'ws:' || protocol === 'wss:';
  return {
    protocol: SCHEMES[protocol],
    host,
    hostname: host,
    port: port === '' ? BROKER_PORTS[protocol] : Number(port),
    ...(isOverWeb ? { path: `${pathname}${search}` } : {}),
  };
}

const SCHEMES = { 'mqtt:': 'mqtt', 'mqtts:': 'mqtts', 'ws:': 'ws', 'wss:': 'wss' } as const;

function tlsOf({ tls: { ca, client } }: BrokerOptions): IClientOptions {
  return {
    rejectUnauthorized: true,
    ...(ca === null ? {} : { ca }),
    ...(client === null ? {} : { cert: client.certificate, key: client.key }),
  };
}

function loginOf({ login }: BrokerOptions): IClientOptions {
  if (login === null) {
    return {};
  }
  const { username, password } = login;
  return password === null ? { username } : { username, password };
}
