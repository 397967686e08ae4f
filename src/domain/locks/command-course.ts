// What a command of ours does to a lock, from its departure to its end.
import type { Instant } from '../time/instant.ts';
import { LISTED_WITHIN_MS } from '../time/time.ts';
import { type BoltState, isBoltPosition } from './bolt.ts';
import type { LockEvent, LockEventOf } from './event.ts';
import {
  type Belief,
  type InFlightCommand,
  weigh,
  weighReport,
  withOpening,
  withoutOlder,
} from './evidence-policy.ts';
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
  return {
    ...travelEnded(lock, event.at),
    target: event.next ?? event.target,
    inFlight: { target: event.target, before, from: event.at, until: null },
  };
}

function completed(before: Lock, event: LockEventOf<'command-completed'>): Lock {
  const { target, provenSince, at, next } = event;
  const claim = { source: 'command', bolt: target, at: provenSince } as const;
  if (!isDisputed(before, event)) {
    const lock = travelEnded({ ...before, target: next }, at);
    return { ...lock, belief: weighReport(lock.belief, claim) };
  }
  // "Unlocked" during the travel of a "lock" was a hand after it: a reading from then on is no echo.
  const until = target === 'secured' ? (before.belief.latest?.at ?? at) : at;
  const lock = travelEnded({ ...before, target: next }, until);
  return { ...lock, belief: endedAs('unknown', weigh(lock.belief, claim), at) };
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

function ended(before: Lock, event: LockEventOf<'command-ended'>): Lock {
  const lock = travelEnded(before, event.at);
  if (event.jammed) {
    return { ...lock, belief: endedAs('jammed', lock.belief, event.at), target: event.next };
  }
  return lock.target === event.next ? lock : { ...lock, target: event.next };
}

function doubted(before: Lock, { target, since, until }: LockEventOf<'command-doubted'>): Lock {
  const lock =
    until === null ? before : travelEnded(before, Math.min(until, lockedMeanwhileAt(before) ?? until));
  const belief = target === 'unsecured' ? withoutOlder(lock.belief, since) : lock.belief;
  return belief === lock.belief ? lock : { ...lock, belief };
}

/** When a report said "locked" since a "lock" of ours left: an open bolt that is listed after that is no old position (faults#140). */
function lockedMeanwhileAt({ belief: { lockedAt }, inFlight }: Lock): Instant | null {
  return inFlight?.target === 'secured' && (lockedAt ?? 0) >= inFlight.from ? lockedAt : null;
}

/** Reports about the lock since then count for more. */
function recalled(lock: Lock, { at, until }: LockEventOf<'unlock-recalled'>): Lock {
  if ((lock.inFlight?.from ?? 0) >= at) {
    return lock;
  }
  const inFlight: InFlightCommand = { target: 'unsecured', before: 'unknown', from: at, until: null };
  return travelEnded({ ...lock, belief: withoutOlder(lock.belief, at), inFlight }, until);
}

/** An unlock that has ended may have opened the bolt, which a listing shows only later. */
function travelEnded(lock: Lock, at: Instant): Lock {
  const { belief, inFlight } = lock;
  if (inFlight === null || inFlight.until !== null) {
    return lock;
  }
  const opened =
    inFlight.target === 'unsecured'
      ? withOpening(belief, { since: at, until: at + LISTED_WITHIN_MS })
      : belief;
  return { ...lock, belief: opened, inFlight: { ...inFlight, until: at } };
}
