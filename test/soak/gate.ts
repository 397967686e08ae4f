// A connection between the home and the service that a soak can close.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../harness/free-port.ts';

export class Gate {
  readonly #port: number;
  readonly #ends = new Set<Socket>();
  #server: Server | null = null;
  readonly #innerPort: number;

  /** An open gate to this port of 127.0.0.1. */
  static async to(innerPort: number): Promise<Gate> {
    const gate = new Gate(await freePort(), innerPort);
    await gate.open();
    return gate;
  }

  private constructor(port: number, innerPort: number) {
    this.#port = port;
    this.#innerPort = innerPort;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  async open(): Promise<void> {
    const server = createServer((near) => {
      this.#join(near);
    });
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  /** Ends every connection, and refuses new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const end of this.#ends) {
      end.destroy();
    }
    if (server !== null) {
      server.close();
      await once(server, 'close');
    }
  }

  #join(near: Socket): void {
    const far = connect(this.#innerPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        this.#ends.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
