// (lock, event) -> lock: the only way a lock changes. The same reference comes back when nothing changed.
import type { Instant } from '../time/instant.ts';
import { SAME_WITHIN_MS, TRAVEL_MS } from '../time/time.ts';
import { type BoltState, isBoltPosition } from './bolt.ts';
import { isOfTime, retimed } from './dating.ts';
import type { LockEvent, LockEventOf, Reported } from './event.ts';
import {
  type Belief,
  confirm,
  disputedByLag,
  type Evidence,
  type InFlightCommand,
  isEchoOfOrigin,
  mayLag,
  originReportedBy,
  weigh,
  withoutLag,
  withoutOlder,
} from './evidence-policy.ts';
import { type LastMove, type Lock, sameMembers } from './lock.ts';

/** Folds one event into a lock. Pure and total: every event is answered in every state. */
export function advanceLock(lock: Lock, event: LockEvent): Lock {
  if (isOfTime(event)) {
    return retimed(lock, event);
  }
  switch (event.type) {
    case 'reported':
      return reported(lock, event);
    case 'requested':
      return withTarget(lock, event.target);
    case 'command-sent':
      return commandSent(lock, event);
    case 'command-completed':
      return completed(lock, event);
    case 'command-ended':
      return commandEndedEvent(lock, event);
    case 'command-doubted':
      return doubted(lock, event);
    case 'unlock-recalled':
      return unlockRecalled(lock, event);
    case 'request-dropped':
      return withTarget(lock, null);
    case 'move-read':
      return moveRead(lock, event);
    case 'order-unknown':
      return withBelief(lock, withoutLag(lock.belief));
    case 'left-unlocked':
      return withLeftUnlocked(lock, event.since);
    case 'missed':
      return event.at < lock.presenceAt ? lock : { ...lock, presence: 'missing', presenceAt: event.at };
  }
}

function withTarget(lock: Lock, target: Lock['target']): Lock {
  return lock.target === target ? lock : { ...lock, target };
}

function withLeftUnlocked(lock: Lock, since: Instant | null): Lock {
  return lock.leftUnlockedSince === since ? lock : { ...lock, leftUnlockedSince: since };
}

function reported(lock: Lock, event: Reported): Lock {
  let next = withPresence(lock, event);
  if (event.battery !== undefined && event.at >= next.batteryAt) {
    const battery = sameMembers(next.battery, event.battery) ? next.battery : event.battery;
    next = { ...next, batteryAt: event.at, battery };
  }
  if (event.description !== undefined && !sameMembers(next.description, event.description)) {
    next = { ...next, description: event.description };
  }
  if (event.device !== undefined && !(next.device && sameMembers(next.device, event.device))) {
    next = { ...next, device: event.device };
  }
  if (event.wifiDbm !== undefined && event.wifiDbm !== next.wifiDbm) {
    next = { ...next, wifiDbm: event.wifiDbm };
  }
  return event.bolt === undefined ? next : boltReported(next, event, event.bolt);
}

/**
 * Takes in a report of presence that is not older than the last. Only an explicit word means offline. Only a listing ends
 * an absence, since the service goes on reporting locks that have left the account.
 */
function withPresence(lock: Lock, { connected, at, source }: Reported): Lock {
  if (at < lock.presenceAt || (lock.presence === 'missing' && source !== 'poll')) {
    return lock;
  }
  if (connected === undefined) {
    return lock.presence === 'missing' ? { ...lock, presence: 'reachable', presenceAt: at } : lock;
  }
  return { ...lock, presence: connected ? 'reachable' : 'offline', presenceAt: at };
}

function boltReported(lock: Lock, event: Reported, bolt: BoltState): Lock {
  const claim: Evidence = {
    ...lock.belief.latest,
    source: event.source,
    bolt,
    at: event.boltAt ?? event.at,
  };
  if (lock.inFlight !== null && isEchoOfOrigin(lock.inFlight, claim)) {
    return echoed(lock, lock.inFlight, claim);
  }
  if (mayLag(lock.belief, claim)) {
    return withBelief(lock, disputedByLag(lock.belief));
  }
  const moved = withMove(arrivedBy(lock, claim), event, bolt);
  return withBelief(moved, weigh(lock.belief, claim));
}

function withBelief(lock: Lock, belief: Belief): Lock {
  return lock.belief === belief ? lock : { ...lock, belief };
}

/** A reading of the target ends the travel of a "lock" with an unknown end: a later other position is a hand's (faults#113). */
function arrivedBy(lock: Lock, { bolt, at }: Evidence): Lock {
  const { inFlight } = lock;
  const isOver =
    inFlight?.target === 'secured' &&
    bolt === 'secured' &&
    at >= inFlight.from &&
    at < (inFlight.until ?? at);
  return isOver ? { ...lock, inFlight: { ...inFlight, until: at } } : lock;
}

/** An echo refreshes the belief from before the command; without such a belief, it supplies one. */
function echoed(lock: Lock, inFlight: InFlightCommand, echo: Evidence): Lock {
  if (echo.source === 'event') {
    return { ...lock, inFlight: { ...inFlight, isContradicted: true } };
  }
  const origin = originReportedBy(inFlight, echo);
  const known = origin === null ? lock : { ...lock, inFlight: { ...inFlight, before: origin.bolt } };
  const learned = origin === null ? lock.belief : weigh(lock.belief, origin);
  const belief = echo.bolt === learned.latest?.bolt ? confirm(learned, echo.at) : disputedByLag(learned);
  return withBelief(known, belief);
}

