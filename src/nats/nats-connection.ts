// One connection to a node of a NATS cluster, from its opening to its end; the next one may lead to another node.
import type { NatsConnection as Connection } from '@nats-io/transport-node';
import { type BrokerFault, faultOfFailure, lasting, passing } from '../carrier/connection-faults.ts';
import type { OpenConnection } from '../carrier/lasting-connection.ts';
import { message } from '../domain/language/message.ts';
import { messageOf } from '../support/errors.ts';
import type { ClusterAddress } from '../support/server/cluster-address.ts';
import { memberOf } from '../support/text/foreign-json.ts';
import type { NatsPackage } from './nats-package.ts';

/** Our choices, in milliseconds: for one node to answer, and between two signs of life. */
const CONNECT_WITHIN_MS = 5_000;
const MOST_UNANSWERED_PINGS = 2;

/** Another node is there at once when one is gone, and so is its share of the homes (our choice, in milliseconds). */
export const OTHER_NODE_PAUSE_MS = 200;

export interface NatsLogin {
  /** The rights of this user, signed by the operator of the cluster. */
  readonly jwt: string;
  /** Proves that the user holds the key of the JWT. */
  readonly seed: string;
}

export interface NatsOptions {
  readonly address: ClusterAddress;
  /** Authorities (PEM) that replace the public ones; null for those. */
  readonly ca: string | null;
  /** Null where the nodes need no login. */
  readonly login: NatsLogin | null;
  /** Under which answers arrive. */
  readonly inboxPrefix: string;
  /** The connection leaves a node that is silent for twice this time, in milliseconds. */
  readonly pingEveryMs: number;
}

export class NatsConnection implements OpenConnection {
  readonly ended: Promise<BrokerFault>;
  /** The cluster keeps the events that the home has not received, over any connection. */
  readonly resumed = true;
  readonly raw: Connection;
  /** Why we ended it. */
  #fault = passing(message('The broker closed the connection.'));

  private constructor(raw: Connection) {
    this.raw = raw;
    this.ended = raw.closed().then((error) => (error instanceof Error ? faultOfNats(error) : this.#fault));
  }

  static async open(nats: NatsPackage, options: NatsOptions, signal: AbortSignal): Promise<NatsConnection> {
    const { address, ca, login, inboxPrefix, pingEveryMs } = options;
    const raw = await nats.connect({
      servers: [...address.nodes],
      // The paper names no other nodes, and a node might name itself by an address of its own network.
      ignoreClusterUpdates: true,
      // Each connection is opened anew, so that nothing which waited is sent later.
      reconnect: false,
      timeout: CONNECT_WITHIN_MS,
      pingInterval: pingEveryMs,
      maxPingOut: MOST_UNANSWERED_PINGS,
      inboxPrefix,
      noAsyncTraces: true,
      ...(address.isEncrypted ? { tls: ca === null ? {} : { ca } } : {}),
      ...(login === null
        ? {}
        : { authenticator: nats.jwtAuthenticator(login.jwt, new TextEncoder().encode(login.seed)) }),
    });
    if (signal.aborted) {
      await raw.close();
    }
    return new NatsConnection(raw);
  }

  async close(fault: BrokerFault = this.#fault): Promise<void> {
    this.#fault = fault;
    await this.raw.close();
  }
}

const NOT_ACCEPTED = lasting(message('The broker does not accept this login. Ask for a new enrolment.'));

const BUSY = passing(message('The broker is busy.'));

const FULL = lasting(
  message('The relay takes no more homes, so no event reaches this one. Tell the operator of the relay.'),
);

/** An error that says itself what is wrong at the broker. */
export abstract class ClusterError extends Error {
  abstract readonly fault: BrokerFault;
}

/** No relay gives this home events: its enrolment was revoked, or the cluster has no room for its consumer. */
export class NotServed extends ClusterError {
  readonly fault: BrokerFault;

  constructor(why: 'revoked' | 'full') {
    super(`No events: ${why}`);
    this.fault = why === 'full' ? FULL : NOT_ACCEPTED;
  }
}

export function faultOfNats(error: unknown): BrokerFault {
  if (error instanceof ClusterError) {
    return error.fault;
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'AuthorizationError' && /timeout/iu.test(messageOf(error))) {
    // A node that many come to at once ends those that it cannot look at in time: that says nothing of the login.
    return BUSY;
  }
  // The package knows no name for a login that is revoked while it is connected.
  const isRevoked = /user authentication revoked/iu.test(messageOf(error));
  if (isRevoked || name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError') {
    return NOT_ACCEPTED;
  }
  if (name === 'TimeoutError') {
    return passing(message('The broker does not answer.'));
  }
  // The package wraps the error of the system.
  const cause = memberOf(error, 'cause');
  return faultOfFailure(cause instanceof Error ? cause : error);
}
