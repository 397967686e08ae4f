// The carrier over MQTT 5: publishes over the connection of the moment.
import type { Carrier } from '../carrier/carrier.ts';
import { LastingConnection } from '../carrier/lasting-connection.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { faultOfError } from './broker-faults.ts';
import type { BrokerOptions } from './broker-options.ts';
import { ConnectFault, MqttConnection } from './mqtt-connection.ts';
import type { MqttPackage } from './mqtt-package.ts';
import { notConnected } from './send-window.ts';

/** Connects to the broker from now on, until it is closed. */
export function openMqttCarrier(parts: {
  readonly mqtt: MqttPackage;
  readonly options: BrokerOptions;
  readonly clock: Clock;
  /** Of the pauses between two attempts; `clock`, which has the deadlines of the broker's answers, if left out. */
  readonly pauseClock?: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Longest pause between two attempts, in milliseconds, unless a person has to change something; a minute if left out. */
  readonly longestPauseMs?: number;
  readonly log: Log;
}): Carrier {
  const lasting = new LastingConnection<MqttConnection>({
    ...parts,
    clock: parts.pauseClock ?? parts.clock,
    open: async (signal) => MqttConnection.open(parts.mqtt, parts.options, parts.clock, signal),
    faultOf: (error) => (error instanceof ConnectFault ? error.fault : faultOfError(error)),
  });
  return {
    get state() {
      return lasting.state;
    },
    subscribeState: (listener) => lasting.subscribeState(listener),
    publish: async (message) => {
      if (lasting.current === null) {
        throw notConnected();
      }
      return lasting.current.publish(message);
    },
    close: async () => lasting.close(),
  };
}
