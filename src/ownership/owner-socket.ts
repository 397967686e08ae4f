// Connects processes of one account: the owner's socket, and the request to hand the account over.

import { type PanelApi, steppedBack } from '../panel/operations/panel-api.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import { LocalSocketClient } from '../panel/socket/client.ts';
import type { NextOwner } from '../panel/socket/protocol.ts';
import { LocalSocketServer } from '../panel/socket/server.ts';
import type { Clock } from '../support/clock.ts';
import { LatchkeyError, messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';

/** Time for others' calls when the plugin ends, in milliseconds: Homebridge allows 5 s in all. */
const GRACE_MS = 1_000;

/** How long a tool may take to hand the account over, in milliseconds: it ends calls in progress first (our choice). */
const STEPPING_BACK_MS = 5_000;

export class OwnerSocket {
  readonly #parts;
  #server: LocalSocketServer | null = null;
  #closing: Promise<void> | undefined;

  constructor(parts: {
    readonly path: string;
    readonly operations: PanelApi;
    readonly clock: Clock;
    readonly log: Log;
    /** Aborted when this process ends: nothing is opened or waited for any more. */
    readonly ending: AbortSignal;
  }) {
    this.#parts = parts;
  }

  /** Without its socket the owner still does its work; only the pages and the command line cannot reach it. */
  async listen(): Promise<void> {
    const { path, operations, clock, log, ending } = this.#parts;
    if (this.#server !== null) {
      return;
    }
    try {
      const server = await LocalSocketServer.listen(path, operations, clock, log);
      if (ending.aborted) {
        await server.close(0, 'expected');
        return;
      }
      this.#server = server;
    } catch (error) {
      log.warn(t('The pages and the command line cannot reach the plugin: {why}', { why: messageOf(error) }));
    }
  }

  /** Emits an event to every connected process. */
  publish(event: PanelEvent): void {
    this.#server?.publish(event);
  }

  /** Begins no call of others any more, and gives those under way `graceMs` to end. Twice: the first counts. */
  async close(graceMs = GRACE_MS, next: NextOwner = 'expected'): Promise<void> {
    this.#closing ??= this.#server?.close(graceMs, next);
    await this.#closing;
  }

  /** A tool answers, ends its calls and disconnects; the plugin answers that it stays. False: it lives and stays. Never rejects. */
  async askToStepBack(path: string): Promise<boolean> {
    const { clock, log } = this.#parts;
    try {
      return await this.#isGone(await LocalSocketClient.connect({ path, clock, log }));
    } catch (error) {
      log.debug(`The owner of the account could not be asked: ${messageOf(error)}`);
      // Where nothing listens, nothing runs; whoever listens and does not answer may be stopped.
      return error instanceof LatchkeyError && error.code === 'unreachable';
    }
  }

  /** Resolves when the owner has disconnected, or refused, or the wait is over. */
  async #isGone(client: LocalSocketClient): Promise<boolean> {
    const { clock, ending } = this.#parts;
    let isGivenUp = false;
    const hangUp = (): void => {
      isGivenUp = true;
      void client.close();
    };
    const cancel = clock.after(STEPPING_BACK_MS, hangUp);
    ending.addEventListener('abort', hangUp, { once: true });
    try {
      if (ending.aborted || !steppedBack(await client.call('step-back'))) {
        hangUp();
      }
      await client.closed;
      return !isGivenUp;
    } finally {
      cancel();
      ending.removeEventListener('abort', hangUp);
    }
  }
}
