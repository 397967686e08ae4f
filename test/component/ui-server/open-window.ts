// A window of the Homebridge UI over a server of ours in the same process: its requests, and its events.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RequestError } from '@homebridge/plugin-ui-utils';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/support/clock.ts';
import { AccountService, type WindowEvent } from '../../../src/ui-server/account-service.ts';
import { answerRequests } from '../../../src/ui-server/window-requests.ts';
import { keptLog } from '../../support/kept-log.ts';

type Block = Readonly<Record<string, unknown>>;

export interface WindowPlace {
  /** Homebridge's storage folder. */
  readonly folder: string;
  readonly clock: Clock;
}

/** The error of a failed request at the page. */
export interface Failure {
  readonly message: string;
  readonly error: unknown;
}

export class OpenWindow {
  readonly reported: WindowEvent[] = [];
  readonly lines: string[] = [];
  readonly #folder: string;
  readonly #api: AccountService;
  readonly #answers = new Map<string, (body: unknown) => Promise<object>>();

  constructor({ folder, clock }: WindowPlace) {
    this.#folder = folder;
    const log = keptLog(this.lines);
    this.#api = new AccountService({
      folder,
      configFile: join(folder, 'config.json'),
      clock,
      logOf: () => log,
      random: () => 0.5,
      emit: (payload) => {
        this.reported.push(payload);
      },
    });
    answerRequests({ onRequest: (path, answer) => this.#answers.set(path, answer) }, this.#api, log);
    onTestFinished(async () => this.close());
  }

  /** The blocks that the page or a person writes into config.json. */
  write(...platforms: readonly Block[]): void {
    this.writeText(JSON.stringify({ bridge: {}, platforms: [{ platform: 'config' }, ...platforms] }));
  }

  writeText(text: string): void {
    writeFileSync(join(this.#folder, 'config.json'), text);
  }

  async ask(path: string, body?: unknown): Promise<unknown> {
    return this.#answers.get(path)?.(body);
  }

  async call(operation: string, input?: unknown, account = 'Latchkey'): Promise<unknown> {
    return this.ask('/call', { account, operation, input });
  }

  /** The failure of something that was asked; it must be one that the Homebridge UI hands on whole. */
  async failure(asked: Promise<unknown>): Promise<Failure> {
    const thrown = await asked.then(
      () => new Error('It did not fail'),
      (error: unknown) => error,
    );
    if (!(thrown instanceof RequestError)) {
      throw thrown;
    }
    const error: unknown = thrown.requestError;
    return { message: thrown.message, error };
  }

  async close(): Promise<void> {
    await this.#api.close();
  }
}
