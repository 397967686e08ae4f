// Which of two reports wins: claims are ordered by the instant for which they are true, never by arrival.
import { type Instant } from '../time/instant.ts';
import { isLate, LISTED_WITHIN_MS, REPORTED_WITHIN_MS, SAME_WITHIN_MS } from '../time/time.ts';
import { type BoltPosition, type BoltState, isBoltPosition } from './bolt.ts';

/** Where a claim comes from: the device list, the end of a command, or an event of the service. */
export type EvidenceSource = 'poll' | 'command' | 'event';

/** One claim about a bolt: its source, and the instant for which it is true. */
export interface Evidence {
  readonly source: EvidenceSource;
  readonly bolt: BoltState;
  readonly at: Instant;
}

/**
 * An unlock that was reported, or that may have happened. Until `until` a listing of "locked" may show the position from before
 * it: the listing may lag behind, and so proves nothing.
 */
export interface Opening {
  /** A report of "locked" from later than this ends that; a listing never does. */
  readonly since: Instant;
  readonly until: Instant;
}

/** The latest claim of each kind: so the order of arrival does not matter, and a jam outlives a report of "Unknown". */
export interface Belief {
  /** The latest claim of any kind. */
  readonly latest: Evidence | null;
  /** The latest claim that the bolt rested somewhere. */
  readonly rest: Evidence | null;
  /** The latest claim that it was jammed. */
  readonly jam: Evidence | null;
  /** The latest instant at which any report agreed with the latest claim; freshness is measured from here. */
  readonly confirmedAt: Instant | null;
  /** True once nothing has confirmed the belief for longer than evidence may age. */
  readonly stale: boolean;
  readonly opening: Opening | null;
  /** The latest instant for which an event, or the end of a command, says "locked". */
  readonly lockedAt: Instant | null;
  /** A listing of "locked" came that proves nothing: what is shown stays, but it fulfils no request. */
  readonly disputed: boolean;
}

export const NOTHING_BELIEVED: Belief = {
  latest: null,
  rest: null,
  jam: null,
  confirmedAt: null,
  stale: false,
  opening: null,
  lockedAt: null,
  disputed: false,
};

/** A command of ours on its way through the lock. Readings taken meanwhile still show the old position. */
export interface InFlightCommand {
  readonly target: BoltPosition;
  readonly before: BoltState;
  readonly from: Instant;
  /** When the travel ended; null while it lasts. */
  readonly until: Instant | null;
  /** An event has reported the other position since the command was sent: its success alone proves nothing. */
  readonly isContradicted?: true;
}

/** Ranks two claims about the very same instant: an event is exact, a command's end is near, a poll is a glance. */
const SOURCE_RANK: Readonly<Record<EvidenceSource, number>> = { poll: 0, command: 1, event: 2 };

/** The last rule of a tie: the more cautious claim wins, so that "Locked" is never shown on half the evidence. */
const CAUTION_RANK: Readonly<Record<BoltState, number>> = { secured: 0, unsecured: 1, jammed: 2, unknown: 3 };

/** A total order of claims, so that any order of arrival ends in the same belief. Positive when `a` is the later. */
function compareEvidence(a: Evidence, b: Evidence): number {
  return (
    a.at - b.at ||
    SOURCE_RANK[a.source] - SOURCE_RANK[b.source] ||
    CAUTION_RANK[a.bolt] - CAUTION_RANK[b.bolt]
  );
}

function later(known: Evidence | null, claim: Evidence): Evidence {
  return known === null || compareEvidence(claim, known) > 0 ? claim : known;
}

/** Folds one claim into a belief. Returns the same reference when the claim changes nothing. */
export function weigh(belief: Belief, claim: Evidence): Belief {
  const latest = later(belief.latest, claim);
  const rest = isBoltPosition(claim.bolt) ? later(belief.rest, claim) : belief.rest;
  const jam = claim.bolt === 'jammed' ? later(belief.jam, claim) : belief.jam;
  if (latest === belief.latest && rest === belief.rest && jam === belief.jam) {
    return belief;
  }
  if (latest !== claim) {
    return { ...belief, latest, rest, jam };
  }
  return { ...belief, latest, rest, jam, confirmedAt: claim.at, stale: false, disputed: false };
}

