// A home as Apple's devices see it: a real HAP controller that names things as people do, not by number.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { HttpClient } from 'hap-controller';
import { Characteristic, Service, uuid } from 'hap-nodejs';
import { z } from 'zod';
import { within } from './deadline.ts';
import type { Bridge } from './homebridge.ts';

/** A controller's record of its pairing, each part in hexadecimal digits. */
type Pairing = NonNullable<ReturnType<HttpClient['getLongTermData']>>;

/** HAP itself gives up a handler after 9 s; a busy machine starts with 149 locks more slowly. */
const ANSWERED_WITHIN_MS = 30_000;

/** A class of hap-nodejs, such as `Service.LockMechanism`. */
interface Kind {
  readonly UUID: string;
}

/** One characteristic of one accessory. */
export interface Point {
  /** The name in AccessoryInformation. */
  readonly accessory: string;
  readonly service: Kind;
  readonly characteristic: Kind;
}

/** The answer to a read: a HAP status other than 0 comes without a value. */
export interface Reading {
  readonly status: number;
  readonly value: unknown;
}

export interface HomeEvent {
  readonly accessory: string;
  readonly characteristic: string;
  readonly value: unknown;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

interface Located extends Point {
  /** `aid.iid`, HomeKit's address of a characteristic. */
  readonly id: string;
  /** The value that came with the list of accessories. */
  readonly listed: unknown;
}

const answers = z.object({
  characteristics: z.array(
    z.object({
      aid: z.number(),
      iid: z.number(),
      value: z.unknown().optional(),
      status: z.number().default(0),
    }),
  ),
});

/** The numbers come as numbers when every write was taken, and as the library's big numbers otherwise. */
const statuses = z.object({
  characteristics: z.array(
    z.object({ aid: z.coerce.number(), iid: z.coerce.number(), status: z.number().default(0) }),
  ),
});

const responses = z.object({
  characteristics: z.array(z.object({ value: z.string().optional(), status: z.number().default(0) })),
});

/** A paired controller. It survives a restart of the bridge by `reconnect()`. */
export class Home {
  readonly events: HomeEvent[] = [];
  readonly #bridge: Bridge;
  readonly #emitter = new EventEmitter<{ event: [HomeEvent] }>();
  readonly #listeners: HttpClient[] = [];
  #client: HttpClient;
  #points: readonly Located[] = [];

