// Keeps health, readiness and figures served: while another program has the port, the account runs without them.
import type { CancelTimer, Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { isTaken, type ListenPlace, type OpenServer } from '../support/server/listen.ts';
import { type ServiceStatus, startStatusServer } from '../support/server/status-server.ts';
import { t } from '../words/translate.ts';

/** Our choice, in milliseconds. */
const RETRY_MS = 60_000;

export class StatusPlace {
  readonly #status: ListenPlace & ServiceStatus;
  readonly #clock: Clock;
  readonly #log: Log;
  #server: OpenServer | null = null;
  #cancel: CancelTimer = () => {};
  #closed = false;

  constructor(status: ListenPlace & ServiceStatus, clock: Clock, log: Log) {
    this.#status = status;
    this.#clock = clock;
    this.#log = log;
  }

  /** Rejects when the address can never be had. A port that is taken is tried again, with one log line for all. */
  async open(): Promise<void> {
    try {
      await this.#attempt();
    } catch (error) {
      if (!(error instanceof Error && isTaken(error.cause))) {
        throw error;
      }
      this.#log.warn(
        t(
          '{why} Health, readiness and figures are not served until it is free; retrying every minute. A second account needs a port of its own: choose one with {option}.',
          { why: messageOf(error), option: '--status-port' },
        ),
      );
      this.#tryLater();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel();
    await this.#server?.close();
  }

  #tryLater(): void {
    this.#cancel = this.#clock.after(RETRY_MS, () => {
      this.#attempt().catch(() => this.#tryLater());
    });
  }

  async #attempt(): Promise<void> {
    const server = await startStatusServer(this.#status);
    if (this.#closed) {
      await server.close();
      return;
    }
    this.#server = server;
    this.#log.info(
      t('Health, readiness and figures are at {address}.', {
        address: `http://${this.#status.host}:${String(server.port)}`,
      }),
    );
  }
}
