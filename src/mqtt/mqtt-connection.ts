// One MQTT 5 connection, from CONNECT to its end, over the `mqtt` package; the carrier opens the next one.
import { Socket } from 'node:net';
import type { IPublishPacket, MqttClient } from 'mqtt';
import type { OutgoingMessage, PublishReceipt } from '../carrier/carrier.ts';
import { type BrokerFault, passing } from '../carrier/connection-faults.ts';
import { message, verbatim } from '../domain/language/message.ts';
import { type Clock, inTime, withTimeout } from '../support/clock.ts';
import { faultOfConnect, faultOfError, faultOfOpen, faultOfReason } from './broker-faults.ts';
import type { BrokerOptions } from './broker-options.ts';
import type { MqttPackage } from './mqtt-package.ts';
import { clientOptions, incomingMessage } from './mqtt-packets.ts';
import { MqttSender } from './mqtt-sender.ts';
import { matchesFilter } from './topic-filter.ts';

/** Our choices, in milliseconds: to connect and subscribe, and to end properly. */
const CONNECT_WITHIN_MS = 20_000;
const END_WITHIN_MS = 1_000;

/** MQTT 5, section 3.4: PUBACK with success. */
const PUBACK = [0x40, 0x02] as const;

/** Error of a connection attempt, with its fault for the log. */
export class ConnectFault extends Error {
  readonly fault: BrokerFault;

  constructor(fault: BrokerFault) {
    super(fault.reason.text);
    this.name = 'ConnectFault';
    this.fault = fault;
  }
}

export class MqttConnection {
  /** Resolves with the reason when the connection has ended, and never rejects. */
  readonly ended: Promise<BrokerFault>;
  readonly #options: BrokerOptions;
  readonly #clock: Clock;
  readonly #client: MqttClient;
  readonly #end: PromiseWithResolvers<BrokerFault> = Promise.withResolvers();
  /** The first thing that went wrong; the end of the connection follows. */
  #fault: BrokerFault | null = null;
  #hasEnded = false;
  #isClosing = false;
  /** The sender, from the broker's answer on; null before. */
  #sender: MqttSender | null = null;
  /** Acknowledgements leave in order of arrival (MQTT 5, section 4.6). */
  #acknowledged: Promise<void> = Promise.resolve();
  #resumed = false;

  private constructor(mqtt: MqttPackage, options: BrokerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.ended = this.#end.promise;
    this.#client = mqtt.default.connect(clientOptions(options, CONNECT_WITHIN_MS));
    if (this.#client.stream instanceof Socket) {
      // Else a message may wait for the broker to confirm the bytes of the one before: 40 ms, where it has nothing to say.
      this.#client.stream.setNoDelay(true);
    }
    this.#client.handleMessage = (packet, next) => {
      this.#receive(packet);
      // With an error the package sends no PUBACK of its own: it goes out when the handler has finished.
      next(packet.qos === 0 ? undefined : new Error('Acknowledged later'));
    };
    this.#client.on('error', (error) => {
      // After a packet that it cannot read, the package keeps the connection, and reads nothing more of it.
      this.drop(this.#sender === null ? faultOfConnect(error) : faultOfOpen(error));
    });
    this.#client.on('disconnect', ({ reasonCode }) => {
      this.#fault ??= faultOfReason(reasonCode ?? 0);
    });
    this.#client.on('close', () => {
      this.#finish(passing(message('The broker closed the connection.')));
    });
  }

  /** Connects, and subscribes to everything. Rejects with a `ConnectFault`, and leaves nothing open. */
  static async open(
    mqtt: MqttPackage,
    options: BrokerOptions,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<MqttConnection> {
    const connection = new MqttConnection(mqtt, options, clock);
    const abort = (): void => {
      connection.drop(passing(message('The connection was given up.')));
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      await inTime(clock, CONNECT_WITHIN_MS, connection.#begin(), () => {
        return new ConnectFault(passing(message('The broker does not answer.')));
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

  async publish(outgoing: OutgoingMessage): Promise<PublishReceipt> {
    if (this.#sender === null) {
      throw new Error('Nothing is published before the connection is open');
    }
    return this.#sender.publish(outgoing);
  }

  /** Ends it properly: what a handler has begun is acknowledged once it is done, and the broker publishes no will. */
  async close(): Promise<void> {
    this.#fault ??= passing(verbatim('Closed.'));
    this.#isClosing = true;
    const underWay = this.#acknowledged.catch(() => {});
    await withTimeout(this.#clock, END_WITHIN_MS, Promise.race([underWay, this.ended]));
    this.#client.end();
    if ((await withTimeout(this.#clock, END_WITHIN_MS, this.ended)) === null) {
      this.#client.stream.destroy();
    }
  }

  /** Cuts it off: the broker publishes the will, and delivers again what was not acknowledged. */
  drop(fault: BrokerFault): void {
    this.#fault ??= fault;
    // First, so that what waits for its turn is not taken for sent.
    this.#finish(fault);
    this.#client.end(true);
  }

  async #begin(): Promise<void> {
    const connected = Promise.withResolvers<void>();
    this.#client.once('connect', ({ sessionPresent, properties }) => {
      this.#resumed = sessionPresent;
      this.#sender = new MqttSender(this.#client, properties ?? {}, this.#clock);
      connected.resolve();
    });
    await Promise.race([connected.promise, this.#fail()]);
    const filters = Object.fromEntries(
      this.#options.subscriptions.map(({ filter, wantsRetained, ignoresOwn = false }) => [
        filter,
        // Retain As Published: a command that was published to be retained is recognized when it arrives live, too.
        { qos: 1 as const, nl: ignoresOwn, rap: true, rh: wantsRetained ? 0 : 2 },
      ]),
    );
    if (Object.keys(filters).length > 0) {
      await Promise.race([this.#client.subscribeAsync(filters), this.#fail()]);
    }
  }

  async #fail(): Promise<never> {
    throw new ConnectFault(await this.ended);
  }

  #finish(fault: BrokerFault): void {
    this.#hasEnded = true;
    this.#end.resolve(this.#fault ?? fault);
    this.#sender?.stop();
  }

  #receive(packet: IPublishPacket): void {
    if (this.#isClosing) {
      return;
    }
    const received = incomingMessage(packet);
    const handled = Promise.all(
      this.#options.subscriptions
        .filter(({ filter }) => matchesFilter(filter, received.topic))
        .map(async ({ handle }) => handle(received)),
    );
    const earlier = this.#acknowledged;
    this.#acknowledged = this.#acknowledge(packet, earlier, handled);
    this.#acknowledged.catch(() => {
      this.drop(passing(message('A message could not be handled. It is delivered again.')));
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
