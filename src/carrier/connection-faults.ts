// Explains why a connection to a broker failed, and the next step: errors of the system and of TLS.
import { type Message, message } from '../domain/language/message.ts';
import { messageOf } from '../support/errors.ts';
import { oneLine } from '../support/log.ts';
import { memberOf } from '../support/text/foreign-json.ts';

export interface BrokerFault {
  /** A sentence for a person. Holds no credential and nothing that the broker wrote. */
  readonly reason: Message;
  /** A person has to change something, so trying again soon is useless. */
  readonly isLasting: boolean;
  /** Another client has taken this one's place at the broker. Left out: no. */
  readonly isTakenOver?: true;
}

export const passing = (reason: Message): BrokerFault => ({ reason, isLasting: false });
export const lasting = (reason: Message): BrokerFault => ({ reason, isLasting: true });

const WITHOUT_TLS = lasting(
  message(
    'The broker does not speak TLS at this port. Check the port, or use {scheme} for one without TLS.',
    { scheme: 'mqtt://' },
  ),
);

const FAILURES: Readonly<Record<string, BrokerFault>> = {
  ENOTFOUND: passing(message('The name of the broker is unknown. Check the address.')),
  EAI_AGAIN: passing(message('The name of the broker could not be looked up.')),
  ECONNREFUSED: passing(message('No broker answers at this address. Check that it runs, and the port.')),
  EHOSTUNREACH: passing(message('The broker cannot be reached.')),
  ENETUNREACH: passing(message('The broker cannot be reached.')),
  ETIMEDOUT: passing(message('The broker does not answer.')),
  ECONNRESET: passing(message('The broker closed the connection. Check whether its port expects TLS.')),
  EPROTO: WITHOUT_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: WITHOUT_TLS,
  CERT_HAS_EXPIRED: lasting(message("The broker's certificate has expired.")),
  ERR_TLS_CERT_ALTNAME_INVALID: lasting(
    message("The broker's certificate is for another name. Use the name in it as the address."),
  ),
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: lasting(message('The broker asks for a client certificate.')),
};

const UNTRUSTED = lasting(
  message(
    "The broker's certificate is signed by an unknown authority. Give the file of that authority as the CA.",
  ),
);
const UNTRUSTED_CODES: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** `error`: a failure of the system, whatever the broker. */
export function faultOfFailure(error: unknown): BrokerFault {
  const code = memberOf(error, 'code');
  if (UNTRUSTED_CODES.has(code)) {
    return UNTRUSTED;
  }
  const known = typeof code === 'string' ? FAILURES[code] : undefined;
  return (
    known ??
    passing(message('The connection to the broker failed: {why}', { why: oneLine(messageOf(error)) }))
  );
}
