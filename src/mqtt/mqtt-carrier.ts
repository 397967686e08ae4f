// The carrier over MQTT 5: publishes over the connection of the moment.
import type { Carrier, CarrierState, OutgoingMessage, PublishReceipt } from '../carrier/carrier.ts';
import { LastingConnection } from '../carrier/lasting-connection.ts';
import type { Log } from '../support/log.ts';
import { faultOfError } from './broker-faults.ts';
import { ConnectFault, type ConnectionParts, MqttConnection } from './mqtt-connection.ts';
import { notConnected } from './send-window.ts';

export interface CarrierParts extends ConnectionParts {
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Longest pause between two attempts, in milliseconds, unless a person has to change something; a minute if left out. */
  readonly longestPauseMs?: number;
  readonly log: Log;
}

/** Connects to the broker from now on, until it is closed. */
export function openMqttCarrier(parts: CarrierParts): Carrier {
  return new MqttCarrier(parts);
}

class MqttCarrier implements Carrier {
  readonly #lasting: LastingConnection<MqttConnection>;

  constructor(parts: CarrierParts) {
    this.#lasting = new LastingConnection({
      ...parts,
      open: async (signal) => MqttConnection.open(parts, signal),
      faultOf: (error) => (error instanceof ConnectFault ? error.fault : faultOfError(error)),
    });
  }

  get state(): CarrierState {
    return this.#lasting.state;
  }

  subscribeState(listener: (state: CarrierState) => void): () => void {
    return this.#lasting.subscribeState(listener);
  }

  async publish(message: OutgoingMessage): Promise<PublishReceipt> {
    const connection = this.#lasting.current;
    if (connection === null) {
      throw notConnected();
    }
    return connection.publish(message);
  }

  async close(): Promise<void> {
    await this.#lasting.close();
  }
}
