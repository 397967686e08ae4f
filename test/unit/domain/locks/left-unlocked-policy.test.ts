// A lock that was left unlocked: when it is marked, and when it may be locked without a person asking.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceEpisode,
  type BoltLook,
  judgeLeftUnlocked,
  NO_EPISODE,
  type UnlockedEpisode,
} from '../../../../src/domain/locks/left-unlocked-policy.ts';

const MINUTE = 60_000;
const LIMITS = { alertAfterMs: 30 * MINUTE, lockAfterMs: 5 * MINUTE };

const UNLOCKED: BoltLook = {
  bolt: 'unsecured',
  isFresh: true,
  confirmedAgoMs: 1_000,
  unlockedAt: null,
  isBusy: false,
};
const LOCKED: BoltLook = { ...UNLOCKED, bolt: 'secured' };

type Step = readonly [number, Partial<BoltLook>];

function after(...steps: readonly Step[]): UnlockedEpisode {
  return steps.reduce(
    (episode, [at, look]) => advanceEpisode(episode, { ...UNLOCKED, ...look }, at),
    NO_EPISODE,
  );
}

function stepAt(episode: UnlockedEpisode, now: number, look: Partial<BoltLook> = {}): string {
  return judgeLeftUnlocked(episode, { ...UNLOCKED, ...look }, LIMITS, now).step;
}

describe('a lock that was left unlocked', () => {
  it('is marked after the time of the option, and no longer once it is locked', () => {
    const episode = after([0, {}]);
    const isLeft = (now: number): boolean => judgeLeftUnlocked(episode, UNLOCKED, LIMITS, now).isLeftUnlocked;
    expect([isLeft(30 * MINUTE - 1), isLeft(30 * MINUTE)]).toEqual([false, true]);
    expect(
      judgeLeftUnlocked(after([0, {}], [40 * MINUTE, LOCKED]), LOCKED, LIMITS, 41 * MINUTE).isLeftUnlocked,
    ).toBe(false);
  });

  it('is locked after the time of the option, when a recent reading confirms it, and read before otherwise', () => {
    const episode = after([0, {}]);
    expect(stepAt(episode, 5 * MINUTE - 1)).toBe('none');
    expect(stepAt(episode, 5 * MINUTE)).toBe('lock');
    expect(stepAt(episode, 5 * MINUTE, { confirmedAgoMs: 10_001 })).toBe('confirm');
    expect(stepAt(episode, 5 * MINUTE, { confirmedAgoMs: null })).toBe('confirm');
  });

  it.each([
    ['stale or offline', { isFresh: false }],
    ['jammed', { bolt: 'jammed' }],
    ['unknown', { bolt: 'unknown' }],
    ['busy', { isBusy: true }],
  ] as const)('is not locked while it is %s, and then only after the whole time again', (_what, look) => {
    const episode = after([0, {}], [4 * MINUTE, look]);
    expect(stepAt(episode, 6 * MINUTE, look)).toBe('none');
    const back = advanceEpisode(episode, UNLOCKED, 6 * MINUTE);
    expect(stepAt(back, 8 * MINUTE)).toBe('none');
    expect(stepAt(back, 11 * MINUTE)).toBe('lock');
  });

  it('waits the whole time again after each unlock', () => {
    const episode = after([0, { unlockedAt: 1 }], [4 * MINUTE, { unlockedAt: 2 }]);
    expect([stepAt(episode, 5 * MINUTE), stepAt(episode, 9 * MINUTE)]).toEqual(['none', 'lock']);
  });

  it('is left alone when a person unlocks it again soon after, until it was locked', () => {
    const asked = { ...after([0, {}]), attempt: 'asked' } as const;
    const locked = advanceEpisode(asked, LOCKED, 5 * MINUTE);
    const again = advanceEpisode(locked, UNLOCKED, 14 * MINUTE);
    expect([again.attempt, stepAt(again, 60 * MINUTE)]).toEqual(['over', 'none']);
    const later = advanceEpisode(advanceEpisode(again, LOCKED, 61 * MINUTE), UNLOCKED, 62 * MINUTE);
    expect(stepAt(later, 67 * MINUTE)).toBe('lock');
    expect(advanceEpisode(locked, UNLOCKED, 16 * MINUTE).attempt).toBe('none');
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
