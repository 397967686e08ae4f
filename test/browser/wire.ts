// The wire between a browser and a panel, which a test can cut, or let fall silent as a pulled cable does.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The panel knows its own port in an address, and this other name of its machine. */
const HOST = '::1';

export class Wire {
  readonly url: string;
  readonly #server: Server;
  readonly #panelPort: number;
  #ends: Socket[] = [];
  /** The panel's ends of connections that fell silent. */
  #dead: Socket[] = [];
  #state: 'whole' | 'cut' | 'silent' = 'whole';

  private constructor(server: Server, panelPort: number) {
    this.#server = server;
    this.#panelPort = panelPort;
    this.url = `http://[${HOST}]:${String(panelPort)}/`;
    server.on('connection', (near: Socket) => {
      this.#connect(near);
    });
  }

  static async to(panelPort: number): Promise<Wire> {
    const server = createServer().listen(panelPort, HOST);
    await once(server, 'listening');
    return new Wire(server, panelPort);
  }

  /** Ends every connection, and refuses new ones. */
  cut(): void {
    this.#state = 'cut';
    this.#drop();
  }

  /** Nothing passes any more, and neither end notices; connections of now stay dead for good. */
  silence(): void {
    this.#state = 'silent';
    for (const end of this.#ends) {
      end.removeAllListeners('data').removeAllListeners('close').resume();
    }
    this.#dead.push(...this.#ends.filter(({ remotePort }) => remotePort === this.#panelPort));
  }

  /** New connections pass. The panel, which keeps 64, gives those up that fell silent; the browser learns nothing. */
  mend(): void {
    this.#state = 'whole';
    for (const end of this.#dead.splice(0)) {
      end.destroy();
    }
  }

  async close(): Promise<void> {
    this.#drop();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(near: Socket): void {
    if (this.#state === 'cut') {
      near.destroy();
      return;
    }
    near.on('error', () => {});
    this.#ends.push(near);
    if (this.#state === 'silent') {
      near.resume();
      return;
    }
    const far = connect(this.#panelPort, '127.0.0.1').on('error', () => {});
    this.#ends.push(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => to.write(data));
      from.on('close', () => to.destroy());
    }
  }

  #drop(): void {
    for (const end of this.#ends) {
      end.destroy();
    }
    this.#ends = [];
  }
}
