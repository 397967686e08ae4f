// The service changes its key in the middle of a burst, and the process is killed: every event comes again, and none is lost.
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../stand-ins/database/events.ts';
import { StandInKeys } from '../../stand-ins/service/signing-keys.ts';
import { bodyOf, openListener, pemOf, post, pssOf, servicePair, strangerPair } from './fixture.ts';

const NEW_PAIR = strangerPair;

/** The events of the burst, the second half signed with the new key. */
const BURST = Array.from({ length: 40 }, (_, index) => {
  const body = bodyOf({ eventId: `e-${String(index)}` });
  return { body, signature: pssOf(body, index < 20 ? servicePair : NEW_PAIR) };
});

/** A sender that sends again what was answered so, as the service does (wire contract 7); returns what has to come again. */
async function send(url: string, deliveries: typeof BURST): Promise<typeof BURST> {
  const again: typeof BURST = [];
  for (const delivery of deliveries) {
    const { status } = await post(url, delivery.body, { 'webhook-signature': delivery.signature });
    if (status >= 500 || status === 429) {
      again.push(delivery);
    }
  }
  return again;
}

/** The keys as they are within a minute of the last time that they were fetched. */
function keysOf(ledger: MemoryLedger, pairs: readonly (typeof servicePair)[]) {
  const keys = new StandInKeys(pairs.map(pemOf));
  keys.onRefresh = async () => Promise.resolve('recent');
  return { ledger, keys };
}

describe('a burst in which the key changes', () => {
  it.each([0, 1, 19, 20, 21, 25, 39, 40])(
    'loses nothing when the process is killed after %i events (faults#144)',
    async (killedAfter) => {
      const ledger = new MemoryLedger();
      const first = await openListener(keysOf(ledger, [servicePair]));
      const again = await send(first.url, BURST.slice(0, killedAfter));
      await first.listener.close();
      const second = await openListener(keysOf(ledger, [NEW_PAIR, servicePair]));
      expect(await send(second.url, [...again, ...BURST.slice(killedAfter)])).toEqual([]);
      expect(ledger.events.size).toBe(BURST.length);
    },
  );

  it('has its effect within seconds of the new key, and what comes again then is a repeat', async () => {
    const ledger = new MemoryLedger();
    const parts = keysOf(ledger, [servicePair]);
    const home = await openListener(parts);
    const again = await send(home.url, BURST);
    expect(again).toHaveLength(20);
    parts.keys.held = [pemOf(NEW_PAIR), pemOf(servicePair)];
    await home.clock.advance(2_000);
    await expect.poll(() => ledger.events.size).toBe(BURST.length);
    expect(await send(home.url, again)).toEqual([]);
    expect(home.received.filter(({ trust }) => trust === 'verified')).toHaveLength(BURST.length);
  });
});
