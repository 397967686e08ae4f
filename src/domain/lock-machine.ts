// (lock, event) -> lock: the only way a lock changes. The same reference comes back when nothing changed.
//
// What a lock keeps is copied from what it kept before, also where nothing of that stays: of objects that are written out anew V8
// notices that hundreds stay, and from then on puts all that are made there where garbage is collected seldom (docs/bench.md).
import type { BoltState, Instant } from './bolt.ts';
import {
  type Belief,
  confirm,
  type Evidence,
  type InFlightCommand,
  isEchoOfOrigin,
  mayBeEcho,
  NOTHING_BELIEVED,
  originReportedBy,
  weigh,
  withoutOlder,
} from './evidence-policy.ts';
import { type Lock, sameDescription } from './lock.ts';
import type {
  Aged,
  CommandCompleted,
  CommandDoubted,
  CommandEnded,
  CommandSent,
  LockEvent,
  Reported,
} from './lock-event.ts';

/** Claims this far ahead of now are of a clock that was wrong, in milliseconds; less is the uncertainty of any clock. */
const FUTURE_TOLERANCE_MS = 60_000;

/** Folds one event into a lock. Pure and total: every event is answered in every state. */
export function advanceLock(lock: Lock, event: LockEvent): Lock {
  switch (event.type) {
    case 'reported':
      return reported(lock, event);
    case 'requested':
      return lock.target === event.target ? lock : { ...lock, target: event.target };
    case 'command-sent':
      return departed(lock, event);
    case 'command-completed':
      return arrived(lock, event);
    case 'command-ended':
      return commandEndedEvent(lock, event);
    case 'command-doubted':
      return doubted(lock, event);
    case 'request-dropped':
      return lock.target === null ? lock : { ...lock, target: null };
    case 'aged':
      return aged(lock, event);
    case 'missed':
      return event.at < lock.presenceAt ? lock : { ...lock, presence: 'missing', presenceAt: event.at };
  }
}

/**
 * A lock of which a listing has told, after another one that says the very same of it at `at`: nothing but instants moves,
 * so that it costs little. Null where more may follow from it: then it is to be folded in as ever.
 */
export function refreshUnchanged(
  lock: Lock,
  told: { readonly bolt: BoltState; readonly at: Instant },
  at: Instant,
): Lock | null {
  const { belief, inFlight } = lock;
  const { latest, rest } = belief;
  const isUnchanged =
    latest?.source === 'poll' &&
    latest.bolt === told.bolt &&
    latest.bolt !== 'jammed' &&
    latest.at === told.at &&
    belief.confirmedAt === told.at &&
    lock.presenceAt === told.at &&
    lock.batteryAt === told.at;
  if (!isUnchanged || mayBeEcho(inFlight, at) || at <= told.at) {
    return null;
  }
  const claim: Evidence = { source: 'poll', bolt: latest.bolt, at };
  return {
    ...lock,
    presenceAt: at,
    batteryAt: at,
    belief: {
      latest: claim,
      rest: rest === latest ? claim : rest,
      jam: belief.jam,
      confirmedAt: at,
      stale: false,
    },
  };
}

function reported(lock: Lock, event: Reported): Lock {
  let next = withPresence(lock, event);
  if (event.battery !== undefined && event.at >= next.batteryAt) {
    next = { ...next, batteryAt: event.at, battery: sameBattery(next, event) ? next.battery : event.battery };
  }
  if (event.description !== undefined && !sameDescription(next.description, event.description)) {
    next = { ...next, description: event.description };
  }
  return event.bolt === undefined ? next : boltReported(next, event, event.bolt);
}

