// An account for as long as a tool needs it: reopened when its ownership changes.
import type { Config } from '../config/config.ts';
import type { LockView } from '../panel/lock-view.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import { type AccountTool, openAsTool, type ToolParts } from './account-tool.ts';

/** A successor that asked for the account has it within this time, in milliseconds: it tries once a second, and a
 * plugin that is restarted is up again. */
const SUCCESSION_MS = 15_000;

/** Listens to the account for longer than one call. */
export interface Listener {
  readonly onEvent: (event: PanelEvent) => void;
  /** The account is out of reach, and is being opened again. */
  readonly interrupted?: () => void;
  /** The account was out of reach for a moment: these are the current locks. Events in between are not reported. */
  readonly resumed: (locks: readonly LockView[]) => void;
  /** Reopening failed. `resumed` follows once a later caller opens it. */
  readonly lost: (error: unknown) => void;
}

export class AccountSession {
  readonly #parts: Omit<ToolParts, 'leaveToOthersMs'>;
  readonly #listeners = new Set<Listener>();
  #tool: Promise<AccountTool> | null = null;
  /** The listeners know that the account is out of reach, and not yet that it is back. */
  #interrupted = false;
  readonly #closing = new AbortController();

  constructor(parts: Omit<ToolParts, 'leaveToOthersMs'>) {
    this.#parts = parts;
  }

  /** The account's config.json now; the owner may have been started with another one. */
  get config(): Config {
    return this.#parts.config;
  }

  /** The account, opened on demand. Rejects as `openAsTool` does. */
  async tool(): Promise<AccountTool> {
    return this.#tool ?? this.#open(0);
  }

  /** Calls the listener with every event until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Gives the account back, even one that is only just being opened. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The account is not wanted any more'));
    try {
      await (await this.#tool)?.close();
    } catch {
      // The caller has had the error, and nothing is open.
    }
  }

  /** A failed opening is retried by the next caller. */
  async #open(leaveToOthersMs: number): Promise<AccountTool> {
    const opening = this.#opened(leaveToOthersMs);
    this.#tool = opening;
    try {
      return await opening;
    } catch (error) {
      this.#tool = null;
      throw error;
    }
  }

  async #opened(leaveToOthersMs: number): Promise<AccountTool> {
    const signal = AbortSignal.any([this.#parts.signal, this.#closing.signal]);
    const tool = await openAsTool({ ...this.#parts, leaveToOthersMs, signal });
    tool.subscribe((event) => {
      for (const listener of this.#listeners) {
        listener.onEvent(event);
      }
    });
    void tool.ended.then(async () => this.#reopen());
    if (this.#interrupted) {
      void this.#resume(tool);
    }
    return tool;
  }

  /** The process that requested the account comes first; it is reopened here only when no process takes it. */
  async #reopen(): Promise<void> {
    if (this.#closing.signal.aborted) {
      return;
    }
    if (this.#listeners.size === 0) {
      this.#tool = null;
      return;
    }
    this.#interrupted = true;
    const opening = this.#open(SUCCESSION_MS);
    for (const listener of this.#listeners) {
      listener.interrupted?.();
    }
    try {
      await opening;
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.#lose(error);
      }
    }
  }

  async #resume(tool: AccountTool): Promise<void> {
    try {
      const locks = await tool.call('locks');
      this.#interrupted = false;
      for (const listener of this.#listeners) {
        listener.resumed(locks);
      }
    } catch (error) {
      this.#lose(error);
    }
  }

  #lose(error: unknown): void {
    for (const listener of this.#listeners) {
      listener.lost(error);
    }
  }
}
