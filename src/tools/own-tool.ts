// Owns the account for a tool: until it is closed, or until a resident process requests the account.

import { App } from '../app/app.ts';
import type { ComposeParts } from '../app/compose-parts.ts';
import { message } from '../domain/language/message.ts';
import type { PanelApi } from '../panel/operations/panel-api.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import { NotBegunError } from '../panel/socket/not-begun.ts';
import { type PanelCall, type PanelResults, unanswered } from '../panel/socket/panel-client.ts';
import type { NextOwner } from '../panel/socket/protocol.ts';
import { type Clock, delay } from '../support/clock.ts';
import { RetryError, UncertainError } from '../support/errors.ts';

/** Time for calls in progress when another process requests the account, in milliseconds: less than its wait of 5 s. */
const LAST_CALLS_MS = 3_000;

/** Time for calls of other processes when this one has what it came for, in milliseconds (our choice). */
const OTHERS_CALLS_MS = 10_000;

export class OwnTool {
  readonly through = 'alone';
  readonly ended: Promise<NextOwner>;
  readonly #clock: Clock;
  readonly #app: App;
  readonly #calls = new Set<{ readonly answer: Promise<unknown>; readonly lose: () => void }>();
  readonly #end: (next: NextOwner) => void;
  #closing: Promise<void> | null = null;

  /**
   * Composes the modules; nothing is called yet. Throws as `App` does. `onObstacle` receives the reason why the account
   * cannot be taken, as a line for a person.
   */
  constructor(parts: ComposeParts, onObstacle: (line: string) => void) {
    const { config, homebridgeFolder, clock, log, random } = parts;
    const { promise, resolve } = Promise.withResolvers<NextOwner>();
    this.ended = promise;
    this.#end = resolve;
    this.#clock = clock;
    this.#app = new App({
      config,
      homebridgeFolder,
      clock,
      log,
      random,
      resident: false,
      onObstacle,
      onAskedToStepBack: () => {
        void this.#handOver();
        return true;
      },
    });
  }

  /** Where this process listens once the account is its own. */
  get socketPath(): string {
    return this.#app.socketPath;
  }

  get owns(): boolean {
    return this.#app.runtime.linkState() !== 'other-process';
  }

  /** Contends for the account; resolves once it is owned and the service was called for the first time. */
  async start(signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const aborted = new Promise<never>((_resolve, reject) => {
      const stop = (): void => reject(new RetryError('aborted', 'Stopped before the account was open.'));
      signal.addEventListener('abort', stop, { once: true, signal: enough.signal });
    });
    try {
      signal.throwIfAborted();
      await Promise.race([this.#app.start(), aborted]);
    } finally {
      enough.abort();
    }
  }

  readonly call: PanelCall = async <Name extends keyof PanelApi>(
    operation: Name,
    input?: unknown,
  ): Promise<PanelResults[Name]> => {
    if (this.#closing !== null) {
      // The state of this process does not change any more: a subscriber would wait for ever.
      await this.ended;
      throw new NotBegunError();
    }
    const perform: (input: unknown) => Promise<unknown> = this.#app.operations[operation];
    const { promise: lost, reject } = Promise.withResolvers<never>();
    const call = {
      answer: perform(input),
      lose: (): void => {
        const error = new UncertainError(
          message('This process lost the account before the call was answered.'),
        );
        reject(unanswered(operation, error));
      },
    };
    this.#calls.add(call);
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler loses which operation the name names
      return (await Promise.race([call.answer, lost])) as PanelResults[Name];
    } finally {
      this.#calls.delete(call);
    }
  };

  subscribe(listener: (event: PanelEvent) => void): () => void {
    return this.#app.subscribe(listener);
  }

  /** Calls of other processes come to their end first. */
  async close(): Promise<void> {
    this.#closing ??= this.#disposed();
    return this.#closing;
  }

  async #disposed(): Promise<void> {
    try {
      await this.#app.hangUp(OTHERS_CALLS_MS, 'none');
      await this.#app.dispose();
    } finally {
      this.#end('expected');
      for (const { lose } of this.#calls) {
        lose();
      }
    }
  }

  /** Commands in flight get a moment to end; the next owner follows the rest from the journal. */
  async #handOver(): Promise<void> {
    const enough = new AbortController();
    const timeout = delay(this.#clock, LAST_CALLS_MS, enough.signal).catch(() => {});
    const own = Promise.allSettled([...this.#calls].map(async ({ answer }) => answer));
    await Promise.all([Promise.race([own, timeout]), this.#app.hangUp(LAST_CALLS_MS, 'expected')]);
    enough.abort();
    await this.close();
  }
}
