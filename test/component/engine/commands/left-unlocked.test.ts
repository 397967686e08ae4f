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

function outage(home: PolledHome, on: boolean): void {
  home.service.listingFault = on ? new RetryError('unreachable', 'The service cannot be reached.') : null;
}

function offline(home: PolledHome, on: boolean): void {
  home.service.lock().connected = !on;
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

  it.each<[string, number, (home: PolledHome, on: boolean) => void]>([
    ['in an outage', 60_000, outage],
    ['in an outage that begins after the last reading before', 20_000, outage],
    ['while it is offline', 60_000, offline],
    ['while it is offline since the last reading before', 20_000, offline],
  ])('is not locked %s, nor at once afterwards: the whole time begins again', async (_, beforeMs, hit) => {
    const home = await opened(null, 5);
    await home.clock.advance(5 * MINUTE - beforeMs);
    hit(home, true);
    await home.clock.advance(MINUTE);
    expect(home.service.sent).toEqual([]);
    await home.clock.advance(30 * MINUTE);
    expect(home.service.sent).toEqual([]);
    hit(home, false);
    await home.clock.advance(4 * MINUTE);
    expect([home.shown()[0], home.lock().presence, home.service.sent]).toEqual([
      'unsecured',
      'reachable',
      [],
    ]);
    await home.clock.advance(15 * MINUTE);
    expect(home.service.sent).toHaveLength(1);
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