function withMove(lock: Lock, event: Reported, bolt: BoltState): Lock {
  if (event.accessor === undefined || !isBoltPosition(bolt)) {
    return lock;
  }
  const { lastMove } = lock;
  if (lastMove !== null && (lastMove.at >= event.at || isReadAlready(lastMove, bolt, event.at))) {
    return lock;
  }
  return { ...lock, lastMove: { to: bolt, by: event.accessor, at: event.at } };
}

/** A late event of the move that was read in the history: their dates may differ a little. */
function isReadAlready({ to, at, readLater }: LastMove, bolt: BoltState, reportedAt: Instant): boolean {
  return readLater === true && to === bolt && reportedAt - at <= SAME_WITHIN_MS;
}

function moveRead(lock: Lock, { to, by, at }: LockEventOf<'move-read'>): Lock {
  return lock.lastMove !== null && lock.lastMove.at >= at
    ? lock
    : { ...lock, lastMove: { to, by, at, readLater: true } };
}

function commandSent(lock: Lock, event: LockEventOf<'command-sent'>): Lock {
  const before = lock.belief.latest?.bolt ?? 'unknown';
  const earlier = lock.inFlight;
  // An unlock that was refused as busy proves nothing about the one before it, which may still open the bolt.
  const mayOpenUntil = latestOf(
    earlier?.target === 'unsecured' ? earlier.until : null,
    earlier?.mayOpenUntil ?? null,
  );
  return {
    ...lock,
    target: event.next ?? event.target,
    inFlight: { target: event.target, before, from: event.at, until: null, mayOpenUntil },
  };
}

function latestOf(one: Instant | null, other: Instant | null): Instant | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function completed(lock: Lock, event: LockEventOf<'command-completed'>): Lock {
  const { target, provenSince, at, next } = event;
  const belief = weigh(lock.belief, { source: 'command', bolt: target, at: provenSince });
  if (!isDisputed(lock, event)) {
    const inFlight = withEnd(lock.inFlight, at);
    return { ...lock, belief, target: next, inFlight: target === 'unsecured' ? withLag(inFlight) : inFlight };
  }
  // "Unlocked" during the travel of a "lock" was a hand after it: a reading from then on is no echo.
  const until = target === 'secured' ? (lock.belief.latest?.at ?? at) : at;
  return {
    ...lock,
    belief: endedAs('unknown', belief, at),
    target: next,
    inFlight: withEnd(lock.inFlight, until),
  };
}

/** What is dated later by another clock was received before this end all the same, and may be older. */
function endedAs(bolt: BoltState, belief: Belief, at: Instant): Belief {
  const { latest } = belief;
  if (latest?.bolt === bolt && latest.at >= at) {
    return belief;
  }
  return weigh(belief, { source: 'command', bolt, at: Math.max(at, (latest?.at ?? 0) + 1) });
}

/**
 * An event reported the other position since the command left: a hand may have been last, so only a reading settles it
 * (faults#110). "Unlocked" that is later than the proof of "locked" needs none.
 */
function isDisputed(
  { belief: { latest }, inFlight }: Lock,
  { target, provenSince }: LockEventOf<'command-completed'>,
): boolean {
  const contrary =
    latest !== null && isBoltPosition(latest.bolt) && latest.bolt !== target ? latest.at : null;
  const since = inFlight?.target === target ? inFlight.from : provenSince;
  if (target === 'secured') {
    return contrary !== null && contrary > since && contrary < provenSince;
  }
  return (contrary !== null && contrary > since) || inFlight?.isContradicted === true;
}

function commandEndedEvent(lock: Lock, event: LockEventOf<'command-ended'>): Lock {
  const inFlight = withEnd(lock.inFlight, event.at);
  if (event.jammed) {
    const belief = endedAs('jammed', lock.belief, event.at);
    return { ...lock, belief, target: event.next, inFlight };
  }
  return lock.target === event.next && inFlight === lock.inFlight
    ? lock
    : { ...lock, target: event.next, inFlight };
}

function doubted(lock: Lock, { target, since, until }: LockEventOf<'command-doubted'>): Lock {
  const belief = target === 'unsecured' ? withoutOlder(lock.belief, since) : lock.belief;
  const inFlight = until === null ? lock.inFlight : withEnd(lock.inFlight, until);
  return belief === lock.belief && inFlight === lock.inFlight ? lock : { ...lock, belief, inFlight };
}

/** Reports about the lock since then count for more. */
function unlockRecalled(lock: Lock, { at, until }: LockEventOf<'unlock-recalled'>): Lock {
  if ((lock.inFlight?.from ?? 0) >= at) {
    return lock;
  }
  const inFlight: InFlightCommand = { target: 'unsecured', before: 'unknown', from: at, until };
  return { ...lock, belief: withoutOlder(lock.belief, at), inFlight };
}

/** The listing may lag behind the end of an unlock: a hand that locks so soon is reported by an event, or by a later listing. */
function withLag(inFlight: InFlightCommand | null): InFlightCommand | null {
  return inFlight === null
    ? null
    : { ...inFlight, mayOpenUntil: latestOf(inFlight.mayOpenUntil ?? null, inFlight.from + TRAVEL_MS) };
}

function withEnd(inFlight: InFlightCommand | null, at: number): InFlightCommand | null {
  return inFlight === null || inFlight.until !== null ? inFlight : { ...inFlight, until: at };
}
