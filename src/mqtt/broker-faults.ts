// Says in plain words why a broker cannot be used, and what to do about it.

import { messageOf } from '../support/errors.ts';
import { memberOf } from '../support/foreign-json.ts';
import { oneLine } from '../support/log.ts';

export interface BrokerFault {
  /** A sentence for a person. Holds no credential and nothing that the broker wrote. */
  readonly reason: string;
  /** A person has to change something, so trying again soon is useless. */
  readonly isLasting: boolean;
}

const passing = (reason: string): BrokerFault => ({ reason, isLasting: false });
const lasting = (reason: string): BrokerFault => ({ reason, isLasting: true });

/** Reason codes of CONNACK and DISCONNECT (MQTT 5, section 2.4). */
const REASONS: Readonly<Record<number, BrokerFault>> = {
  1: lasting('The broker does not speak MQTT 5. Update the broker, or use another one.'),
  132: lasting('The broker does not speak MQTT 5. Update the broker, or use another one.'),
  133: lasting('The broker does not accept the client id.'),
  4: lasting('The broker rejected the user name or password. Check both.'),
  134: lasting('The broker rejected the user name or password. Check both.'),
  5: lasting('The broker rejected the user name or password. Check both.'),
  135: lasting('The broker does not allow this user to do that. Check its rights at the broker.'),
  136: passing('The broker is not available.'),
  137: passing('The broker is busy.'),
  138: lasting('The broker has banned this client. Look into its log.'),
  139: passing('The broker is shutting down.'),
  141: passing('The broker received nothing for too long.'),
  142: lasting(
    'Another Latchkey uses this name at the broker: it connected with the same client id. Stop one of the two.',
  ),
  144: lasting('The broker does not accept a topic. Check its rules for topics.'),
  147: passing('The broker was sent too much at once.'),
  149: lasting('The broker does not accept messages of this size.'),
  151: passing('The broker holds too much for this client already.'),
  154: lasting('The broker does not retain messages. Allow that in its settings.'),
  155: lasting('The broker does not acknowledge messages (QoS 1). Allow that in its settings.'),
  159: passing('The broker accepts no more connections at the moment.'),
};

/** "Not authorized", which some brokers (mosquitto) also answer to a wrong password. */
const NOT_AUTHORIZED = 135;
const WRONG_LOGIN = 134;

/** Errors of the system and of TLS, by code. */
const FAILURES: Readonly<Record<string, BrokerFault>> = {
  ENOTFOUND: passing('The name of the broker is unknown. Check the address.'),
  EAI_AGAIN: passing('The name of the broker could not be looked up.'),
  ECONNREFUSED: passing('No broker answers at this address. Check that it runs, and the port.'),
  EHOSTUNREACH: passing('The broker cannot be reached.'),
  ENETUNREACH: passing('The broker cannot be reached.'),
  ETIMEDOUT: passing('The broker does not answer.'),
  ECONNRESET: passing('The broker closed the connection. Check whether its port expects TLS.'),
  EPROTO: lasting(
    'The broker does not speak TLS at this port. Check the port, or use mqtt:// for one without TLS.',
  ),
  ERR_SSL_WRONG_VERSION_NUMBER: lasting(
    'The broker does not speak TLS at this port. Check the port, or use mqtt:// for one without TLS.',
  ),
  CERT_HAS_EXPIRED: lasting("The broker's certificate has expired."),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting(
    "The broker's certificate is for another name. Use the name in it as the address.",
  ),
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: lasting('The broker asks for a client certificate.'),
};

const UNTRUSTED = lasting(
  "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
);
const UNTRUSTED_CODES: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export function faultOfReason(code: number): BrokerFault {
  return REASONS[code] ?? passing(`The broker ended the connection (reason ${code}).`);
}

/** Of a connection that the broker does not open. */
export function faultOfConnect(error: unknown): BrokerFault {
  return memberOf(error, 'code') === NOT_AUTHORIZED ? faultOfReason(WRONG_LOGIN) : faultOfError(error);
}

/** `error`: a reason code of the broker, or a failure of the system, as the `mqtt` package reports either. */
export function faultOfError(error: unknown): BrokerFault {
  const code = memberOf(error, 'code');
  if (typeof code === 'number') {
    return faultOfReason(code);
  }
  if (UNTRUSTED_CODES.has(code)) {
    return UNTRUSTED;
  }
  const known = typeof code === 'string' ? FAILURES[code] : undefined;
  return known ?? passing(oneLine(`The connection to the broker failed: ${messageOf(error)}`));
}