/** Folds in what an event, or the end of a command, says of the bolt: of "unlocked", listings know only later. */
export function weighReport(belief: Belief, claim: Evidence): Belief {
  if (claim.bolt === 'secured') {
    return weigh(withLocked(belief, claim.at), claim);
  }
  if (claim.bolt !== 'unsecured' || claim.at < (belief.lockedAt ?? claim.at)) {
    return weigh(belief, claim);
  }
  const opened = withOpening(belief, { since: claim.at, until: claim.at + LISTED_WITHIN_MS });
  return weigh(withoutOvertaken(opened), claim);
}

function withLocked(belief: Belief, at: Instant): Belief {
  return at <= (belief.lockedAt ?? Number.NEGATIVE_INFINITY) ? belief : { ...belief, lockedAt: at };
}

/** The later ends of both count: which of two unlocks was the last does not matter. */
export function withOpening(belief: Belief, { since, until }: Opening): Belief {
  const known = belief.opening;
  return since <= (known?.since ?? Number.NEGATIVE_INFINITY) && until <= (known?.until ?? 0)
    ? belief
    : {
        ...belief,
        opening: {
          since: Math.max(since, known?.since ?? since),
          until: Math.max(until, known?.until ?? until),
        },
      };
}

/** A listing of "locked" that overtook the report of an unlock proves as little as one that follows it. */
function withoutOvertaken(belief: Belief): Belief {
  const { latest, rest } = belief;
  return rest !== null && provesNothing(belief, rest)
    ? { ...belief, rest: null, latest: latest === rest ? null : latest }
    : belief;
}

/** A report that repeats the belief without being a claim: it only refreshes the belief. */
export function confirm(belief: Belief, at: Instant): Belief {
  return belief.latest === null || (belief.confirmedAt ?? at) >= at
    ? belief
    : { ...belief, confirmedAt: at, stale: false, disputed: false };
}

/** After a listing that may lag behind: the same reference when the belief is no "unlocked". */
export function disputedByLag(belief: Belief): Belief {
  return belief.disputed || belief.latest?.bolt !== 'unsecured' ? belief : { ...belief, disputed: true };
}

/** Whether a listing of "locked" may show the position from before an unlock: only a report of "locked" rules that out. */
export function provesNothing({ opening, lockedAt }: Belief, { source, bolt, at }: Evidence): boolean {
  const mayBeOpen = opening !== null && opening.since >= (lockedAt ?? opening.since);
  return mayBeOpen && source === 'poll' && bolt === 'secured' && at <= opening.until;
}

/** An event of "locked" came whose order is not known: the next listing settles it. */
export function withoutOpening(belief: Belief): Belief {
  return belief.opening === null ? belief : { ...belief, opening: null };
}

/**
 * An unlock left at `since` and may have moved the bolt: no older "locked" proves anything, nor comes back later. One that is
 * dated slightly later by another clock may be older all the same.
 */
export function withoutOlder(belief: Belief, since: Instant): Belief {
  const { rest, jam } = belief;
  const isHidden = rest !== null && rest.bolt === 'secured' && rest.at <= since + SAME_WITHIN_MS;
  const kept = isHidden ? { ...belief, rest: null, jam: (jam?.at ?? 0) > rest.at ? jam : null } : belief;
  // One millisecond later: of the same instant, an event would win.
  const at = (isHidden ? Math.max(since, rest.at) : since) + 1;
  return weigh(kept, { source: 'command', bolt: 'unknown', at });
}

/**
 * The bolt as far as evidence goes. A jam outlives "Unknown" and old age, because only a later report of where the
 * bolt rests ends it; any other belief that has gone stale is no belief.
 */
export function believedBolt({ latest, rest, jam, stale }: Belief): BoltState {
  if (jam !== null && (rest === null || compareEvidence(jam, rest) > 0)) {
    return 'jammed';
  }
  return latest === null || stale ? 'unknown' : latest.bolt;
}

