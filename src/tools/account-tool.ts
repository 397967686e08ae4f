// Gives a tool access to an account: through its owner process, or by owning it when there is none.

import type { ComposeParts } from '../app/compose-parts.ts';
import { message } from '../domain/language/message.ts';
import { OwnerSearch } from '../ownership/owner-search.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { PanelCall, PanelClient } from '../panel/socket/panel-client.ts';
import type { NextOwner } from '../panel/socket/protocol.ts';
import { type CancelTimer, delay } from '../support/clock.ts';
import { RetryError } from '../support/errors.ts';
import { t } from '../words/translate.ts';
import { OwnTool } from './own-tool.ts';

export interface ToolParts extends ComposeParts {
  /** Ends the wait for the account. */
  readonly signal: AbortSignal;
  /** Receives a line for a person when the account is not available at once; left out, the log does. */
  readonly emit?: (line: string) => void;
  /** How long to leave the account to a promised successor, in milliseconds; 0 without one. */
  readonly leaveToOthersMs?: number;
}

/** The account as a tool uses it. */
export interface AccountTool {
  /** Whether another process owns the account, or this one does for as long as the tool runs. */
  readonly through: 'owner' | 'alone';
  readonly call: PanelCall;
  subscribe(listener: (event: PanelEvent) => void): () => void;
  /** Resolves when the account is out of reach: the owner disconnected, or took it over. Reopen it then. */
  readonly ended: Promise<NextOwner>;
  close(): Promise<void>;
}

/** How often to look for an owner that is expected, in milliseconds. */
const CHECK_EVERY_MS = 200;

/** How often to look again for one that did not answer, in milliseconds: an owner that was held up is there again. */
const FIND_EVERY_MS = 1_000;

/** Delay before the wait is explained to the person, in milliseconds. */
const EXPLAIN_AFTER_MS = 2_000;

/** For how long to wait for an owner that does not answer, in milliseconds: one that is stopped keeps the account (our choice). */
const CONTEND_FOR_MS = 33_000;

/**
 * Opens the account. Rejects with `not-permitted` when its owner is another user, `timed-out` when a living owner has
 * not answered for some 40 s, `aborted` when the signal comes first, and with the errors of `App` when it cannot be
 * opened.
 */
export async function openAsTool(parts: ToolParts): Promise<AccountTool> {
  const opening = new Opening(parts);
  try {
    return await opening.open();
  } catch (error) {
    throw parts.signal.aborted
      ? new RetryError('aborted', 'Stopped before the account was open.', { cause: error })
      : error;
  } finally {
    opening.done();
  }
}

class Opening {
  readonly #parts: ToolParts;
  readonly #emit: (line: string) => void;
  readonly #search: OwnerSearch;
  readonly #explainTimer: CancelTimer;
  #own: OwnTool | null = null;
  /** Why the account is not owned yet; null while no reason is known. */
  #obstacle: string | null = null;

  constructor(parts: ToolParts) {
    this.#parts = parts;
    this.#emit = parts.emit ?? ((line) => parts.log.info(line));
    this.#search = new OwnerSearch(parts);
    this.#explainTimer = parts.clock.after((parts.leaveToOthersMs ?? 0) + EXPLAIN_AFTER_MS, () =>
      this.#explain(),
    );
  }

  async open(): Promise<AccountTool> {
    const { clock, signal, leaveToOthersMs = 0 } = this.#parts;
    const until = clock.monotonic() + leaveToOthersMs;
    for (;;) {
      const owner = await this.#search.find(signal);
      if (owner !== null) {
        return through(owner);
      }
      if (clock.monotonic() >= until) {
        return this.#contend();
      }
      await delay(clock, CHECK_EVERY_MS, signal);
    }
  }

  done(): void {
    this.#explainTimer();
  }

  /** Tries to own the account, and goes on looking for an owner meanwhile: one that was held up may answer again. */
  async #contend(): Promise<AccountTool> {
    const own = new OwnTool(this.#parts, (line) => {
      this.#obstacle = line;
    });
    this.#own = own;
    try {
      const owner = await this.#ownedOrFound(own);
      if (owner === null) {
        return own;
      }
      await own.close();
      return through(owner);
    } catch (error) {
      await own.close();
      throw error;
    }
  }

  /** Null when the account is our own, else its owner. */
  async #ownedOrFound(own: OwnTool): Promise<PanelClient | null> {
    const { clock, signal } = this.#parts;
    const giveUpAt = clock.monotonic() + CONTEND_FOR_MS;
    const ours = new AbortController();
    const started = own.start(signal).finally(() => ours.abort());
    const either = AbortSignal.any([signal, ours.signal]);
    while (!ours.signal.aborted) {
      await Promise.race([started, delay(clock, FIND_EVERY_MS, either).catch(() => {})]);
      const owner = own.owns ? null : await this.#findAgain(either, own.socketPath);
      if (owner !== null && !own.owns) {
        return owner;
      }
      await owner?.close();
      if (!own.owns && clock.monotonic() >= giveUpAt) {
        throw this.#givenUp();
      }
    }
    await started;
    return null;
  }

  /** A file that cannot be read at the moment names no owner, and the contender reports it as well. */
  async #findAgain(either: AbortSignal, own: string): Promise<PanelClient | null> {
    try {
      return await this.#search.find(either, own);
    } catch (error) {
      if (either.aborted || error instanceof RetryError) {
        return null;
      }
      throw error;
    }
  }

  #explain(): void {
    const { silent } = this.#search;
    if (this.#own?.owns === true) {
      return;
    }
    if (silent !== null) {
      this.#emit(
        t('Process {pid} owns the account and does not answer; waiting for it.', {
          pid: silent.pid,
        }),
      );
    } else if (this.#obstacle !== null) {
      this.#emit(this.#obstacle);
    }
  }

  #givenUp(): RetryError {
    const { silent } = this.#search;
    return silent === null
      ? new RetryError('storage-failed', this.#obstacle ?? message('The account could not be taken.'))
      : new RetryError(
          'timed-out',
          message('Process {pid} owns the account and does not answer.', { pid: String(silent.pid) }),
        );
  }
}

function through(client: PanelClient): AccountTool {
  return {
    through: 'owner',
    call: client.call,
    subscribe: (listener) => client.subscribe(listener),
    ended: client.closed,
    close: async () => client.close(),
  };
}
