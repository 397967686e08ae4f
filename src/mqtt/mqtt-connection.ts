// One MQTT 5 connection, from CONNECT to its end, over the `mqtt` package; the carrier opens the next one.
import type { IPublishPacket, MqttClient } from 'mqtt';
import { type Clock, inTime } from '../support/clock.ts';
import { FinalError, RetryError, UncertainError } from '../support/errors.ts';
import { memberOf } from '../support/foreign-json.ts';
import { type BrokerFault, faultOfError, faultOfReason } from './broker-faults.ts';
import type { BrokerOptions } from './broker-options.ts';
import type { OutgoingMessage, PublishReceipt } from './carrier.ts';
import type { MqttPackage } from './mqtt-package.ts';
import { bytesOf, clientOptions, incomingMessage, publishOptions } from './mqtt-packets.ts';
import { SendWindow } from './send-window.ts';
import { matchesFilter } from './topic-filter.ts';
import { UnderWay } from './under-way.ts';

/** Our choices, in milliseconds: to connect and subscribe, to acknowledge a message, and to end properly. */
const CONNECT_WITHIN_MS = 20_000;
const ACKNOWLEDGE_WITHIN_MS = 10_000;
const END_WITHIN_MS = 1_000;

/** MQTT 5, section 3.4: PUBACK with success; and its section 3.2.2.3.3: the default of Receive Maximum. */
const PUBACK = [0x40, 0x02] as const;
const DEFAULT_RECEIVE_MAXIMUM = 65_535;
const NO_MATCHING_SUBSCRIBERS = 16;

/** Bytes of a PUBLISH beside its topic and payload, at most (our choice): header and properties. */
const OVERHEAD = 4_096;

/** Error of a connection attempt, with its fault for the log. */
export class ConnectFault extends Error {
  readonly fault: BrokerFault;

  constructor(fault: BrokerFault) {
    super(fault.reason);
    this.name = 'ConnectFault';
    this.fault = fault;
  }
}

export interface ConnectionParts {
  readonly mqtt: MqttPackage;
  readonly options: BrokerOptions;
  readonly clock: Clock;
}

export class MqttConnection {
  /** Resolves with the reason when the connection has ended, and never rejects. */
  readonly ended: Promise<BrokerFault>;
  readonly #parts: ConnectionParts;
  readonly #client: MqttClient;
  readonly #end: PromiseWithResolvers<BrokerFault> = Promise.withResolvers();
  /** The first thing that went wrong; the end of the connection follows. */
  #fault: BrokerFault | null = null;
  #hasEnded = false;
  #window = new SendWindow(0);
  #largest = 0;
  /** Stops the calls that wait for the broker. */
  readonly #underWay = new UnderWay();
  /** Acknowledgements leave in order of arrival (MQTT 5, section 4.6). */
  #acknowledged: Promise<void> = Promise.resolve();
  #resumed = false;
  #lastReason: number | undefined;

