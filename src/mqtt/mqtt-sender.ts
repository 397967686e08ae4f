// Sends messages over one MQTT connection, within the broker's limits; each ends with its acknowledgement, or with the connection.
import type { MqttClient } from 'mqtt';
import type { OutgoingMessage, PublishReceipt } from '../carrier/carrier.ts';
import { message } from '../domain/language/message.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, RetryError, UncertainError } from '../support/errors.ts';
import { memberOf } from '../support/text/foreign-json.ts';
import { faultOfReason } from './broker-faults.ts';
import { bytesOf, publishOptions } from './mqtt-packets.ts';
import { SendWindow } from './send-window.ts';

/** Our choice, in milliseconds. */
const ACKNOWLEDGE_WITHIN_MS = 10_000;

/** MQTT 5, section 3.2.2.3.3: the default of Receive Maximum; and section 3.4.2.1. */
const DEFAULT_RECEIVE_MAXIMUM = 65_535;
const NO_MATCHING_SUBSCRIBERS = 16;

/** Bytes of a PUBLISH beside its topic and payload, at most (our choice): header and properties. */
const OVERHEAD = 4_096;

/** The limits of the broker, from its CONNACK. */
export interface BrokerLimits {
  readonly receiveMaximum?: number | undefined;
  readonly maximumPacketSize?: number | undefined;
}

export class MqttSender {
  readonly #client: MqttClient;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #window: SendWindow;
  readonly #largest: number;
  /** Each ends a call that waits for an acknowledgement. */
  readonly #losses = new Set<() => void>();
  #lastReason: number | undefined;

  constructor(client: MqttClient, limits: BrokerLimits, clock: Pick<Clock, 'after'>) {
    this.#client = client;
    this.#clock = clock;
    this.#window = new SendWindow(limits.receiveMaximum ?? DEFAULT_RECEIVE_MAXIMUM);
    this.#largest = limits.maximumPacketSize ?? Number.POSITIVE_INFINITY;
    client.on('packetreceive', (packet) => {
      // The package calls back within this event, and leaves out the broker's reason.
      this.#lastReason = packet.cmd === 'puback' ? packet.reasonCode : undefined;
    });
  }

  async publish(outgoing: OutgoingMessage): Promise<PublishReceipt> {
    this.#check(outgoing);
    await this.#window.take();
    return this.#send(outgoing);
  }

  /** The connection has ended: so does every call, and every later one. */
  stop(): void {
    this.#window.close();
    for (const lose of this.#losses) {
      lose();
    }
  }

  /** The broker would end the connection. */
  #check({ topic, payload }: OutgoingMessage): void {
    if (topic === '' || /[+#\0]/.test(topic)) {
      throw new FinalError('bad-request', 'A topic is empty or holds +, # or NUL, so nothing was published');
    }
    if (Buffer.byteLength(payload) + Buffer.byteLength(topic) + OVERHEAD > this.#largest) {
      throw new FinalError('bad-request', message('The broker does not accept messages of this size.'));
    }
  }

  async #send(outgoing: OutgoingMessage): Promise<PublishReceipt> {
    const { promise, resolve, reject } = Promise.withResolvers<PublishReceipt>();
    const lose = (): void =>
      reject(new UncertainError('The connection ended before the broker acknowledged a message'));
    this.#losses.add(lose);
    const cancel = this.#clock.after(ACKNOWLEDGE_WITHIN_MS, () =>
      reject(new UncertainError('The broker did not acknowledge a message in time')),
    );
    this.#client.publish(outgoing.topic, bytesOf(outgoing), publishOptions(outgoing), (error) => {
      this.#window.release();
      if (error === undefined || error === null) {
        resolve({ hasSubscriber: this.#lastReason !== NO_MATCHING_SUBSCRIBERS });
      } else {
        reject(refusal(error));
      }
    });
    try {
      return await promise;
    } finally {
      cancel();
      this.#losses.delete(lose);
    }
  }
}

function refusal(error: unknown): Error {
  const code = memberOf(error, 'code');
  if (typeof code !== 'number') {
    return new UncertainError('The broker did not acknowledge a message', { cause: error });
  }
  const { reason, isLasting } = faultOfReason(code);
  return isLasting
    ? new FinalError('not-permitted', reason, { cause: error })
    : new RetryError('server-fault', reason, { cause: error });
}
