// (lock, event) -> lock: the only way a lock changes. The same reference comes back when nothing changed.
import type { Instant } from '../time/instant.ts';
import { SAME_WITHIN_MS } from '../time/time.ts';
import { type BoltState, isBoltPosition } from './bolt.ts';
import { commanded, isOfCommand } from './command-course.ts';
import { isOfTime, retimed } from './dating.ts';
import type { LockEvent, Reported } from './event.ts';
import {
  type Belief,
  confirm,
  disputedByLag,
  type Evidence,
  type InFlightCommand,
  isEchoOfOrigin,
  originReportedBy,
  provesNothing,
  weigh,
  weighReport,
  withoutOpening,
} from './evidence-policy.ts';
import { type Lock, sameMembers } from './lock.ts';
import type { LastMove } from './move.ts';
import { movedByCommand, withAuthor, withCommand, withMove, withoutErasedNames } from './moves.ts';

/** Folds one event into a lock. Pure and total: every event is answered in every state. */
export function advanceLock(lock: Lock, event: LockEvent): Lock {
  if (isOfTime(event)) {
    return retimed(lock, event);
  }
  if (isOfCommand(event)) {
    return withCommand(lock, commanded(lock, event), event);
  }
  switch (event.type) {
    case 'reported':
      return reported(lock, event);
    case 'requested':
      return withTarget(lock, event.target);
    case 'request-dropped':
      return withTarget(lock, null);
    case 'move-read':
      return withMove(lock, { to: event.to, by: event.by, at: event.at, readLater: true });
    case 'author-read':
      return withAuthor(lock, { to: event.to, by: event.by, at: event.at });
    case 'command-moved':
      return movedByCommand(lock, event.target, null);
    case 'order-unknown':
      return withBelief(lock, withoutOpening(lock.belief));
    case 'left-out':
      return withBelief(lock, weigh(lock.belief, { source: 'poll', bolt: 'unknown', at: event.at }));
    case 'left-unlocked':
      return withLeftUnlocked(lock, event.since);
    case 'history-erased':
      return withoutErasedNames(lock, event.isErased);
    case 'missed':
      return missed(lock, event.at);
  }
}

function missed(lock: Lock, at: Instant): Lock {
  return at < lock.presenceAt ? lock : { ...lock, presence: 'missing', presenceAt: at };
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
  const { belief, inFlight } = lock;
  if (provesNothing(belief, claim)) {
    return withBelief(lock, claim.at < (belief.latest?.at ?? 0) ? belief : disputedByLag(belief));
  }
  if (inFlight !== null && isEchoOfOrigin(inFlight, claim)) {
    return echoed(lock, inFlight, claim);
  }
  const moved = withReportedMove(arrivedBy(lock, claim), event, bolt);
  return withBelief(moved, claim.source === 'poll' ? weigh(belief, claim) : weighReport(belief, claim));
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

function withReportedMove(lock: Lock, { accessor, at }: Reported, bolt: BoltState): Lock {
  if (accessor === undefined || !isBoltPosition(bolt) || isReadAlready(lock.lastMove, bolt, at)) {
    return lock;
  }
  return withMove(lock, { to: bolt, by: accessor, at });
}

/** A late event of the move that was read in the history: their dates may differ a little. */
function isReadAlready(lastMove: LastMove | null, bolt: BoltState, reportedAt: Instant): boolean {
  return lastMove?.readLater === true && lastMove.to === bolt && reportedAt - lastMove.at <= SAME_WITHIN_MS;
}
