// How often, and for how long, a booking must be missing before its loss is believed: by what a wrong belief costs.

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Readings in a row, over so many milliseconds. */
export interface Proof {
  readonly readings: number;
  readonly overMs: number;
}

const AT_ONCE: Proof = { readings: 1, overMs: 0 };
/** A reading that lost more than half of the coming stays, or all of them; or a check-in within two days (specified). */
const THREE_READINGS: Proof = { readings: 3, overMs: 2 * HOUR_MS };
/** A check-in within a day, which a stale copy must not take away (our choice). */
const SIX_READINGS: Proof = { readings: 6, overMs: 4 * HOUR_MS };
/** A person allowed the calendar to end a stay that is under way. */
const END_EARLY: Proof = { readings: 3, overMs: 0 };
/** Portals drop what has begun: its absence proves nothing. */
const NEVER: Proof = { readings: Infinity, overMs: Infinity };

const NEAR_MS = 2 * DAY_MS;
/** In the hour before a check-in, a doubted booking gives way to another guest's that is there. */
const GIVES_WAY_MS = HOUR_MS;

export interface LossFacts {
  /** Until its code opens; zero or less: it is under way. */
  readonly aheadMs: number;
  /** The guest is there, or comes today. */
  readonly hasBegun: boolean;
  /** Another guest's booking has some of its nights. */
  readonly isReplaced: boolean;
  /** The calendar says itself that it is cancelled. */
  readonly isCancelled: boolean;
  /** It was missing before within the last day, and came back. */
  readonly cameBack: boolean;
  /** The reading lost more than half of the coming stays, or all of them. */
  readonly isMass: boolean;
  /** It lost this one alone. */
  readonly isOnly: boolean;
  /** The calendar may end a stay that is under way. */
  readonly endEarly: boolean;
}

export function proofOfLoss(facts: LossFacts): Proof {
  const isUnderWay = facts.aheadMs <= 0;
  const isSaid = facts.isReplaced || (facts.isCancelled && (!isUnderWay || facts.endEarly));
  if (facts.cameBack) {
    return isSaid ? THREE_READINGS : NEVER;
  }
  if (isSaid) {
    const isExchanged = facts.isReplaced && facts.isMass && !facts.isOnly;
    return isExchanged && facts.aheadMs > GIVES_WAY_MS ? THREE_READINGS : AT_ONCE;
  }
  if (isUnderWay) {
    return facts.endEarly ? END_EARLY : NEVER;
  }
  return facts.hasBegun ? NEVER : proofAhead(facts);
}

function proofAhead({ aheadMs, isMass }: LossFacts): Proof {
  if (aheadMs <= DAY_MS) {
    return SIX_READINGS;
  }
  return aheadMs <= NEAR_MS || isMass ? THREE_READINGS : AT_ONCE;
}
