// Makes a reading that the service did not answer once more: one bad moment of the service ends no command.
import { effectOf, type PanelApi } from '../panel/operations/panel-api.ts';
import type { PanelCall, PanelResults } from '../panel/socket/panel-client.ts';
import { type Clock, delay } from '../support/clock.ts';
import { RetryError, WaitError } from '../support/errors.ts';
import type { AccountTool } from './account-tool.ts';

/** The pause before it, in milliseconds, where the service names none (our choice). */
const PAUSE_MS = 1_000;

/** A person does not wait longer for it without a word, in milliseconds (our choice). */
const LONGEST_PAUSE_MS = 15_000;

/** What a service in trouble answers; everything else would be the same the next time. */
const PASSING: ReadonlySet<string> = new Set([
  'rate-limited',
  'overloaded',
  'server-fault',
  'unreachable',
  'timed-out',
]);

export function readingTwice(tool: AccountTool, clock: Clock, signal: AbortSignal): AccountTool {
  const call: PanelCall = async <Name extends keyof PanelApi>(
    operation: Name,
    input?: unknown,
  ): Promise<PanelResults[Name]> => {
    const askedAt = clock.monotonic();
    try {
      return await tool.call(operation, input);
    } catch (error) {
      // An answer that was cut off fails early. For one that never came, a person does not wait twice.
      const isEarly = clock.monotonic() - askedAt < LONGEST_PAUSE_MS;
      const pauseMs = isEarly && effectOf(operation) === 'reads' ? pauseAfter(error) : null;
      if (pauseMs === null || !(await isStillThere(tool, clock, pauseMs, signal))) {
        throw error;
      }
      return tool.call(operation, input);
    }
  };
  return {
    through: tool.through,
    call,
    subscribe: (listener) => tool.subscribe(listener),
    ended: tool.ended,
    close: async () => tool.close(),
  };
}

/** Null: the reading is not made again. */
function pauseAfter(error: unknown): number | null {
  if (!(error instanceof RetryError || error instanceof WaitError) || !PASSING.has(error.code)) {
    return null;
  }
  const pauseMs = error instanceof WaitError ? (error.waitMs ?? PAUSE_MS) : PAUSE_MS;
  return pauseMs <= LONGEST_PAUSE_MS ? pauseMs : null;
}

/** Pauses; false as soon as the account is out of reach: the caller finds its next owner. */
async function isStillThere(
  tool: AccountTool,
  clock: Clock,
  pauseMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const enough = new AbortController();
  const pause = delay(clock, pauseMs, AbortSignal.any([enough.signal, signal])).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([tool.ended.then(() => false), pause]);
  enough.abort();
  return isThere;
}
