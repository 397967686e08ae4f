// A subscriber at a broker that takes as little memory as a socket does, so that one process can be ten thousand homes.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** MQTT 5, section 2.1.2. */
const PUBLISH = 3;
const CONNACK = 2;
const SUBACK = 9;

const SESSION_SECONDS = 3_600;

/** Speaks MQTT 5 over a plain socket, subscribes to one topic with QoS 1, and acknowledges each message. */
export class LightSubscriber {
  readonly #socket: Socket;
  readonly #onMessage: (topic: string) => void;
  readonly #subscribed = Promise.withResolvers<void>();
  #rest: Buffer = Buffer.alloc(0);

  static async open(
    port: number,
    { clientId, topic }: { readonly clientId: string; readonly topic: string },
    onMessage: (topic: string) => void,
  ): Promise<LightSubscriber> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const subscriber = new LightSubscriber(socket, onMessage);
    await once(socket, 'connect');
    socket.write(connectPacket(clientId));
    socket.write(subscribePacket(topic));
    await subscriber.#subscribed.promise;
    return subscriber;
  }

  private constructor(socket: Socket, onMessage: (topic: string) => void) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    socket.on('data', (chunk) => {
      this.#take(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]));
    });
    socket.on('close', () => {
      this.#subscribed.reject(new Error('The broker closed the connection'));
    });
    // Nobody waits any more once it was subscribed.
    this.#subscribed.promise.catch(() => {});
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Reads whole packets, and keeps the beginning of the next. */
  #take(bytes: Buffer): void {
    let at = 0;
    for (;;) {
      const head = lengthAt(bytes, at + 1);
      if (head === null || head.end + head.value > bytes.length) {
        break;
      }
      this.#read(bytes[at] ?? 0, bytes.subarray(head.end, head.end + head.value));
      at = head.end + head.value;
    }
    this.#rest = bytes.subarray(at);
  }

  #read(first: number, body: Buffer): void {
    const kind = first >> 4;
    if (kind === CONNACK && body[1] !== 0) {
      this.#subscribed.reject(new Error(`The broker refused a connection (${String(body[1])})`));
    } else if (kind === SUBACK) {
      this.#subscribed.resolve();
    } else if (kind === PUBLISH) {
      const length = body.readUInt16BE(0);
      this.#onMessage(body.toString('utf8', 2, 2 + length));
      const id = body.subarray(2 + length, 4 + length);
      this.#socket.write(Buffer.concat([Buffer.from([0x40, 2]), id]));
    }
  }
}

/** A variable byte integer (section 1.5.5); null while it is incomplete. */
function lengthAt(bytes: Buffer, from: number): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) << (7 * (at - from));
    if (byte < 0x80) {
      return { value, end: at + 1 };
    }
  }
  return null;
}

function connectPacket(clientId: string): Buffer {
  const properties = Buffer.alloc(6);
  properties.writeUInt8(5, 0);
  properties.writeUInt8(0x11, 1);
  properties.writeUInt32BE(SESSION_SECONDS, 2);
  // MQTT, version 5, no flags: the session is kept; no keep-alive.
  const head = Buffer.concat([text('MQTT'), Buffer.from([5, 0, 0, 0])]);
  return packet(0x10, Buffer.concat([head, properties, text(clientId)]));
}

function subscribePacket(topic: string): Buffer {
  return packet(0x82, Buffer.concat([Buffer.from([0, 1, 0]), text(topic), Buffer.from([1])]));
}

/** Shorter than 128 bytes. */
function packet(first: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([first, body.length]), body]);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
