// What a command of ours does to a lock, from its departure to its end.
import type { Instant } from '../time/instant.ts';
import { TRAVEL_MS } from '../time/time.ts';
import { type BoltState, isBoltPosition } from './bolt.ts';
import type { LockEvent, LockEventOf } from './event.ts';
import { type Belief, type InFlightCommand, weigh, withoutOlder } from './evidence-policy.ts';
import type { Lock } from './lock.ts';

type CommandEvent = LockEventOf<
  'command-sent' | 'command-completed' | 'command-ended' | 'command-doubted' | 'unlock-recalled'
>;

const OF_COMMANDS: ReadonlySet<string> = new Set<CommandEvent['type']>([
  'command-sent',
  'command-completed',
  'command-ended',
  'command-doubted',
  'unlock-recalled',
]);

export function isOfCommand(event: LockEvent): event is CommandEvent {
  return OF_COMMANDS.has(event.type);
}

export function commanded(lock: Lock, event: CommandEvent): Lock {
  switch (event.type) {
    case 'command-sent':
      return sent(lock, event);
    case 'command-completed':
      return completed(lock, event);
    case 'command-ended':
      return ended(lock, event);
    case 'command-doubted':
      return doubted(lock, event);
    case 'unlock-recalled':
      return recalled(lock, event);
  }
}

function sent(lock: Lock, event: LockEventOf<'command-sent'>): Lock {
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

function ended(lock: Lock, event: LockEventOf<'command-ended'>): Lock {
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
function recalled(lock: Lock, { at, until }: LockEventOf<'unlock-recalled'>): Lock {
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
