// A HAP controller as thin as can be, so that what is timed is the bridge: fixed addresses, nothing searched, no events
// on the connection that reads and writes.
import { EventEmitter } from 'node:events';
import { HttpClient } from 'hap-controller';
import { Characteristic, Service, uuid } from 'hap-nodejs';
import { z } from 'zod';
import { within } from '../harness/deadline.ts';
import type { Bridge } from '../harness/homebridge.ts';

const EVENT_WITHIN_MS = 20_000;

/** HomeKit's addresses (`aid.iid`) of one lock. */
export interface LockPoints {
  readonly name: string;
  readonly current: string;
  readonly target: string;
  /** Of the pulse that takes held events along; undefined where there is none. */
  readonly motion: string | undefined;
}

export interface ActivityEntry {
  readonly id: string;
  readonly value: unknown;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

const characteristics = z.object({
  characteristics: z.array(
    z.object({
      aid: z.coerce.number(),
      iid: z.coerce.number(),
      value: z.unknown().optional(),
      status: z.number().default(0),
    }),
  ),
});

interface Listed {
  readonly name: string;
  /** Every service with its characteristics, as sorted text: what Home is shown, without the values. */
  readonly shape: string;
  readonly points: LockPoints | null;
}

/** A paired controller with one connection to ask on and one to listen on. */
export class Controller {
  readonly #bridge: Bridge;
  readonly #emitter = new EventEmitter<{ received: [ActivityEntry] }>();
  #client: HttpClient;
  #listener: HttpClient | null = null;

  static async pair(bridge: Bridge): Promise<Controller> {
    const controller = new Controller(bridge);
    await controller.#client.pairSetup(bridge.pin);
    return controller;
  }

  private constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.#client = this.#connect();
    this.#emitter.setMaxListeners(0);
  }

  /** Every lock that the bridge shows, by name, and the shapes of their accessories. */
  async locks(): Promise<{ readonly points: readonly LockPoints[]; readonly shapes: ReadonlySet<string> }> {
    const { accessories } = await this.#client.getAccessories();
    const listed = accessories.map((accessory) => describe(accessory));
    const locks = listed.filter(({ points }) => points !== null);
    return {
      points: locks
        .flatMap(({ points }) => points ?? [])
        .sort((left, right) => left.name.localeCompare(right.name)),
      shapes: new Set(locks.map(({ shape }) => shape)),
    };
  }

  /** The raw answer, so that its parsing is not timed. */
  async read(ids: readonly string[]): Promise<unknown> {
    return this.#client.getCharacteristics([...ids]);
  }

  /** Values by address; undefined where the bridge answered a status. */
  async values(ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const answer = characteristics.parse(await this.read(ids));
    return new Map(
      answer.characteristics.map(({ aid, iid, value }) => [`${String(aid)}.${String(iid)}`, value] as const),
    );
  }

  /** Writes in one request, as a tap or a scene; resolves when answered, and throws when one was not taken. */
  async write(values: Readonly<Record<string, number>>): Promise<void> {
    const failed = await this.tryToWrite(values);
    if (failed.length > 0) {
      throw new Error(`Writes were refused with ${failed.join(', ')}`);
    }
  }

  /** Resolves with the statuses of refused writes. */
  async tryToWrite(values: Readonly<Record<string, number>>): Promise<readonly number[]> {
    const answer = characteristics.parse(await this.#client.setCharacteristics({ ...values }));
    return answer.characteristics.map(({ status }) => status).filter((status) => status !== 0);
  }

  /** Hears of these from now on, on a connection of its own. */
  async listen(ids: readonly string[]): Promise<void> {
    await this.#listener?.close();
    const listener = this.#connect(this.#client.getLongTermData() ?? undefined);
    this.#listener = listener;
    listener.on('event', (message: unknown) => {
      const at = performance.now();
      // Apple's devices read the events of one message from its end, and hap-nodejs writes them so.
      for (const { aid, iid, value } of characteristics.parse(message).characteristics.toReversed()) {
        this.#emitter.emit('received', { id: `${String(aid)}.${String(iid)}`, value, at });
      }
    });
    await listener.subscribeCharacteristics([...ids]);
  }

  /** Resolves when each of these was heard, in any order, with the instant of the last one. */
  async received(wanted: Readonly<Record<string, number>>): Promise<number> {
    const missing = new Map(Object.entries(wanted));
    const { promise, resolve } = Promise.withResolvers<number>();
    const look = ({ id, value, at }: ActivityEntry): void => {
      if (missing.get(id) === value) {
        missing.delete(id);
        if (missing.size === 0) {
          resolve(at);
        }
      }
    };
    this.#emitter.on('received', look);
    try {
      return await within(promise, EVENT_WITHIN_MS, () => `No event for ${JSON.stringify([...missing])}`);
    } finally {
      this.#emitter.off('received', look);
    }
  }

  /** The same home on a connection of its own, as of another home hub. */
  another(): Controller {
    const other = new Controller(this.#bridge);
    other.#client = this.#connect(this.#client.getLongTermData() ?? undefined);
    return other;
  }

  /** Forgets its connections: the bridge is another process now. */
  async reconnect(): Promise<void> {
    const pairing = this.#client.getLongTermData() ?? undefined;
    await this.close();
    this.#client = this.#connect(pairing);
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#listener?.close();
    this.#listener = null;
  }

  #connect(pairing?: ConstructorParameters<typeof HttpClient>[3]): HttpClient {
    const { username, port } = this.#bridge;
    return new HttpClient(username, '127.0.0.1', port, pairing, { usePersistentConnections: true });
  }
}

type Accessory = Awaited<ReturnType<HttpClient['getAccessories']>>['accessories'][number];

function describe({ aid, services }: Accessory): Listed {
  const all = services.flatMap(({ type: service, characteristics: found }) =>
    found.map(({ type, iid, value }) => ({
      service: uuid.toLongForm(service),
      type: uuid.toLongForm(type ?? ''),
      id: `${String(aid)}.${String(iid)}`,
      value,
    })),
  );
  const idOf = (kind: { readonly UUID: string }, of = Service.LockMechanism.UUID): string | undefined =>
    all.find(({ service, type }) => service === of && type === kind.UUID)?.id;
  const name = String(
    all.find(
      ({ service, type }) =>
        service === Service.AccessoryInformation.UUID && type === Characteristic.Name.UUID,
    )?.value,
  );
  const current = idOf(Characteristic.LockCurrentState);
  const target = idOf(Characteristic.LockTargetState);
  const motion = idOf(Characteristic.MotionDetected, Service.LockManagement.UUID);
  return {
    name,
    shape: all
      .map(({ service, type }) => `${service} ${type}`)
      .sort()
      .join('\n'),
    points: current === undefined || target === undefined ? null : { name, current, target, motion },
  };
}
