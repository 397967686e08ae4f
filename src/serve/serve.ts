// Runs one account as a service of its own, without Homebridge, until it is stopped.

import { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { Demo } from '../demo/demo.ts';
import type { Clock } from '../support/clock.ts';
import { LatchkeyError, messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { startPersistently } from '../support/persistent-start.ts';
import { t } from '../words/translate.ts';
import { accountMetrics, accountUnready } from './account-metrics.ts';
import { StatusPlace } from './status-place.ts';

export interface ServeParts {
  readonly config: Config;
  /** The folder in which the account is kept, as Homebridge's storage path is. */
  readonly folder: string;
  /** The file with the account's options; left out, `config.json` of the folder. */
  readonly configFile?: string;
  /** The command that gives a login to the dashboard. */
  readonly login: string;
  /** Receives a login to the dashboard, good once, at the start; left out, none is made. */
  readonly onLogin?: (url: string) => void;
  /** Where health, readiness and figures are served; port 0 takes a free one. */
  readonly statusAt: { readonly host: string; readonly port: number };
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Aborted by the system's request to stop. */
  readonly stopped: AbortSignal;
}

/** Resolves once it was stopped and everything is closed. Rejects when it cannot be started, and never will be. */
export async function serve(parts: ServeParts): Promise<void> {
  const service = new AccountService(parts);
  try {
    await service.run();
  } finally {
    await service.close();
  }
}

class AccountService {
  readonly #parts: ServeParts;
  #app: App | null = null;
  #demo: Demo | null = null;
  #status: StatusPlace | null = null;
  #stopTrying = (): void => {};
  readonly #ended = Promise.withResolvers<void>();

  constructor(parts: ServeParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { config, statusAt, stopped, clock, log } = this.#parts;
    const stop = (): void => this.#ended.resolve();
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) {
      return;
    }
    this.#status = new StatusPlace(
      {
        ...statusAt,
        unready: async () => accountUnready(this.#app?.operations ?? null),
        metrics: async () => [
          ...(await accountMetrics(this.#app?.operations ?? null)),
          ...(this.#app?.metrics() ?? []),
        ],
      },
      clock,
      log,
    );
    await this.#status.open();
    if (config.demo) {
      await this.#beginDemo();
    } else {
      this.#begin(config);
    }
    await this.#ended.promise;
  }

  async close(): Promise<void> {
    this.#stopTrying();
    await this.#app?.dispose();
    await this.#demo?.close();
    await this.#status?.close();
  }

  async #beginDemo(): Promise<void> {
    const { config, folder, clock, log } = this.#parts;
    this.#demo = new Demo({
      config,
      homebridgeFolder: folder,
      clock,
      log,
      howToEnd: t('Ctrl-C ends the demo.'),
    });
    const opened = await this.#demo.open();
    if (opened !== null) {
      this.#begin({ ...opened, webhooks: config.webhooks });
    }
  }

  /** Tries again while the disk prevents it; any other error ends the service. */
  #begin(config: Config): void {
    const { clock, log } = this.#parts;
    this.#stopTrying = startPersistently(clock, log, () => {
      try {
        this.#launch(config);
      } catch (error) {
        if (error instanceof LatchkeyError && error.disposition === 'retry') {
          throw error;
        }
        this.#ended.reject(error);
      }
    });
  }

  #launch(config: Config): void {
    const { folder, configFile, clock, log, random, login } = this.#parts;
    const app = new App({
      config,
      homebridgeFolder: folder,
      ...(configFile === undefined ? {} : { configFile }),
      clock,
      log,
      random,
      resident: true,
      howToLogIn: t('To log in, run "{command}".', { command: login }),
      onAskedToStepBack: () => false,
    });
    this.#app = app;
    app.start().then(
      async () => this.#opened(app),
      (error: unknown) => {
        log.error(t('The account could not be opened: {why}', { why: messageOf(error) }));
      },
    );
  }

  async #opened(app: App): Promise<void> {
    await this.#demo?.link(app.operations);
    await this.#greet(app);
  }

  /** For a service without a terminal beside it: its output is where a person looks. */
  async #greet(app: App): Promise<void> {
    const { config, onLogin, log } = this.#parts;
    if (onLogin === undefined || config.panel === null) {
      return;
    }
    try {
      const { url } = await app.operations['panel.login']({});
      onLogin(url);
    } catch (error) {
      log.warn(messageOf(error));
    }
  }
}
