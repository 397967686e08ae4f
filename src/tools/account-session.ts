// An account for as long as a tool needs it: reopened when its ownership changes.
import type { Config } from '../config/config.ts';
import { message } from '../domain/language/message.ts';
import { effectOf, type PanelApi } from '../panel/operations/panel-api.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import { NotBegunError } from '../panel/socket/not-begun.ts';
import type { PanelCall, PanelResults } from '../panel/socket/panel-client.ts';
import type { LockView } from '../panel/views/lock.ts';
import { delay } from '../support/clock.ts';
import { RetryError } from '../support/errors.ts';
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
  /** Until when the account is left to others, by the monotonic clock. */
  #leftUntil = 0;
  readonly #closing = new AbortController();

  constructor(parts: Omit<ToolParts, 'leaveToOthersMs'>) {
    this.#parts = parts;
  }

  /** The account's config.json now; the owner may have been started with another one. */
  get config(): Config {
    return this.#parts.config;
  }

  /** The account, opened on demand. Its calls follow it to its next owner. Rejects as `openAsTool` does. */
  async tool(): Promise<AccountTool> {
    const tool = await this.#opened();
    return { ...tool, call: this.#call };
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
      const answered = this.#repeated(perform, (error) => error instanceof RetryError, enough.signal);
      return await Promise.race([answered, silence]);
    } finally {
      enough.abort();
    }
  }

  /** A call that the owner did not begin, or that only reads, is made again with the next one. */
  readonly #call: PanelCall = async <Name extends keyof PanelApi>(
    operation: Name,
    input?: unknown,
  ): Promise<PanelResults[Name]> => {
    const { clock } = this.#parts;
    let giveUpAt: number | null = null;
    return this.#repeated(
      async (call) => call(operation, input),
      (error) => {
        giveUpAt ??= clock.monotonic() + FOLLOWED_ON_MS;
        return mayFollow(operation, error) && clock.monotonic() < giveUpAt;
      },
    );
  };

  /** Performs the calls, and again with the account's next owner while their error allows it and the session is open. */
  async #repeated<T>(
    perform: (call: PanelCall) => Promise<T>,
    mayRepeat: (error: unknown) => boolean,
    enough?: AbortSignal,
  ): Promise<T> {
    for (;;) {
      const tool = await this.#opened();
      try {
        return await perform(tool.call);
      } catch (error) {
        const isLost = mayRepeat(error) && (await hasEnded(tool, error, this.#parts.clock));
        // A session that is closed keeps the tool that has ended: it has no next owner.
        if (!isLost || enough?.aborted === true || this.#closing.signal.aborted) {
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

  /** The process that asked for the account comes first: taking it back at once would interrupt both. */
  async #opened(): Promise<AccountTool> {
    return this.#tool ?? this.#open();
  }

  /** A failed opening is retried by the next caller. */
  async #open(): Promise<AccountTool> {
    const opening = this.#openOnce();
    this.#tool = opening;
    try {
      return await opening;
    } catch (error) {
      this.#tool = null;
      throw error;
    }
  }

  async #openOnce(): Promise<AccountTool> {
    const signal = AbortSignal.any([this.#parts.signal, this.#closing.signal]);
    const { clock } = this.#parts;
    const leaveToOthersMs = Math.max(this.#leftUntil - clock.monotonic(), 0);
    const opened = await openAsTool({ ...this.#parts, leaveToOthersMs, signal });
    const tool = readingTwice(opened, clock, signal);
    tool.subscribe((event) => {
      for (const listener of this.#listeners) {
        listener.onEvent(event);
      }
    });
    void this.#followed(tool);
    if (this.#interrupted) {
      void this.#resume(tool);
    }
    return tool;
  }

  async #followed(tool: AccountTool): Promise<void> {
    const next = await tool.ended;
    this.#leftUntil = next === 'expected' ? this.#parts.clock.monotonic() + SUCCESSION_MS : 0;
    await this.#reopen();
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
    const opening = this.#open();
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

/** How long a person has waited is a part of these calls, and is to be said anew. */
const TIMED: ReadonlySet<keyof PanelApi> = new Set(['move']);

function mayFollow(operation: keyof PanelApi, error: unknown): boolean {
  const isRead = effectOf(operation) === 'reads' && error instanceof RetryError;
  return isRead || (error instanceof NotBegunError && !TIMED.has(operation));
}

/** Whether the account is out of reach, as opposed to an owner that failed to do its work. */
async function hasEnded(tool: AccountTool, error: unknown, clock: ToolParts['clock']): Promise<boolean> {
  const enough = new AbortController();
  // An owner that has begun to close ends the calls before first.
  const withinMs = error instanceof NotBegunError ? FOLLOWED_ON_MS : ENDS_WITHIN_MS;
  const stays = delay(clock, withinMs, enough.signal).then(
    () => false,
    () => true,
  );
  const ends = await Promise.race([tool.ended.then(() => true), stays]);
  enough.abort();
  return ends;
}
