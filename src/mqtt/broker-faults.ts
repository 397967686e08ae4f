// Explains why a broker cannot be used, and the next step.

import { type BrokerFault, faultOfFailure, lasting, passing } from '../carrier/connection-faults.ts';
import { message } from '../domain/language/message.ts';
import { memberOf } from '../support/text/foreign-json.ts';

/** Reason codes of CONNACK and DISCONNECT (MQTT 5, section 2.4). */
const REASONS: Readonly<Record<number, BrokerFault>> = {
  1: lasting(message('The broker does not speak MQTT 5. Update the broker, or use another one.')),
  132: lasting(message('The broker does not speak MQTT 5. Update the broker, or use another one.')),
  133: lasting(message('The broker does not accept the client id.')),
  4: lasting(message('The broker rejected the user name or password. Check both.')),
  134: lasting(message('The broker rejected the user name or password. Check both.')),
  5: lasting(message('The broker rejected the user name or password. Check both.')),
  135: lasting(message('The broker does not allow this user to do that. Check its rights at the broker.')),
  136: passing(message('The broker is not available.')),
  137: passing(message('The broker is busy.')),
  138: lasting(message('The broker has banned this client. Look into its log.')),
  139: passing(message('The broker is shutting down.')),
  141: passing(message('The broker received nothing for too long.')),
  142: {
    ...lasting(
      message(
        'Another Latchkey uses this name at the broker: it connected with the same client id. Stop one of the two.',
      ),
    ),
    isTakenOver: true,
  },
  144: lasting(message('The broker does not accept a topic. Check its rules for topics.')),
  147: passing(message('The broker was sent too much at once.')),
  149: lasting(message('The broker does not accept messages of this size.')),
  151: passing(message('The broker holds too much for this client already.')),
  154: lasting(message('The broker does not retain messages. Allow that in its settings.')),
  155: lasting(message('The broker does not acknowledge messages (QoS 1). Allow that in its settings.')),
  159: passing(message('The broker accepts no more connections at the moment.')),
};

/** "Not authorized", which some brokers (mosquitto) also answer to a wrong password. */
const NOT_AUTHORIZED = 135;
const WRONG_LOGIN = 134;

export function faultOfReason(code: number): BrokerFault {
  return REASONS[code] ?? passing(message('The broker ended the connection (reason {code}).', { code }));
}

/** The faults of a connection that the broker does not open. */
export function faultOfConnect(error: unknown): BrokerFault {
  return memberOf(error, 'code') === NOT_AUTHORIZED ? faultOfReason(WRONG_LOGIN) : faultOfError(error);
}

/** The faults of an open connection: what the broker sends against the rules of MQTT, it sends at the next one again. */
export function faultOfOpen(error: Error): BrokerFault {
  const fault = faultOfError(error);
  const isOfPacket = memberOf(error, 'code') === undefined && !error.message.includes('timeout');
  return isOfPacket ? lasting(fault.reason) : fault;
}

/** `error`: a reason code of the broker, or a failure of the system, as the `mqtt` package reports either. */
export function faultOfError(error: unknown): BrokerFault {
  const code = memberOf(error, 'code');
  if (typeof code === 'number') {
    return faultOfReason(code);
  }
  return faultOfFailure(error);
}
