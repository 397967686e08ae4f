// A lock that was left unlocked: when it is marked, and when it may be locked without a person asking.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceEpisode,
  type BoltFacts,
  judgeLeftUnlocked,
  NO_EPISODE,
  type UnlockedEpisode,
} from '../../../../src/domain/locks/left-unlocked-policy.ts';

const MINUTE = 60_000;
const LIMITS = { alertAfterMs: 30 * MINUTE, lockAfterMs: 5 * MINUTE };
const OFF = { alertAfterMs: null, lockAfterMs: null };
const UNLOCKED: BoltFacts = {
  bolt: 'unsecured',
  isFresh: true,
  confirmedAgoMs: 10_000,
  unlockedAt: null,
  isBusy: false,
};
const LOCKED: BoltFacts = { ...UNLOCKED, bolt: 'secured' };
const OPEN: UnlockedEpisode = advanceEpisode(NO_EPISODE, UNLOCKED, 0);
const ASKED: UnlockedEpisode = { ...OPEN, attempt: 'asked' };

const stepAt = (episode: UnlockedEpisode, now: number, look: Partial<BoltFacts> = {}): string =>
  judgeLeftUnlocked(episode, { ...UNLOCKED, ...look }, LIMITS, now).step;

describe('a lock that was left unlocked', () => {
  it.each([
    ['stale or offline', { isFresh: false }],
    ['jammed', { bolt: 'jammed' }],
    ['unknown', { bolt: 'unknown' }],
    ['busy', { isBusy: true }],
  ] as const)('is not locked while it is %s, and then only after the whole time again', (_what, look) => {
    const episode = advanceEpisode(OPEN, { ...UNLOCKED, ...look }, 4 * MINUTE);
    expect(stepAt(episode, 6 * MINUTE, look)).toBe('none');
    const back = advanceEpisode(episode, UNLOCKED, 6 * MINUTE);
    expect([stepAt(back, 8 * MINUTE), stepAt(back, 11 * MINUTE)]).toEqual(['none', 'lock']);
  });

  it('is never locked on old evidence, sooner than the option says, or twice in one episode (property)', () => {
    const look = fc.record({
      bolt: fc.constantFrom('secured', 'unsecured', 'jammed', 'unknown'),
      isFresh: fc.boolean(),
      confirmedAgoMs: fc.option(fc.integer({ min: 0, max: 20_000 })),
      unlockedAt: fc.option(fc.integer({ min: 0, max: 5 })),
      isBusy: fc.boolean(),
    });
    const steps = fc.array(fc.record({ look, afterMs: fc.integer({ min: 1, max: 8 * MINUTE }) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (sequence) => {
        let episode = NO_EPISODE;
        let now = 0;
        let lastDisturbedAt = 0;
        let hasTried = false;
        for (const { look: made, afterMs } of sequence) {
          now += afterMs;
          const isOpen = made.isFresh && made.bolt === 'unsecured';
          hasTried = hasTried && !(made.isFresh && made.bolt === 'secured');
          lastDisturbedAt = isOpen ? lastDisturbedAt : now;
          episode = advanceEpisode(episode, made, now);
          const { step } = judgeLeftUnlocked(episode, made, LIMITS, now);
          if (step === 'lock') {
            expect(
              isOpen && !made.isBusy && (made.confirmedAgoMs ?? Number.POSITIVE_INFINITY) <= 10_000,
            ).toBe(true);
            expect(now - lastDisturbedAt).toBeGreaterThanOrEqual(LIMITS.lockAfterMs);
            expect(hasTried).toBe(false);
            hasTried = true;
            episode = { ...episode, attempt: 'asked' };
          }
        }
      }),
    );
  });
});

describe('the verdict on a lock that is unlocked', () => {
  it.each([
    ['an alert and a lock are due later', LIMITS, 0, false, 'none', 5 * MINUTE],
    ['the lock is due at that instant', LIMITS, 5 * MINUTE, false, 'lock', 15_000],
    ['the alert is nearer than the next look', LIMITS, 30 * MINUTE - 1, false, 'lock', 1],
    ['both are due', LIMITS, 30 * MINUTE, true, 'lock', 15_000],
    ['only an alert is wanted', { ...OFF, alertAfterMs: MINUTE }, 0, false, 'none', MINUTE],
    ['only an alert is wanted, and given', { ...OFF, alertAfterMs: MINUTE }, MINUTE, true, 'none', null],
    ['only a lock is wanted', { ...OFF, lockAfterMs: MINUTE }, MINUTE - 1, false, 'none', 1],
    ['nothing is wanted', OFF, 60 * MINUTE, false, 'none', null],
  ] as const)(
    'names the time of the next look where %s',
    (_, limits, now, isLeftUnlocked, step, nextInMs) => {
      expect(judgeLeftUnlocked(OPEN, UNLOCKED, limits, now)).toEqual({ isLeftUnlocked, step, nextInMs });
    },
  );

  it('waits for nothing while the lock is locked, or was never seen', () => {
    const none = { isLeftUnlocked: false, step: 'none', nextInMs: null };
    expect(judgeLeftUnlocked(NO_EPISODE, UNLOCKED, LIMITS, 60 * MINUTE)).toEqual(none);
    expect(judgeLeftUnlocked(advanceEpisode(OPEN, LOCKED, 1), LOCKED, LIMITS, 60 * MINUTE)).toEqual(none);
  });

  it('asks for a reading once the last one is older than ten seconds', () => {
    const step = (confirmedAgoMs: number | null) => stepAt(OPEN, 5 * MINUTE, { confirmedAgoMs });
    expect([step(10_000), step(10_001), step(null)]).toEqual(['lock', 'confirm', 'confirm']);
  });

  it.each<[string, UnlockedEpisode, Partial<BoltFacts>]>([
    ['the reading is old', OPEN, { isFresh: false }],
    ['it is locked by that look', OPEN, { bolt: 'secured' }],
    ['something is under way', OPEN, { isBusy: true }],
    ['it was tried', { ...OPEN, attempt: 'asked' }, {}],
    ['it is over', { ...OPEN, attempt: 'over' }, {}],
    ['it was disturbed', { ...OPEN, quietSince: null }, {}],
  ])('locks nothing where %s', (_, episode, look) => {
    const verdict = judgeLeftUnlocked(episode, { ...UNLOCKED, ...look }, LIMITS, 20 * MINUTE);
    expect(verdict).toEqual({ isLeftUnlocked: false, step: 'none', nextInMs: 10 * MINUTE });
  });
});

describe('a look at a lock', () => {
  it('begins an episode with the first fresh reading that shows it open', () => {
    expect(advanceEpisode(NO_EPISODE, { ...UNLOCKED, unlockedAt: 7 }, 5)).toEqual({
      since: 5,
      quietSince: 5,
      unlockedAt: 7,
      attempt: 'none',
      lockedAt: null,
    });
  });

  it('without news changes nothing', () => {
    for (const look of [{ ...UNLOCKED, isFresh: false }, LOCKED, { ...LOCKED, bolt: 'jammed' as const }]) {
      expect(advanceEpisode(NO_EPISODE, look, 5)).toBe(NO_EPISODE);
    }
    expect(advanceEpisode(OPEN, UNLOCKED, 5)).toBe(OPEN);
    const known = { ...OPEN, unlockedAt: 7 };
    for (const unlockedAt of [null, 6, 7]) {
      expect(advanceEpisode(known, { ...UNLOCKED, unlockedAt }, 5)).toBe(known);
    }
  });

  it('at another unlock begins the time anew, and ends the former try', () => {
    const look = { ...UNLOCKED, unlockedAt: 8 };
    const anew = { ...OPEN, since: 5, quietSince: 5, unlockedAt: 8 };
    expect(advanceEpisode({ ...OPEN, unlockedAt: 7 }, look, 5)).toEqual(anew);
    expect(advanceEpisode(OPEN, look, 5)).toEqual(anew);
    for (const attempt of ['asked', 'over'] as const) {
      expect(advanceEpisode({ ...OPEN, attempt }, look, 5)).toEqual({ ...anew, attempt: 'over' });
    }
  });

  it('begins the quiet time anew after any disturbance, but for a command of its own', () => {
    const busy = { ...UNLOCKED, isBusy: true };
    expect(advanceEpisode(OPEN, busy, 5)).toEqual({ ...OPEN, quietSince: 5 });
    expect(advanceEpisode(ASKED, busy, 5)).toBe(ASKED);
    const unsure = advanceEpisode(OPEN, { ...UNLOCKED, isFresh: false }, 5);
    expect(unsure).toEqual({ ...OPEN, quietSince: null });
    expect(advanceEpisode(unsure, UNLOCKED, 6)).toEqual({ ...OPEN, quietSince: 6 });
  });

  it('at a locked lock ends the episode, and remembers a lock command of its own', () => {
    expect(advanceEpisode(OPEN, LOCKED, 5)).toEqual(NO_EPISODE);
    expect(advanceEpisode({ ...OPEN, attempt: 'over' }, LOCKED, 5)).toEqual(NO_EPISODE);
    const own = advanceEpisode(ASKED, LOCKED, 5);
    expect(own).toEqual({ ...NO_EPISODE, lockedAt: 5 });
    // Unlocked again within ten minutes: a person wants it open.
    const again = (at: number) => advanceEpisode(own, UNLOCKED, at);
    expect([again(5 + 10 * MINUTE).attempt, again(6 + 10 * MINUTE).attempt]).toEqual(['over', 'none']);
    expect(again(6).lockedAt).toBeNull();
  });
});
