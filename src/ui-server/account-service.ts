// Serves the accounts of config.json to one open window, and opens each on its first request.

import type { AccountBlock } from '../config/account-blocks.ts';
import type { Config } from '../config/config.ts';
import { problemLine } from '../config/options/problem-line.ts';
import { readConfig } from '../config/read-config.ts';
import { type Message, message } from '../domain/language/message.ts';
import {
  type Account,
  accountOf,
  type Installation,
  readInstallation,
} from '../installation/installation.ts';
import { type Pairing, pairingOf } from '../installation/pairing.ts';
import { assertOurs } from '../installation/storage-inspection.ts';
import { effectOf, isPageOperation } from '../panel/operations/panel-api.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { PanelCall } from '../panel/socket/panel-client.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { AccountSession } from '../tools/account-session.ts';
import { assertSameService } from '../tools/same-service.ts';
import { t } from '../words/translate.ts';

/** One account as the window lists it. */
export interface AccountRow {
  readonly name: string;
  /** The addresses of the service are there and make sense: the account can be opened. */
  readonly configured: boolean;
  readonly demo: boolean;
  /** The faults of its options, a line each. */
  readonly problems: readonly Message[];
  /** Whether config.json turns its dashboard on. */
  readonly hasDashboard: boolean;
  /** Whether the bridge of its locks is in the Home app. */
  readonly pairing: Pairing;
  /** The process of the window: while it answers for the account, Homebridge does not run the plugin yet. */
  readonly windowPid: number;
}

/** Events of an account for the window. `connected`: whether it can be reached; events in between are not reported. */
export type WindowEvent =
  | { readonly account: string; readonly event: PanelEvent }
  | { readonly account: string; readonly connected: boolean };

interface OpenAccount {
  /** The block that it was opened with. */
  readonly written: string;
  readonly session: Promise<AccountSession>;
}

const SAME_NAME = problemLine('name', message('another account has the same; give each one of its own'));

export class AccountService {
  readonly #parts;
  readonly #open = new Map<string, OpenAccount>();
  readonly #ending = new AbortController();

  constructor(parts: {
    /** Homebridge's storage folder and its config.json, as the Homebridge UI names them; a page cannot. */
    readonly folder: string;
    readonly configFile: string;
    readonly clock: Clock;
    /** The log for one account. */
    readonly logOf: (account: string) => Log;
    /** A number from 0 up to 1. */
    readonly random: () => number;
    readonly emit: (event: WindowEvent) => void;
  }) {
    this.#parts = parts;
  }

  /** The accounts as config.json has them now. Throws a final error (`bad-configuration`) when it cannot be read. */
  accounts(): readonly AccountRow[] {
    const { accounts, whole } = this.#read();
    return accounts.map(({ name, block }) => {
      const reading = readConfig(block);
      const shared = accounts.filter((other) => other.name === name).length > 1;
      const problems = [...(reading.ok ? [] : reading.problems), ...(shared ? [SAME_NAME] : [])];
      return {
        name,
        configured: problems.length === 0 && reading.ok && reading.config.missing.length === 0,
        demo: reading.ok && reading.config.demo,
        problems,
        hasDashboard: reading.ok && reading.config.panel !== null,
        pairing: pairingOf(this.#parts.folder, whole, block),
        windowPid: process.pid,
      };
    });
  }

  /** Runs an operation for a page. Rejects with the errors of `support/errors.ts`. */
  async call(name: string, operation: string, input: unknown): Promise<unknown> {
    if (!isPageOperation(operation)) {
      throw new FinalError('not-permitted', 'A page may not ask for that.');
    }
    const { call, config } = await this.#reach(name);
    if (effectOf(operation) === 'gives-secrets') {
      assertSameService(await call('partner.show'), config.partner);
    }
    return call(operation, input);
  }

  /** A login address of the account's panel. Rejects with `bad-configuration` when that is off. */
  async panelLogin(name: string): Promise<unknown> {
    const { call } = await this.#reach(name);
    return call('panel.login');
  }

  /** Gives every account back. */
  async close(): Promise<void> {
    this.#ending.abort(new Error('The window was closed'));
    await Promise.all([...this.#open.values()].map(async ({ session }) => (await session).close()));
  }

  /** The account's owner, and its options in config.json now. */
  async #reach(name: string): Promise<{ readonly call: PanelCall; readonly config: Config }> {
    const installation = this.#read();
    const block = blockOf(installation, name);
    const account = accountOf(installation, block);
    assertOurs(account);
    const session = await this.#sessionOf(block, account);
    return { call: (await session.tool()).call, config: account.config };
  }

  /** An account opened with another block is closed first: its folder or addresses may differ. */
  async #sessionOf({ name, block }: AccountBlock, account: Account): Promise<AccountSession> {
    const written = JSON.stringify(block);
    const known = this.#open.get(name);
    if (known?.written === written) {
      return known.session;
    }
    const session = (async () => {
      await (await known?.session)?.close();
      return this.#newSession(name, account);
    })();
    this.#open.set(name, { written, session });
    return session;
  }

  #newSession(name: string, { config, folder }: Account): AccountSession {
    const { clock, random, logOf, emit } = this.#parts;
    const log = logOf(name);
    const session = new AccountSession({
      config,
      homebridgeFolder: folder,
      clock,
      log,
      random,
      signal: this.#ending.signal,
    });
    session.listen({
      onEvent: (event) => emit({ account: name, event }),
      interrupted: () => emit({ account: name, connected: false }),
      resumed: () => emit({ account: name, connected: true }),
      lost: (error) => {
        if (!this.#ending.signal.aborted) {
          log.warn(t('The account could not be opened again: {why}', { why: messageOf(error) }));
        }
      },
    });
    return session;
  }

  #read(): Installation {
    return readInstallation(this.#parts.folder, this.#parts.configFile);
  }
}

function blockOf({ accounts }: Installation, name: string): AccountBlock {
  const [block, second] = accounts.filter((account) => account.name === name);
  if (block === undefined) {
    throw new FinalError(
      'bad-configuration',
      message('config.json has no account called "{name}". Save the settings first.', { name }),
    );
  }
  if (second !== undefined) {
    throw new FinalError(
      'bad-configuration',
      message('Several accounts are called "{name}". Give each a name of its own.', { name }),
    );
  }
  return block;
}
