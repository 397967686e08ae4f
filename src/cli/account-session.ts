// The account for the length of one command, whoever owns it meanwhile: when it changes hands, it is opened again.
import { type AccountTool, openAsTool } from '../app/account-tool.ts';
import type { LockView } from '../panel/lock-view.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { Log } from '../support/log.ts';
import type { Account } from './homebridge-config.ts';
import type { Terminal } from './terminal.ts';

/** A successor that asked for the account has it within this time, in milliseconds: it tries once a second, and a
 * plugin that is restarted is up again. */
const SUCCESSION_MS = 15_000;

/** Somebody who wants to hear of the account for longer than one call. */
export interface Listener {
  readonly hear: (event: PanelEvent) => void;
  /** The account was out of reach for a moment: this is how the locks are now. What happened between is not told. */
  readonly resumed: (locks: readonly LockView[]) => void;
  /** It could not be opened again. */
  readonly lost: (error: unknown) => void;
}

export class AccountSession {
  readonly #account: Account;
  readonly #terminal: Terminal;
  readonly #log: Log;
  readonly #listeners = new Set<Listener>();
  #tool: Promise<AccountTool> | null = null;
  #closed = false;

  constructor(account: Account, terminal: Terminal, log: Log) {
    this.#account = account;
    this.#terminal = terminal;
    this.#log = log;
  }

  /** The account, opened when it is first wanted. Rejects as `openAsTool` does. */
  async tool(): Promise<AccountTool> {
    this.#tool ??= this.#open(0);
    return this.#tool;
  }

  /** Hears everything from now on, until the returned function is called. The account must have been opened. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Gives the account back, even one that is only just being opened. */
  async close(): Promise<void> {
    this.#closed = true;
    try {
      await (await this.#tool)?.close();
    } catch {
      // What could not be opened was told to whoever asked for it, and holds nothing.
    }
  }

  async #open(leaveToOthersMs: number): Promise<AccountTool> {
    const { clock, chance, stopped } = this.#terminal;
    const { config, folder } = this.#account;
    const tool = await openAsTool({
      config,
      homebridgeFolder: folder,
      clock,
      log: this.#log,
      chance,
      signal: stopped,
      leaveToOthersMs,
    });
    tool.subscribe((event) => {
      for (const listener of this.#listeners) {
        listener.hear(event);
      }
    });
    void tool.ended.then(async () => this.#reopen());
    return tool;
  }

  /** Whoever asked for the account comes first; only when nobody takes it is it opened here again. */
  async #reopen(): Promise<void> {
    if (this.#closed || this.#listeners.size === 0) {
      return;
    }
    this.#tool = this.#open(SUCCESSION_MS);
    try {
      const tool = await this.#tool;
      const locks = await tool.call('locks');
      for (const listener of this.#listeners) {
        listener.resumed(locks);
      }
    } catch (error) {
      for (const listener of this.#listeners) {
        listener.lost(error);
      }
    }
  }
}
