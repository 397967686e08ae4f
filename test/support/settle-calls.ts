// Lets calls of our HTTP client on loopback run to their end while a test's clock stands still.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { memberOf } from '../../src/support/foreign-json.ts';

/** After so many turns of the event loop without a call under way, nothing comes by itself. */
const QUIET_TURNS = 6;

/** A call that is still under way after so many turns waits for the clock, as a slow service does. */
const MAX_TURNS = 400;

const underWay = new Set<unknown>();

function begun(message: unknown): void {
  underWay.add(memberOf(message, 'request'));
}

function ended(message: unknown): void {
  underWay.delete(memberOf(message, 'request'));
}

/** Watches calls from now on; the returned function ends it. */
export function watchCalls(): () => void {
  underWay.clear();
  subscribe('undici:request:create', begun);
  subscribe('undici:request:trailers', ended);
  subscribe('undici:request:error', ended);
  return () => {
    unsubscribe('undici:request:create', begun);
    unsubscribe('undici:request:trailers', ended);
    unsubscribe('undici:request:error', ended);
  };
}

/** Resolves when no call is under way, or none that goes on by itself. */
export async function settleCalls(): Promise<void> {
  let quiet = 0;
  for (let turn = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    quiet = underWay.size === 0 ? quiet + 1 : 0;
  }
}
