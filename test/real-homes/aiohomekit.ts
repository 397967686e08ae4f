// aiohomekit, the HomeKit controller inside Home Assistant, driven by a small program of its own language.
import { join } from 'node:path';
import { z } from 'zod';
import { within } from '../harness/deadline.ts';
import type { Bridge } from '../harness/homebridge.ts';
import type { Message } from './conversation.ts';
import { Program } from './program.ts';
import { HOME_ASSISTANT, pythonOf } from './programs.ts';

const ANSWERED_WITHIN_MS = 90_000;

const accessories = z.array(
  z.object({
    aid: z.number(),
    services: z.array(
      z.object({
        iid: z.number(),
        type: z.string(),
        characteristics: z.array(
          z.looseObject({ iid: z.number(), type: z.string(), value: z.unknown().optional() }),
        ),
      }),
    ),
  }),
);
export type Accessories = z.output<typeof accessories>;

/** `[aid, iid, what]`: the value, or the status of a refusal. */
const told = z.array(z.tuple([z.number(), z.number(), z.unknown()]));
export type Told = z.output<typeof told>;

export class AioHomeKit {
  /** The events in the order in which aiohomekit hands them on; each may carry several characteristics. */
  readonly events: { readonly values: Told; readonly at: number }[] = [];
  /** Whether it calls the bridge available, each time that this changed. */
  readonly availability: boolean[] = [];
  readonly #program: Program;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  #lastId = 0;

  static async start(): Promise<AioHomeKit> {
    const homekit = new AioHomeKit();
    try {
      await homekit.#program.line(/"ready"/, ANSWERED_WITHIN_MS);
    } catch (error) {
      await homekit.close();
      throw error;
    }
    return homekit;
  }

  private constructor() {
    this.#program = new Program(pythonOf(HOME_ASSISTANT), [
      join(import.meta.dirname, 'aiohomekit_driver.py'),
    ]);
    this.#program.onLine((line) => {
      if (line.startsWith('{')) {
        this.#hear(JSON.parse(line) as Message);
      }
    });
  }

  /** Finds the bridge by its announcement and pairs with it. */
  async pair({ username, pin }: Bridge): Promise<Accessories> {
    return accessories.parse(await this.#call('pair', { device: username.toLowerCase(), pin }));
  }

  async accessories(): Promise<Accessories> {
    return accessories.parse(await this.#call('accessories', {}));
  }

  async get(ids: readonly (readonly [number, number])[]): Promise<Told> {
    return z.array(z.tuple([z.number(), z.number(), z.unknown()])).parse(await this.#call('get', { ids }));
  }

  /** What was refused; empty when everything was taken. */
  async put(values: readonly (readonly [number, number, unknown])[]): Promise<Told> {
    return told.parse(await this.#call('put', { values }));
  }

  async subscribe(ids: readonly (readonly [number, number])[]): Promise<void> {
    await this.#call('subscribe', { ids });
  }

  /** The value that its user has after all events so far; undefined before the first one. */
  latest(aid: number, iid: number): unknown {
    const values = this.events.flatMap((event) => event.values);
    const last = values.findLast((each) => each[0] === aid && each[1] === iid)?.[2];
    return typeof last === 'object' && last !== null && 'value' in last ? last.value : last;
  }

  async close(): Promise<void> {
    await this.#program.stop();
  }

  #hear(message: Message): void {
    const { id, event, available } = message;
    if (typeof id === 'number') {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (typeof available === 'boolean') {
      this.availability.push(available);
    } else if (event !== undefined) {
      this.events.push({ values: told.parse(event), at: performance.now() });
    }
  }

  async #call(method: string, parameters: Message): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Message>();
    this.#waiting.set(id, resolve);
    this.#program.write(JSON.stringify({ id, method, arguments: parameters }));
    const log = (): string => this.#program.lines.slice(-30).join('\n');
    const answer = await within(
      promise,
      ANSWERED_WITHIN_MS,
      () => `aiohomekit did not answer ${method}:\n${log()}`,
    );
    if (answer['error'] !== undefined) {
      throw new Error(`aiohomekit, ${method}: ${JSON.stringify(answer['error'])}\n${log()}`);
    }
    return answer['result'];
  }
}
