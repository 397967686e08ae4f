// Several HomeKit controllers of aiohomekit at one bridge: each applies events as Home Assistant does, and reads nothing by itself.
import { join } from 'node:path';
import { z } from 'zod';
import { Program } from './program.ts';
import { HOME_ASSISTANT, pythonOf } from './programs.ts';

const line = z.union([
  z.object({ answer: z.number(), result: z.unknown(), error: z.string().optional() }),
  z.object({ event: z.string(), values: z.record(z.string(), z.unknown()) }),
]);

/** What a controller was told: values by "aid.iid". */
export interface ToldEvent {
  readonly by: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export class Controllers {
  readonly events: ToldEvent[] = [];
  readonly #program: Program;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastNumber = 0;

  constructor() {
    this.#program = new Program(pythonOf(HOME_ASSISTANT), [
      join(import.meta.dirname, 'controllers_driver.py'),
    ]);
    this.#program.onLine((text) => {
      if (text.startsWith('{')) {
        this.#take(line.parse(JSON.parse(text)));
      }
    });
  }

  async ask(call: string, details: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    this.#lastNumber += 1;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(this.#lastNumber, waiting);
    this.#program.write(JSON.stringify({ number: this.#lastNumber, call, ...details }));
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#program.kill();
  }

  #take(told: z.output<typeof line>): void {
    if ('event' in told) {
      this.events.push({ by: told.event, values: told.values });
      return;
    }
    const waiting = this.#waiting.get(told.answer);
    this.#waiting.delete(told.answer);
    if (told.error === undefined) {
      waiting?.resolve(told.result);
    } else {
      waiting?.reject(new Error(`${told.error}\n${this.#program.lines.join('\n')}`));
    }
  }
}
