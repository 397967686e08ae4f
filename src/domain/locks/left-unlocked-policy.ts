// Whether a lock was left unlocked for too long, and whether it may be locked without a person asking.
import type { Instant } from '../time/instant.ts';
import { CONFIRMED_TO_LOCK_WITHIN_MS, CONFIRMING_TAKES_MS, UNLOCKED_AGAIN_WITHIN_MS } from '../time/time.ts';
import { type BoltState, isBoltPosition } from './bolt.ts';

export interface LeftUnlockedLimits {
  /** The limit; null: off. */
  readonly alertAfterMs: number | null;
  readonly lockAfterMs: number | null;
}

export interface BoltFacts {
  readonly bolt: BoltState;
  /** The position is no older than evidence may be, and the lock is reachable. */
  readonly isFresh: boolean;
  /** How long ago the position was last confirmed; null when it never was. */
  readonly confirmedAgoMs: number | null;
  /** When the lock was last unlocked, as far as a report tells; null without one. */
  readonly unlockedAt: Instant | null;
  /** A request or a command is under way. */
  readonly isBusy: boolean;
}

/** The state of a lock between looks. Times are monotonic milliseconds. */
export interface UnlockedEpisode {
  /** Since when the lock has been unlocked; null while it is locked, and until the first fresh reading after a start. */
  readonly since: number | null;
  /** Since when nothing has happened, on unbroken evidence. Only such a quiet time lets a lock be locked by itself. */
  readonly quietSince: number | null;
  readonly unlockedAt: Instant | null;
  /** `asked`: the lock is being locked. `over`: that failed, or a person wants it open. Neither is tried again. */
  readonly attempt: 'none' | 'asked' | 'over';
  /** When the lock was last locked by itself; null after any other change. */
  readonly lockedAt: number | null;
}

export const NO_EPISODE: UnlockedEpisode = {
  since: null,
  quietSince: null,
  unlockedAt: null,
  attempt: 'none',
  lockedAt: null,
};

/** Folds one look into the episode. The same reference comes back when nothing changed. */
export function advanceEpisode(episode: UnlockedEpisode, facts: BoltFacts, now: number): UnlockedEpisode {
  if (!facts.isFresh || !isBoltPosition(facts.bolt)) {
    return episode.quietSince === null ? episode : { ...episode, quietSince: null };
  }
  if (facts.bolt === 'unsecured') {
    return episode.since === null ? opened(episode, facts, now) : stillOpen(episode, facts, now);
  }
  const lockedAt = episode.attempt === 'asked' ? now : null;
  return episode.since === null ? episode : { ...NO_EPISODE, lockedAt };
}

function opened({ lockedAt }: UnlockedEpisode, { unlockedAt }: BoltFacts, now: number): UnlockedEpisode {
  const isWantedOpen = lockedAt !== null && now - lockedAt <= UNLOCKED_AGAIN_WITHIN_MS;
  return { since: now, quietSince: now, unlockedAt, attempt: isWantedOpen ? 'over' : 'none', lockedAt: null };
}

function stillOpen(
  episode: UnlockedEpisode,
  { unlockedAt, isBusy }: BoltFacts,
  now: number,
): UnlockedEpisode {
  if (unlockedAt !== null && unlockedAt > (episode.unlockedAt ?? Number.NEGATIVE_INFINITY)) {
    const attempt = episode.attempt === 'none' ? 'none' : 'over';
    return { ...episode, since: now, quietSince: now, unlockedAt, attempt };
  }
  const isQuiet = episode.quietSince !== null && (!isBusy || episode.attempt === 'asked');
  return isQuiet ? episode : { ...episode, quietSince: now };
}

export interface LeftUnlockedVerdict {
  readonly isLeftUnlocked: boolean;
  /** `confirm`: read the lock first. `lock`: it may be locked now. */
  readonly step: 'none' | 'confirm' | 'lock';
  /** When to look again, at the latest; null when only a change matters. */
  readonly nextInMs: number | null;
}

export function judgeLeftUnlocked(
  episode: UnlockedEpisode,
  facts: BoltFacts,
  { alertAfterMs, lockAfterMs }: LeftUnlockedLimits,
  now: number,
): LeftUnlockedVerdict {
  const { since } = episode;
  const alertInMs = since === null || alertAfterMs === null ? null : since + alertAfterMs - now;
  const lockInMs = lockAfterMs === null ? null : lockIn(episode, facts, lockAfterMs, now);
  const isDue = lockInMs !== null && lockInMs <= 0;
  const isConfirmed = facts.confirmedAgoMs !== null && facts.confirmedAgoMs <= CONFIRMED_TO_LOCK_WITHIN_MS;
  const waits = [alertInMs ?? 0, isDue ? CONFIRMING_TAKES_MS : (lockInMs ?? 0)].filter((ms) => ms > 0);
  return {
    isLeftUnlocked: alertInMs !== null && alertInMs <= 0,
    step: isDue ? (isConfirmed ? 'lock' : 'confirm') : 'none',
    nextInMs: waits.length === 0 ? null : Math.min(...waits),
  };
}

/** When the lock may be locked by itself, from now; null while it may not. */
function lockIn(
  { quietSince, attempt }: UnlockedEpisode,
  facts: BoltFacts,
  lockAfterMs: number,
  now: number,
): number | null {
  const mayLock = facts.isFresh && facts.bolt === 'unsecured' && !facts.isBusy && attempt === 'none';
  return mayLock && quietSince !== null ? quietSince + lockAfterMs - now : null;
}
