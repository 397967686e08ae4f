// Typed calls of the panel's operations from another process, limited to an owner of the same form.
import { message } from '../../domain/language/message.ts';
import { FinalError, type LatchkeyError, RetryError, UncertainError } from '../../support/errors.ts';
import { CALL_DEADLINES_MS, effectOf, PANEL_FORM, type PanelApi } from '../operations/panel-api.ts';
import { isPanelEvent, type PanelEvent } from '../panel-event.ts';
import { LocalSocketClient } from './client.ts';
import type { NextOwner } from './protocol.ts';

/** The result of each operation. */
export type PanelResults = { readonly [Name in keyof PanelApi]: Awaited<ReturnType<PanelApi[Name]>> };

/** Calls one operation by its name. Rejects with the errors of `support/errors.ts`. */
export type PanelCall = <Name extends keyof PanelApi>(
  operation: Name,
  input?: unknown,
) => Promise<PanelResults[Name]>;

/** How long an owner that has taken the connection may take for its first word, in milliseconds: it answers that from
 * memory, so one that is silent for longer is stopped or hangs (our choice). */
const FIRST_WORD_MS = 5_000;

export class PanelClient {
  readonly #socket: LocalSocketClient;

  private constructor(socket: LocalSocketClient) {
    this.#socket = socket;
  }

  /**
   * Rejects as the local socket does, with `uncertain` when the owner says no first word, and with `bad-configuration`
   * when it is of another version.
   */
  static async connect(to: Parameters<typeof LocalSocketClient.connect>[0]): Promise<PanelClient> {
    const client = new PanelClient(await LocalSocketClient.connect(to));
    const stop = (): void => void client.close();
    to.signal?.addEventListener('abort', stop, { once: true });
    try {
      const status = await client.#socket.call('status', undefined, FIRST_WORD_MS);
      if (!isOfThisForm(status)) {
        throw new FinalError(
          'bad-configuration',
          message(
            'The plugin that runs is of another version than this command. Restart Homebridge, then try again.',
          ),
        );
      }
      return client;
    } catch (error) {
      await client.close();
      throw error;
    } finally {
      to.signal?.removeEventListener('abort', stop);
    }
  }

  /** Resolves when the connection is closed by either side. */
  get closed(): Promise<NextOwner> {
    return this.#socket.closed;
  }

  readonly call: PanelCall = async <Name extends keyof PanelApi>(
    operation: Name,
    input?: unknown,
  ): Promise<PanelResults[Name]> => {
    try {
      const result = await this.#socket.call(operation, input, CALL_DEADLINES_MS[operation]);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same form was agreed upon when we connected
      return result as PanelResults[Name];
    } catch (error) {
      throw error instanceof UncertainError ? unanswered(operation, error) : error;
    }
  };

  /** Calls `listener` with every event until the returned function is called. */
  subscribe(listener: (event: PanelEvent) => void): () => void {
    return this.#socket.subscribe((event) => {
      if (isPanelEvent(event)) {
        listener(event);
      }
    });
  }

  async close(): Promise<void> {
    await this.#socket.close();
  }
}

/** Judges a call without an answer: after a read-only one nothing has changed, and it may be repeated. */
export function unanswered(operation: keyof PanelApi, error: UncertainError): LatchkeyError {
  return effectOf(operation) === 'reads'
    ? new RetryError('timed-out', error.message, { cause: error })
    : error;
}

function isOfThisForm(status: unknown): boolean {
  return typeof status === 'object' && status !== null && 'form' in status && status.form === PANEL_FORM;
}