  /** Pairs with a bridge that has no pairing yet. */
  static async pair(bridge: Bridge): Promise<Home> {
    const home = new Home(bridge);
    await answered(home.#client.pairSetup(bridge.pin));
    await home.refresh();
    return home;
  }

  private constructor(bridge: Bridge, pairing?: Pairing) {
    this.#bridge = bridge;
    this.#client = this.#connect(pairing);
  }

  /** The same home for an invited person, who is no administrator. */
  async invite(): Promise<Home> {
    const name = randomUUID();
    const { publicKey, secretKey } = signingKeys();
    await answered(this.#client.addPairing(name, publicKey, false));
    const { AccessoryPairingID, AccessoryLTPK } = pairingOf(this.#client);
    const guest = new Home(this.#bridge, {
      AccessoryPairingID,
      AccessoryLTPK,
      iOSDevicePairingID: Buffer.from(name).toString('hex'),
      iOSDeviceLTPK: publicKey.toString('hex'),
      iOSDeviceLTSK: secretKey.toString('hex'),
    });
    await guest.refresh();
    return guest;
  }

  /** Reads again which accessories there are. */
  async refresh(): Promise<void> {
    const { accessories } = await answered(this.#client.getAccessories());
    this.#points = accessories.flatMap(({ aid, services }) => {
      const all = services.flatMap(({ type, characteristics }) =>
        characteristics.map((found) => ({ service: type, ...found })),
      );
      const name = all.find(
        ({ service, type }) =>
          isKind(service, Service.AccessoryInformation) && isKind(type, Characteristic.Name),
      );
      return all.map(({ service, type, iid, value }) => ({
        accessory: String(name?.value),
        service: { UUID: uuid.toLongForm(service) },
        characteristic: { UUID: uuid.toLongForm(type ?? '') },
        id: `${aid}.${iid}`,
        listed: value,
      }));
    });
  }

  /** The names of the accessories, without the bridge itself. */
  get accessories(): string[] {
    return [...new Set(this.points.map(({ accessory }) => accessory))];
  }

  /** Every characteristic of every accessory but the bridge itself. */
  get points(): readonly Point[] {
    return this.#points.filter(({ id }) => !id.startsWith('1.'));
  }

  has(point: Point): boolean {
    return this.#find(point) !== undefined;
  }

  /** HomeKit's address of a characteristic, `aid.iid`. */
  addressOf(point: Point): string {
    return this.#locate(point).id;
  }

  /** The value that came with the list of accessories: what Home shows first of all. */
  listed(point: Point): unknown {
    return this.#locate(point).listed;
  }

  async read(point: Point): Promise<Reading> {
    const [reading] = await this.readAll([point]);
    return reading ?? { status: 0, value: undefined };
  }

  /** Many characteristics in one request, as the Home app asks for them. */
  async readAll(points: readonly Point[]): Promise<Reading[]> {
    return this.#readEach(points.map((point) => this.addressOf(point)));
  }

  /** Everything that was listed with a value: what is only written, such as a control point, has none. */
  async readListed(): Promise<Reading[]> {
    return this.#readEach(this.#points.filter(({ listed }) => listed !== undefined).map(({ id }) => id));
  }

  async #readEach(ids: readonly string[]): Promise<Reading[]> {
    const { characteristics } = answers.parse(await answered(this.#client.getCharacteristics([...ids])));
    return ids.map((id) => {
      const found = characteristics.find(({ aid, iid }) => `${aid}.${iid}` === id);
      return { status: found?.status ?? 0, value: found?.value };
    });
  }

  /** Resolves with the HAP status. */
  async write(point: Point, value: unknown): Promise<number> {
    const [status] = await this.writeAll([[point, value]]);
    return status ?? 0;
  }

  /** A write that asks for a write-response: the response, or the HAP status of a refusal. */
  async ask(point: Point, value: unknown): Promise<string | number> {
    const request = this.#client.setCharacteristics({ [this.addressOf(point)]: { value, r: true } });
    const [answer] = responses.parse(await answered(request)).characteristics;
    return answer?.value ?? answer?.status ?? 0;
  }

  /** Many writes in one request, as a scene sends them; resolves with a HAP status for each. */
  async writeAll(options: readonly (readonly [Point, unknown])[]): Promise<number[]> {
    const ids = options.map(([point]) => this.addressOf(point));
    const body = Object.fromEntries(options.map(([, value], index) => [ids[index] ?? '', value]));
    const { characteristics } = statuses.parse(await answered(this.#client.setCharacteristics(body)));
    return ids.map((id) => characteristics.find(({ aid, iid }) => `${aid}.${iid}` === id)?.status ?? 0);
  }

  /**
   * Hears of these from now on. Each call listens on a connection of its own: the controller library mixes up events
   * and answers on a connection that has both. (So this home hears of its own writes too.)
   */
  async subscribe(points: readonly Point[]): Promise<void> {
    const listener = this.#connect(this.#client.getLongTermData() ?? undefined);
    this.#listeners.push(listener);
    listener.on('event', (message: unknown) => {
      this.#record(message);
    });
    await answered(listener.subscribeCharacteristics(points.map((point) => this.addressOf(point))));
  }

  /** Drops the events received so far, so that `received` looks only at what comes from now on. */
  forgetEvents(): void {
    this.events.length = 0;
  }

  /** Resolves with the first event of this value heard since the last `forgetEvents`, or to come. */
  async received(point: Point, value: unknown, withinMs: number): Promise<HomeEvent> {
    const isWanted = (event: HomeEvent): boolean =>
      event.accessory === point.accessory &&
      event.characteristic === point.characteristic.UUID &&
      event.value === value;
    const known = this.events.find(isWanted);
    if (known) {
      return known;
    }
    const { promise: coming, resolve } = Promise.withResolvers<HomeEvent>();
    const look = (event: HomeEvent): void => {
      if (isWanted(event)) {
        resolve(event);
      }
    };
    this.#emitter.on('event', look);
    try {
      return await within(
        coming,
        withinMs,
        () => `${point.accessory} did not tell ${String(value)}; heard: ${JSON.stringify(this.events)}`,
      );
    } finally {
      this.#emitter.off('event', look);
    }
  }

  /** Connects again with the same pairing, after the bridge was restarted. Subscriptions are gone, as for a real home hub. */
  async reconnect(): Promise<void> {
    const pairing = this.#client.getLongTermData();
    await this.close();
    this.#client = this.#connect(pairing ?? undefined);
    await this.refresh();
  }

  async close(): Promise<void> {
    const clients = [this.#client, ...this.#listeners.splice(0)];
    await Promise.all(clients.map(async (client) => client.close()));
  }

  #connect(pairing?: Pairing): HttpClient {
    const { username, port } = this.#bridge;
    return new HttpClient(username, '127.0.0.1', port, pairing, { usePersistentConnections: true });
  }

  #record(message: unknown): void {
    const at = performance.now();
    // Apple's devices read the events of one message from its end, and hap-nodejs writes them so.
    for (const { aid, iid, value } of answers.parse(message).characteristics.toReversed()) {
      const point = this.#points.find(({ id }) => id === `${aid}.${iid}`);
      const event = {
        accessory: point?.accessory ?? '',
        characteristic: point?.characteristic.UUID ?? '',
        value,
        at,
      };
      this.events.push(event);
      this.#emitter.emit('event', event);
    }
  }

  #find({ accessory, service, characteristic }: Point): Located | undefined {
    return this.#points.find(
      (one) =>
        one.accessory === accessory &&
        one.service.UUID === service.UUID &&
        one.characteristic.UUID === characteristic.UUID,
    );
  }

  #locate(point: Point): Located {
    const found = this.#find(point);
    if (!found) {
      throw new Error(
        `Home has no such characteristic on "${point.accessory}" (it has ${this.accessories.join(', ')})`,
      );
    }
    return found;
  }
}

function pairingOf(client: HttpClient): Pairing {
  const pairing = client.getLongTermData();
  if (!pairing) {
    throw new Error('This controller is not paired');
  }
  return pairing;
}

/** An Ed25519 pair as HAP's controllers keep it: the secret key is the seed with the public key behind it. */
function signingKeys(): { readonly publicKey: Buffer; readonly secretKey: Buffer } {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url');
  return { publicKey, secretKey: Buffer.concat([Buffer.from(d, 'base64url'), publicKey]) };
}

async function answered<T>(request: Promise<T>): Promise<T> {
  return within(request, ANSWERED_WITHIN_MS, () => 'The bridge did not answer');
}

function isKind(type: string | undefined, kind: Kind): boolean {
  return type !== undefined && uuid.toLongForm(type) === kind.UUID;
}
