// An account for as long as a tool needs it: reopened when its ownership changes.
import type { Config } from '../../config/config.ts';
import { message } from '../../domain/language/message.ts';
import type { PanelEvent } from '../../panel/panel-event.ts';
import type { PanelCall } from '../../panel/socket/panel-client.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { delay } from '../../support/clock.ts';
import { RetryError } from '../../support/errors.ts';
import { type AccountTool, openAsTool, type ToolParts } from './account-tool.ts';
import { readingTwice } from './second-reading.ts';

/** A successor that asked for the account has it within this time, in milliseconds: it tries once a second, and a
 * plugin that is restarted is up again. */
const SUCCESSION_MS = 15_000;

/** A caller waits this long for an answer over a change of owners, in milliseconds (faults, row 115). */
const FOLLOWED_ON_MS = 15_000;

/** A connection that failed has ended within this time, in milliseconds (our choice). */
const ENDS_WITHIN_MS = 200;

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
  /** The account was open before, so this process has given it to another one. */
  #wasOpen = false;
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

  /** The account whose owner answers, also when it changed meanwhile. Rejects as `read` does. */
  async reached(): Promise<AccountTool> {
    await this.read(async (call) => call('status'));
    return this.tool();
  }

  /**
   * Calls that only read, made again with the account's next owner when they were not answered. Rejects with `timed-out`
   * when no owner answers for 15 s, with `aborted` when the signal comes first, and as the calls do.
   */
  async read<T>(perform: (call: PanelCall) => Promise<T>): Promise<T> {
    const enough = new AbortController();
    const { clock, signal } = this.#parts;
    const either = AbortSignal.any([enough.signal, signal]);
    const silence = delay(clock, FOLLOWED_ON_MS, either).then(
      () =>
        Promise.reject(
          new RetryError('timed-out', message('No owner of the account answered for 15 seconds.')),
        ),
      () => Promise.reject(new RetryError('aborted', 'Stopped before the account answered.')),
    );
    try {
      return await Promise.race([this.#performed(perform, enough.signal), silence]);
    } finally {
      enough.abort();
    }
  }

  async #performed<T>(perform: (call: PanelCall) => Promise<T>, enough: AbortSignal): Promise<T> {
    for (;;) {
      // The process that asked for the account comes first: taking it back at once would interrupt both.
      const tool = await (this.#tool ?? this.#open(this.#wasOpen ? SUCCESSION_MS : 0));
      try {
        return await perform(tool.call);
      } catch (error) {
        const isLost = error instanceof RetryError && (await hasEnded(tool, this.#parts.clock));
        if (!isLost || enough.aborted) {
          throw error;
        }
      }
    }
  }

  /** Calls the listener with every event until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
    const opened = await openAsTool({ ...this.#parts, leaveToOthersMs, signal });
    const tool = readingTwice(opened, this.#parts.clock, signal);
    this.#wasOpen = true;
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

/** Whether the account is out of reach, as opposed to an owner that failed to do its work. */
async function hasEnded(tool: AccountTool, clock: ToolParts['clock']): Promise<boolean> {
  const enough = new AbortController();
  const stays = delay(clock, ENDS_WITHIN_MS, enough.signal).then(
    () => false,
    () => true,
  );
  const ends = await Promise.race([tool.ended.then(() => true), stays]);
  enough.abort();
  return ends;
}
