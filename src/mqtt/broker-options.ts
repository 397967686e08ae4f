// The options of a connection to an MQTT broker: address, credentials, session, will and subscriptions.
import type { OutgoingMessage, Subscription } from '../carrier/carrier.ts';

/** Schemes and their usual ports. */
export const BROKER_PORTS = { 'mqtt:': 1_883, 'mqtts:': 8_883, 'ws:': 80, 'wss:': 443 } as const;

export type BrokerScheme = keyof typeof BROKER_PORTS;

export function isBrokerScheme(scheme: string): scheme is BrokerScheme {
  return Object.hasOwn(BROKER_PORTS, scheme);
}

/** Certificates and keys as PEM text. A certificate that cannot be verified always ends the connection. */
export interface BrokerTls {
  /** Authorities that replace the public ones; null for those. */
  readonly ca: string | null;
  /** Proves this client to the broker; null when the broker asks for none. */
  readonly client: { readonly certificate: string; readonly key: string } | null;
}

export interface BrokerLogin {
  readonly username: string;
  readonly password: string | null;
}

/** The broker's memory of this client between connections. */
export interface BrokerSession {
  /** Fixed for a session that persists; the broker ends an older connection of the same id. */
  readonly clientId: string;
  /** How long the broker keeps subscriptions and undelivered messages; 0 starts anew at every connection. */
  readonly expirySeconds: number;
  /** Messages that the broker may deliver before the first of them is acknowledged. */
  readonly receiveAtMost: number;
}

export interface BrokerOptions {
  /** `mqtt:`, `mqtts:`, `ws:` or `wss:`, without credentials. */
  readonly url: URL;
  readonly tls: BrokerTls;
  readonly login: BrokerLogin | null;
  readonly session: BrokerSession;
  /** Published by the broker when the connection is lost without a proper end. */
  readonly will: OutgoingMessage | null;
  readonly subscriptions: readonly Subscription[];
}
