// Locks that stay unlocked, in a running account: marked, and locked by themselves once, never on old evidence.
import { describe, expect, it } from 'vitest';
import { RetryError } from '../../../src/support/errors.ts';
import { Home } from './home.ts';
import { FRONT_DOOR } from './pretend-service.ts';

const MINUTE = 60_000;

async function opened(alertMinutes: number | null, lockMinutes: number | null): Promise<Home> {
  const home = new Home();
  home.leftUnlocked = {
    alertAfterMs: alertMinutes === null ? null : alertMinutes * MINUTE,
    lockAfterMs: lockMinutes === null ? null : lockMinutes * MINUTE,
  };
  home.service.add(FRONT_DOOR, 'unsecured');
  await home.restart();
  return home;
}

describe('a lock that stays unlocked', () => {
  it('is marked after the time of the option with since when, and no longer once it is locked', async () => {
    const home = await opened(10, null);
    const since = home.clock.now();
    await home.clock.advance(10 * MINUTE - 1_000);
    expect(home.lock().leftUnlockedSince).toBeNull();
    await home.clock.advance(2_000);
    expect(home.lock().leftUnlockedSince).toBe(since);
    expect(home.lines).toContain('front-door: unlocked for 10 minutes');
    await home.clock.advance(20 * MINUTE);
    expect(home.lock().leftUnlockedSince).toBe(since);
    home.service.turn('secured');
    await home.clock.advance(MINUTE);
    expect([home.lock().leftUnlockedSince, home.service.sent]).toEqual([null, []]);
  });

  it('is locked by itself once, where the options ask for it', async () => {
    const home = await opened(null, 5);
    await home.clock.advance(5 * MINUTE - 1_000);
    expect(home.service.sent).toEqual([]);
    await home.clock.advance(MINUTE);
    expect(home.service.sent.map(({ target }) => target)).toEqual(['secured']);
    expect(home.shown()).toEqual(['secured', null]);
    home.service.turn('unsecured');
    await home.clock.advance(60 * MINUTE);
    expect([home.service.sent.length, home.shown()[0]]).toEqual([1, 'unsecured']);
  });

  it.each([
    { kind: 'fails', reason: 'bolt-jammed' },
    { kind: 'fails', reason: 'general-failure' },
    { kind: 'lost-reply' },
    { kind: 'unsent' },
  ] as const)(
    'is said to have stayed unlocked when that comes to nothing (%j), and is not tried again',
    async (mishap) => {
      const home = await opened(null, 5);
      home.service.mishaps = [mishap];
      await home.clock.advance(60 * MINUTE);
      expect(home.service.sent.length).toBeLessThanOrEqual(1);
      expect(home.lines.filter((line) => line.includes('could not be locked by itself'))).toHaveLength(1);
    },
  );

  it('is not touched by default', async () => {
    const home = await opened(null, null);
    await home.clock.advance(24 * 60 * MINUTE);
    expect([home.service.sent, home.lock().leftUnlockedSince]).toEqual([[], null]);
  });

  it('is not locked in an outage, nor at once when the service is back', async () => {
    const home = await opened(null, 5);
    await home.clock.advance(4 * MINUTE);
    home.service.listingFault = new RetryError('unreachable', 'The service cannot be reached.');
    await home.clock.advance(30 * MINUTE);
    expect(home.service.sent).toEqual([]);
    home.service.listingFault = null;
    await home.clock.advance(4 * MINUTE);
    expect(home.service.sent).toEqual([]);
    await home.clock.advance(15 * MINUTE);
    expect(home.service.sent).toHaveLength(1);
  });

  it('is not locked at once after a restart: the count begins anew', async () => {
    const home = await opened(5, 5);
    await home.clock.advance(4 * MINUTE);
    await home.restart();
    await home.clock.advance(4 * MINUTE);
    expect([home.service.sent, home.lock().leftUnlockedSince]).toEqual([[], null]);
    await home.clock.advance(2 * MINUTE);
    expect(home.service.sent).toHaveLength(1);
  });
});
