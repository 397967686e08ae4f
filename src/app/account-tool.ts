// The account for a tool that a person runs: through whoever owns it, or, when nobody does, on its own for a while.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { PanelApi } from '../panel/panel-api.ts';
import { type PanelCall, PanelClient, type PanelResults } from '../panel/panel-client.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { LeaseHolder } from '../storage/owner-lease.ts';
import { openStorage } from '../storage/storage.ts';
import { type Clock, delay } from '../support/clock.ts';
import { LatchkeyError, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { accountPlace } from './account-place.ts';
import { App } from './app.ts';

export interface ToolParts {
  readonly config: Config;
  /** Homebridge's storage path. */
  readonly homebridgeFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, for jitter. */
  readonly chance: () => number;
  /** Ends the wait for the account. */
  readonly signal: AbortSignal;
  /** For how long to leave the account to a successor that was just promised it, in milliseconds; 0 when none was. */
  readonly leaveToOthersMs?: number;
}

/** The account as a tool uses it. */
export interface AccountTool {
  /** Whether another process owns the account, or this one does for as long as the tool runs. */
  readonly through: 'owner' | 'alone';
  readonly call: PanelCall;
  subscribe(listener: (event: PanelEvent) => void): () => void;
  /** Resolves when the account is out of reach: the owner hung up, or asked for it and has it. Open it anew then. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** How often to look for an owner that is expected, in milliseconds. */
const LOOK_EVERY_MS = 200;

/** How long calls under way may still take once another process asked for the account, in milliseconds: less than the
 * five seconds that it waits. */
const LAST_CALLS_MS = 3_000;

/**
 * Opens the account: rejects with `not-permitted` when its owner is another user, with what `App` throws when it cannot
 * be opened, and with `aborted` when the signal comes first.
 */
export async function openAsTool(parts: ToolParts): Promise<AccountTool> {
  const { clock, leaveToOthersMs = 0 } = parts;
  const until = clock.monotonic() + leaveToOthersMs;
  for (;;) {
    const owner = await reachOwner(parts);
    if (owner !== null) {
      return owner;
    }
    if (clock.monotonic() >= until) {
      return openAlone(parts);
    }
    await delay(clock, LOOK_EVERY_MS, parts.signal);
  }
}

/** Who holds the account as far as its file tells, dead or alive; null when nobody does, or it was never opened. */
export function ownerOf({
  config,
  homebridgeFolder,
  clock,
  log,
}: Pick<ToolParts, 'config' | 'homebridgeFolder' | 'clock' | 'log'>): LeaseHolder | null {
  const { databaseFile } = accountPlace(homebridgeFolder, config);
  if (!existsSync(databaseFile)) {
    return null;
  }
  const storage = openStorage({ path: databaseFile, clock, log, ownerId: randomUUID() });
  try {
    return storage.lease.current();
  } finally {
    storage.close();
  }
}

/** The owner's ear, or null when there is no owner that listens. */
async function reachOwner(parts: ToolParts): Promise<AccountTool | null> {
  const { clock, log } = parts;
  const path = ownerOf(parts)?.socketPath;
  if (path === undefined) {
    return null;
  }
  try {
    const client = await PanelClient.connect({ path, clock, log });
    return {
      through: 'owner',
      call: client.call,
      subscribe: (listener) => client.subscribe(listener),
      ended: client.closed,
      close: async () => client.close(),
    };
  } catch (error) {
    if (error instanceof LatchkeyError && error.disposition !== 'final') {
      log.debug(`No owner of the account listens: ${error.message}`);
      return null;
    }
    throw error;
  }
}

async function openAlone(parts: ToolParts): Promise<AccountTool> {
  const tool = new OwnTool(parts);
  try {
    await tool.start(parts.signal);
    return tool;
  } catch (error) {
    await tool.close();
    throw error;
  }
}

/** Owns the account until it is closed, or until somebody who stays asks for it. */
class OwnTool implements AccountTool {
  readonly through = 'alone';
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #app: App;
  readonly #calls = new Set<Promise<unknown>>();
  readonly #end: () => void;
  #closing: Promise<void> | null = null;

  constructor({ config, homebridgeFolder, clock, log, chance }: ToolParts) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#clock = clock;
    this.#app = new App({
      config,
      homebridgeFolder,
      clock,
      log,
      chance,
      resident: false,
      onAskedToStepBack: () => {
        void this.#handOver();
        return true;
      },
    });
  }

  /** Resolves once the account is ours and the service was asked for the first time. */
  async start(signal: AbortSignal): Promise<void> {
    const enough = new AbortController();
    const aborted = new Promise<never>((_resolve, reject) => {
      const stop = (): void => {
        reject(new RetryError('aborted', 'Stopped before the account was open.'));
      };
      signal.addEventListener('abort', stop, { once: true, signal: enough.signal });
    });
    try {
      signal.throwIfAborted();
      await Promise.race([this.#app.start(), aborted]);
    } finally {
      enough.abort();
    }
    // Whoever lost the account, as a machine does that slept, is no owner to talk through.
    this.#app.house.subscribe((happening) => {
      if (happening.type === 'link-changed' && happening.state === 'elsewhere') {
        void this.close();
      }
    });
  }

  readonly call: PanelCall = async <Name extends keyof PanelApi>(
    operation: Name,
    input?: unknown,
  ): Promise<PanelResults[Name]> => {
    const perform: (input: unknown) => Promise<unknown> = this.#app.operations[operation];
    const call = perform(input);
    this.#calls.add(call);
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler loses which operation the name names
      return (await call) as PanelResults[Name];
    } finally {
      this.#calls.delete(call);
    }
  };

  subscribe(listener: (event: PanelEvent) => void): () => void {
    return this.#app.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#app.dispose().finally(this.#end);
    return this.#closing;
  }

  /** What was begun is let through for a moment; whatever is still open then, the next owner follows from the journal. */
  async #handOver(): Promise<void> {
    const enough = new AbortController();
    const patience = delay(this.#clock, LAST_CALLS_MS, enough.signal).catch(() => {});
    await Promise.race([Promise.allSettled(this.#calls), patience]);
    enough.abort();
    await this.close();
  }
}