/**
 * A word that is not older than the last: only an explicit one says that the lock is offline, and only a listing ends an
 * absence, since the service goes on telling of locks that the account no longer has.
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
  const moved = withMove(lock, event, bolt);
  const weighed = weigh(lock.belief, claim);
  const belief = event.staleBefore === undefined ? weighed : withAge(weighed, event.staleBefore);
  return belief === lock.belief ? moved : { ...moved, belief };
}

/** An echo keeps fresh what was known at the departure of a command; where nothing was, it says where that was. */
function echoed(lock: Lock, inFlight: InFlightCommand, echo: Evidence): Lock {
  const told = originReportedBy(inFlight, echo);
  const known = told === null ? lock : { ...lock, inFlight: { ...inFlight, before: told.bolt } };
  const learned = told === null ? lock.belief : weigh(lock.belief, told);
  const belief = echo.bolt === learned.latest?.bolt ? confirm(learned, echo.at) : learned;
  return belief === lock.belief ? known : { ...known, belief };
}

function withMove(lock: Lock, event: Reported, bolt: BoltState): Lock {
  if (event.accessor === undefined || (bolt !== 'secured' && bolt !== 'unsecured')) {
    return lock;
  }
  if (lock.lastMove !== null && lock.lastMove.at >= event.at) {
    return lock;
  }
  return { ...lock, lastMove: { ...lock.lastMove, to: bolt, by: event.accessor, at: event.at } };
}

function departed(lock: Lock, event: CommandSent): Lock {
  const before = lock.belief.latest?.bolt ?? 'unknown';
  const earlier = lock.inFlight;
  const mayOpenUntil = earlier?.target === 'unsecured' ? earlier.until : (earlier?.mayOpenUntil ?? null);
  return {
    ...lock,
    target: event.next ?? event.target,
    inFlight: { target: event.target, before, from: event.at, until: null, mayOpenUntil },
  };
}

function arrived(lock: Lock, event: CommandCompleted): Lock {
  const claim: Evidence = { source: 'command', bolt: event.target, at: event.provenSince };
  return {
    ...lock,
    belief: weigh(lock.belief, claim),
    target: event.next,
    inFlight: landed(lock.inFlight, event.at),
  };
}

function commandEndedEvent(lock: Lock, event: CommandEnded): Lock {
  const inFlight = landed(lock.inFlight, event.at);
  if (event.jammed) {
    const belief = weigh(lock.belief, { source: 'command', bolt: 'jammed', at: event.at });
    return { ...lock, belief, target: event.next, inFlight };
  }
  return lock.target === event.next && inFlight === lock.inFlight
    ? lock
    : { ...lock, target: event.next, inFlight };
}

function doubted(lock: Lock, { target, since, until }: CommandDoubted): Lock {
  const belief = target === 'unsecured' ? withoutOlder(lock.belief, since) : lock.belief;
  const inFlight = landed(lock.inFlight, until);
  return belief === lock.belief && inFlight === lock.inFlight ? lock : { ...lock, belief, inFlight };
}

function landed(inFlight: InFlightCommand | null, at: number): InFlightCommand | null {
  return inFlight === null || inFlight.until !== null ? inFlight : { ...inFlight, until: at };
}

function aged(lock: Lock, { staleBefore, now }: Aged): Lock {
  const { latest } = lock.belief;
  if (latest !== null && latest.at > now + FUTURE_TOLERANCE_MS) {
    return {
      ...lock,
      belief: NOTHING_BELIEVED,
      presenceAt: Math.min(lock.presenceAt, now),
      batteryAt: Math.min(lock.batteryAt, now),
    };
  }
  const belief = withAge(lock.belief, staleBefore);
  return belief === lock.belief ? lock : { ...lock, belief };
}

/** A belief that nothing has confirmed since that instant is stale. */
function withAge(belief: Belief, staleBefore: Instant): Belief {
  const { latest, confirmedAt, stale } = belief;
  const tooOld = latest !== null && !stale && (confirmedAt ?? latest.at) < staleBefore;
  return tooOld ? { ...belief, stale: true } : belief;
}

function sameBattery(lock: Lock, event: Reported): boolean {
  return lock.battery.grade === event.battery?.grade && lock.battery.percent === event.battery.percent;
}