  private constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.ended = this.#end.promise;
    this.#client = parts.mqtt.default.connect(clientOptions(parts.options, CONNECT_WITHIN_MS));
    this.#client.handleMessage = (packet, next) => {
      this.#receive(packet);
      // With an error the package sends no PUBACK of its own: it goes out when the handler has finished.
      next(packet.qos === 0 ? undefined : new Error('Acknowledged later'));
    };
    this.#client.on('error', (error) => {
      this.#fault ??= faultOfError(error);
    });
    this.#client.on('disconnect', ({ reasonCode }) => {
      this.#fault ??= faultOfReason(reasonCode ?? 0);
    });
    this.#client.on('packetreceive', (packet) => {
      // The package calls back within this event, and leaves out what the broker said.
      this.#lastReason = packet.cmd === 'puback' ? packet.reasonCode : undefined;
    });
    this.#client.on('close', () => {
      this.#finish({ reason: 'The broker closed the connection.', isLasting: false });
    });
  }

  /** Connects, and subscribes to everything. Rejects with a `ConnectFault`, and leaves nothing open. */
  static async open(parts: ConnectionParts, signal: AbortSignal): Promise<MqttConnection> {
    const connection = new MqttConnection(parts);
    const abort = (): void => {
      connection.drop({ reason: 'The connection was given up.', isLasting: false });
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      await inTime(parts.clock, CONNECT_WITHIN_MS, connection.#begin(), () => {
        return new ConnectFault({ reason: 'The broker does not answer.', isLasting: false });
      });
      return connection;
    } catch (error) {
      const fault = error instanceof ConnectFault ? error.fault : faultOfError(error);
      connection.drop(fault);
      throw new ConnectFault(fault);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Whether the broker still had the session of an earlier connection. */
  get resumed(): boolean {
    return this.#resumed;
  }

  async publish(message: OutgoingMessage, signal?: AbortSignal): Promise<PublishReceipt> {
    this.#check(message);
    await this.#place(signal);
    const sent = this.#send(message).finally(() => {
      this.#window.release();
    });
    const lost = new UncertainError('The connection ended before the broker acknowledged a message');
    return inTime(this.#parts.clock, ACKNOWLEDGE_WITHIN_MS, this.#underWay.run(sent, lost, signal), () => {
      return new UncertainError('The broker did not acknowledge a message in time');
    });
  }

  /** Ends it properly: the broker publishes no will. */
  async close(): Promise<void> {
    this.#fault ??= { reason: 'Closed.', isLasting: false };
    this.#client.end();
    await inTime(this.#parts.clock, END_WITHIN_MS, this.ended, () => new Error('Too late')).catch(() => {
      this.#client.stream.destroy();
    });
  }

  /** Cuts it off: the broker publishes the will, and delivers again what was not acknowledged. */
  drop(fault: BrokerFault): void {
    this.#fault ??= fault;
    this.#client.end(true);
    this.#finish(fault);
  }

  /** The broker would end the connection. */
  #check({ topic, payload }: OutgoingMessage): void {
    if (topic === '' || /[+#\0]/.test(topic)) {
      throw new FinalError('bad-request', 'A topic is empty or holds +, # or NUL, so nothing was published');
    }
    if (Buffer.byteLength(payload) + Buffer.byteLength(topic) + OVERHEAD > this.#largest) {
      throw new FinalError('bad-request', 'The broker does not accept messages of this size.');
    }
  }

  /** A place among the messages that wait for an acknowledgement. */
  async #place(signal: AbortSignal | undefined): Promise<void> {
    const taken = this.#window.take();
    try {
      await this.#underWay.run(taken, notSent(), signal);
    } catch (error) {
      void this.#giveBack(taken);
      throw error;
    }
  }

  async #giveBack(taken: Promise<void>): Promise<void> {
    try {
      await taken;
      this.#window.release();
    } catch {
      // There was no place.
    }
  }

  async #begin(): Promise<void> {
    const connected = Promise.withResolvers<void>();
    this.#client.once('connect', ({ sessionPresent, properties }) => {
      this.#resumed = sessionPresent;
      this.#window = new SendWindow(properties?.receiveMaximum ?? DEFAULT_RECEIVE_MAXIMUM);
      this.#largest = properties?.maximumPacketSize ?? Number.POSITIVE_INFINITY;
      connected.resolve();
    });
    await Promise.race([connected.promise, this.#fail()]);
    const filters = Object.fromEntries(
      this.#parts.options.subscriptions.map(({ filter, wantsRetained }) => [
        filter,
        // Retain As Published: a command that was published to be retained is recognized when it arrives live, too.
        { qos: 1 as const, rap: true, rh: wantsRetained ? 0 : 2 },
      ]),
    );
    if (Object.keys(filters).length > 0) {
      await Promise.race([this.#client.subscribeAsync(filters), this.#fail()]);
    }
  }

  async #fail(): Promise<never> {
    throw new ConnectFault(await this.ended);
  }

  async #send(message: OutgoingMessage): Promise<PublishReceipt> {
    const acknowledged = Promise.withResolvers<PublishReceipt>();
    this.#client.publish(message.topic, bytesOf(message), publishOptions(message), (error) => {
      if (error === undefined || error === null) {
        acknowledged.resolve({ hasSubscriber: this.#lastReason !== NO_MATCHING_SUBSCRIBERS });
      } else {
        acknowledged.reject(refusal(error));
      }
    });
    return acknowledged.promise;
  }

  #finish(fault: BrokerFault): void {
    this.#hasEnded = true;
    this.#end.resolve(this.#fault ?? fault);
    this.#underWay.stop();
  }

  #receive(packet: IPublishPacket): void {
    const message = incomingMessage(packet);
    const handled = Promise.all(
      this.#parts.options.subscriptions
        .filter(({ filter }) => matchesFilter(filter, message.topic))
        .map(async ({ handle }) => handle(message)),
    );
    const earlier = this.#acknowledged;
    this.#acknowledged = this.#acknowledge(packet, earlier, handled);
    this.#acknowledged.catch(() => {
      this.drop({ reason: 'A message could not be handled. It is delivered again.', isLasting: false });
    });
  }

  async #acknowledge(
    { qos, messageId }: IPublishPacket,
    earlier: Promise<void>,
    handled: Promise<unknown>,
  ): Promise<void> {
    await Promise.all([earlier, handled]);
    if (qos === 1 && messageId !== undefined && !this.#hasEnded) {
      this.#client.stream.write(Buffer.from([...PUBACK, messageId >> 8, messageId & 0xff]));
    }
  }
}

function notSent(): RetryError {
  return new RetryError(
    'unreachable',
    'A message was not sent, because there is no connection to the broker',
  );
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
