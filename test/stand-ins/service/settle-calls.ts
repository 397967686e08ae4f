// Lets calls of our HTTP client on loopback, and threads that read calendars, run to their end while a test's clock stands still.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { memberOf } from '../../../src/support/text/foreign-json.ts';

/** Calls are settled after this many turns of the event loop without one under way. */
const QUIET_TURNS = 6;

/** A call that is still under way after this many turns waits for the clock, as a slow service does. */
const MAX_TURNS = 400;

const callsUnderWay = new Set<unknown>();
const threads = new Set<Promise<void>>();

const WATCHED = [
  ['undici:request:create', (message: unknown) => callsUnderWay.add(memberOf(message, 'request'))],
  ['undici:request:trailers', (message: unknown) => callsUnderWay.delete(memberOf(message, 'request'))],
  ['undici:request:error', (message: unknown) => callsUnderWay.delete(memberOf(message, 'request'))],
  ['worker_threads', threadBegun],
] as const;

function threadBegun(message: unknown): void {
  const { worker } = message as { readonly worker: Worker };
  const { promise, resolve } = Promise.withResolvers<void>();
  threads.add(promise);
  worker.once('exit', () => {
    threads.delete(promise);
    resolve();
  });
}

/** Watches from now on; the returned function ends it. */
export function watchCalls(): () => void {
  callsUnderWay.clear();
  for (const [channel, listener] of WATCHED) {
    subscribe(channel, listener);
  }
  return () => {
    for (const [channel, listener] of WATCHED) {
      unsubscribe(channel, listener);
    }
  };
}

/** Resolves when no call and no thread is under way, or none that goes on by itself. */
export async function settleCalls(): Promise<void> {
  let quiet = 0;
  for (let turn = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    const isQuiet = callsUnderWay.size === 0 && threads.size === 0;
    await Promise.all(threads);
    quiet = isQuiet ? quiet + 1 : 0;
  }
}
