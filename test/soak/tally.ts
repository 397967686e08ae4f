// Counts what happened on a day: calls of the service, events delivered and lost, commands and their ends, looks at Home.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { SoakHouse } from './soak-house.ts';
import type { Look } from './truth.ts';

const REQUEST = 'http.server.request.start';

const attempts = z.array(
  z.object({
    at: z.number(),
    eventId: z.string(),
    attempt: z.number(),
    outcome: z.union([z.number(), z.string()]),
    next: z.string(),
  }),
);

/** Calls of the service, by their purpose. */
const CALLS: readonly (readonly [name: string, method: string, path: RegExp])[] = [
  ['tokens', 'POST', /\/token$/],
  ['listings', 'GET', /\/devices$/],
  ['commands', 'POST', /\/commands$/],
];

export class Tally {
  readonly #house: SoakHouse;
  #counts: Record<string, number> = {};
  #seen = new Set<string>();
  readonly wrong: string[] = [];
  readonly blind: string[] = [];
  readonly #count = (message: unknown): void => {
    const { method, url = '' } = (message as { readonly request: IncomingMessage }).request;
    const path = url.split('?')[0] ?? '';
    if (!path.startsWith('/_control')) {
      this.#add('calls');
      for (const [name, wanted, pattern] of CALLS) {
        if (method === wanted && pattern.test(path)) {
          this.#add(name);
        }
      }
    }
  };
  readonly #forgetWorld: () => void;

  constructor(house: SoakHouse) {
    this.#house = house;
    subscribe(REQUEST, this.#count);
    this.#forgetWorld = house.stage.simulator.world.onEvent((event) => {
      if (event.kind === 'command-ended') {
        this.#add(event.command.state === 'Successful' ? 'commands done' : 'commands failed');
      }
    });
  }

  /** After each scene: the service keeps the last attempts alone. */
  async noteDeliveries(): Promise<void> {
    const answer = await fetch(`${this.#house.stage.simulator.controlUrl}/deliveries`);
    const before = this.#seen;
    this.#seen = new Set();
    for (const { at, eventId, attempt, outcome, next } of attempts.parse(await answer.json())) {
      const key = `${String(at)} ${eventId} ${String(attempt)}`;
      this.#seen.add(key);
      if (before.has(key)) {
        continue;
      }
      if (outcome === 'dropped') {
        this.#add('events lost on purpose');
      } else if (next === 'delivered') {
        this.#add('events delivered');
      } else {
        this.#add(next === 'retry' ? 'deliveries tried again' : 'events given up');
      }
    }
  }

  noteTap(status: number): void {
    this.#add(status === 0 ? 'taps' : 'taps refused');
  }

  noteGuest(kind: string): void {
    this.#add(kind === 'saved' ? 'guests' : 'guests refused');
  }

  noteLook({ looked, wrong, blind }: Look): void {
    this.#add('locks looked at', looked);
    const at = new Date(this.#house.clock.now()).toISOString();
    this.wrong.push(...wrong.map((words) => `${at} ${words}`));
    this.blind.push(...blind.map((words) => `${at} ${words}`));
    this.#add('wrong', wrong.length);
    this.#add('blind', blind.length);
  }

  /** The counts since they were last taken. */
  take(): Readonly<Record<string, number>> {
    const taken = this.#counts;
    this.#counts = {};
    return taken;
  }

  close(): void {
    unsubscribe(REQUEST, this.#count);
    this.#forgetWorld();
  }

  #add(name: string, count = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + count;
  }
}
