// Locks that stay unlocked, in a running account: marked, and locked by themselves once, never on old evidence.
import { describe, expect, it } from 'vitest';
import { RetryError } from '../../../../src/support/errors.ts';
import { PolledHome } from '../../../homes/polled-home.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

const MINUTE = 60_000;

async function opened(alertMinutes: number | null, lockMinutes: number | null): Promise<PolledHome> {
  const home = new PolledHome();
  home.leftUnlocked = {
    alertAfterMs: alertMinutes === null ? null : alertMinutes * MINUTE,
    lockAfterMs: lockMinutes === null ? null : lockMinutes * MINUTE,
  };
  home.service.add(FRONT_DOOR, 'unsecured');
  await home.restart();
  return home;
}

describe('a lock that stays unlocked', () => {
  it('is marked after the time of the option with its beginning, and no longer once it is locked', async () => {
    const home = await opened(10, null);
    const since = home.clock.now();
    await home.clock.advance(10 * MINUTE - 1_000);
    expect(home.lock().leftUnlockedSince).toBeNull();
    await home.clock.advance(2_000);
    expect(home.lock().leftUnlockedSince).toBe(since);
    expect(home.lines).toContain('front-door: left unlocked for 10 minutes');
    await home.clock.advance(20 * MINUTE);
    expect(home.lock().leftUnlockedSince).toBe(since);
    home.service.turn('secured');
    await home.clock.advance(MINUTE);
    expect([home.lock().leftUnlockedSince, home.service.sent]).toEqual([null, []]);
  });

  it('is locked by itself once, with that option', async () => {
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
    'is reported as still unlocked when locking fails (%j), and is not tried again',
    async (mishap) => {
      const home = await opened(null, 5);
      home.service.mishaps = [mishap];
      await home.clock.advance(60 * MINUTE);
      expect(home.service.sent.length).toBeLessThanOrEqual(1);
      expect(home.lines.filter((line) => line.includes('couldn’t lock by itself: '))).toHaveLength(1);
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

  it('is not locked while it is offline, nor when it is back: the whole time begins again', async () => {
    const home = await opened(null, 5);
    await home.clock.advance(4 * MINUTE);
    home.service.lock().connected = false;
    await home.clock.advance(30 * MINUTE);
    expect([home.lock().presence, home.service.sent]).toEqual(['offline', []]);
    home.service.lock().connected = true;
    await home.clock.advance(4 * MINUTE);
    expect([home.lock().presence, home.service.sent]).toEqual(['reachable', []]);
    await home.clock.advance(2 * MINUTE);
    expect(home.service.sent).toHaveLength(1);
  });

  it('is not locked when it goes offline in the reading before, nor when its state is unknown by then', async () => {
    const gone = await opened(null, 5);
    await gone.clock.advance(5 * MINUTE - 20_000);
    gone.service.lock().connected = false;
    await gone.clock.advance(30 * MINUTE);
    expect(gone.service.sent).toEqual([]);

    const silent = await opened(null, 5);
    await silent.clock.advance(5 * MINUTE - 20_000);
    // What is known is fresh for a while, and no reading confirms it.
    silent.service.listingFault = new RetryError('unreachable', 'The service cannot be reached.');
    await silent.clock.advance(MINUTE);
    expect([silent.lock().belief.stale, silent.service.sent]).toEqual([false, []]);
    await silent.clock.advance(20 * MINUTE);
    expect([silent.lock().belief.stale, silent.service.sent]).toEqual([true, []]);
    silent.service.listingFault = null;
    await silent.clock.advance(4 * MINUTE);
    expect(silent.service.sent).toEqual([]);
  });

  it.each([
    { at: 'before it leaves', tokenMs: 8_000, sent: [] },
    { at: 'while the bolt turns', tokenMs: 0, sent: ['secured', 'unsecured'] },
  ])(
    'stays unlocked when a person asks for that $at: the second request is respected',
    async ({ tokenMs, sent }) => {
      const home = await opened(null, 5);
      home.service.travelMs = 4_000;
      home.service.tokenMs = tokenMs;
      await home.clock.advance(5 * MINUTE - 1_000);
      for (let waitedMs = 0; home.lock().target !== 'secured' && waitedMs < 20_000; waitedMs += 500) {
        await home.clock.advance(500);
      }
      expect(home.shown()).toEqual(['unsecured', 'secured']);
      await home.clock.advance(1_000);
      await home.request('unsecured');
      await home.clock.advance(3 * 60 * MINUTE);
      expect(home.service.sent.map(({ target }) => target)).toEqual(sent);
      expect([home.shown(), home.service.lock().bolt]).toEqual([['unsecured', null], 'unsecured']);
    },
  );

  it('stays unlocked when a hand opens it again while the command is under way', async () => {
    const home = await opened(null, 5);
    home.service.travelMs = 4_000;
    home.service.onMoved = () => {
      // The bolt is thrown, and turned back before anybody reads it.
      home.service.lock().bolt = 'unsecured';
    };
    await home.clock.advance(3 * 60 * MINUTE);
    expect(home.service.sent.map(({ target }) => target)).toEqual(['secured']);
    expect(home.shown()).toEqual(['unsecured', null]);
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