/** The last place where the bolt was known to rest, however long ago. */
export function lastPosition({ rest }: Belief): BoltPosition | null {
  return rest !== null && isBoltPosition(rest.bolt) ? rest.bolt : null;
}

/**
 * While a bolt travels, the listing keeps the old position (wire contract 11, device while moving). A poll that was asked
 * during the command and repeats it is an echo. When the old position was unknown, anything but the target may be that
 * position.
 */
export function isEchoOfOrigin(inFlight: InFlightCommand | null, claim: Evidence): boolean {
  if (inFlight === null || claim.source === 'command') {
    return false;
  }
  const whileInFlight = claim.at >= inFlight.from && (inFlight.until === null || claim.at <= inFlight.until);
  if (claim.source === 'event') {
    // The bolt may still open after that, and an event is dated by another clock than our command.
    return claim.bolt === 'secured' && inFlight.target === 'unsecured' && whileInFlight;
  }
  const oldPosition = isBoltPosition(inFlight.before)
    ? claim.bolt === inFlight.before
    : claim.bolt !== inFlight.target;
  // "Locked" during an unlock is the old position, even when another one was believed before.
  const isOld = oldPosition || (inFlight.target === 'unsecured' && claim.bolt === 'secured');
  return whileInFlight && isOld;
}

/** The position before a command, by an echo, where it was unknown, as after a restart; null without a resting position. */
export function originReportedBy(inFlight: InFlightCommand, echo: Evidence): Evidence | null {
  const isUnknown = inFlight.before === 'unknown' && isBoltPosition(echo.bolt) && echo.at >= inFlight.from;
  return isUnknown ? { ...echo, at: inFlight.from } : null;
}

/**
 * True when a claim that is not the later one leaves the belief in doubt, and the lock should be read again: it contradicts,
 * or it is only as old as a reading that another one, already under way, may undo.
 */
export function raisesDoubt({ latest }: Belief, claim: Evidence, now: Instant): boolean {
  return (
    latest !== null &&
    claim.at <= latest.at &&
    (claim.bolt !== latest.bolt || (latest.source === 'poll' && !isLate(claim.at, now)))
  );
}

/**
 * Whether a reading undid a recent event. The event may have come in while the reading was under way: both are dated by
 * different clocks, so either can be the older, and the lock should be read again.
 */
export function undoesEvent({ latest: event }: Belief, { latest: reading }: Belief): boolean {
  return (
    event?.source === 'event' &&
    reading?.source === 'poll' &&
    reading.bolt !== event.bolt &&
    reading.at - event.at <= REPORTED_WITHIN_MS
  );
}

/** When the position was last confirmed; null also where only an offline lock's report of unknown age did so. */
export function lastConfirmedAt({ confirmedAt }: Belief): Instant | null {
  return confirmedAt !== null && confirmedAt > 0 ? confirmedAt : null;
}

/** Marks a belief stale that nothing has confirmed since that instant. The same reference when nothing changes. */
export function withStaleness(belief: Belief, staleBefore: Instant): Belief {
  const { latest, confirmedAt, stale } = belief;
  const tooOld = latest !== null && !stale && (confirmedAt ?? latest.at) < staleBefore;
  return tooOld ? { ...belief, stale: true } : belief;
}

/** The same belief, with every instant dated anew. */
export function withDates(belief: Belief, dated: (at: Instant) => Instant): Belief {
  const { latest, rest, jam, confirmedAt, opening, lockedAt } = belief;
  const anew = (claim: Evidence | null): Evidence | null =>
    claim === null ? null : { ...claim, at: dated(claim.at) };
  return {
    ...belief,
    latest: anew(latest),
    rest: anew(rest),
    jam: anew(jam),
    confirmedAt: confirmedAt === null ? null : dated(confirmedAt),
    opening: opening === null ? null : { since: dated(opening.since), until: dated(opening.until) },
    lockedAt: lockedAt === null ? null : dated(lockedAt),
  };
}
