// What passing time, a sleep of the machine and a corrected clock do to a lock: nothing is learnt, only dated anew.
import type { Instant } from '../time/instant.ts';
import type { LockEvent, LockEventOf } from './event.ts';
import { type Belief, datedEarlier, withStaleness } from './evidence-policy.ts';
import type { Lock } from './lock.ts';
import { movesDated } from './move.ts';

type TimeEvent = LockEventOf<'aged' | 'slept' | 'clock-set-back'>;

export function isOfTime(event: LockEvent): event is TimeEvent {
  return event.type === 'aged' || event.type === 'slept' || event.type === 'clock-set-back';
}

export function retimed(lock: Lock, event: TimeEvent): Lock {
  switch (event.type) {
    case 'aged':
      return aged(lock, event.staleBefore);
    case 'slept':
      return slept(lock, event);
    case 'clock-set-back':
      return setBack(lock, event);
  }
}

/** The same reference where nothing has become stale. */
export function aged(lock: Lock, staleBefore: Instant): Lock {
  const belief = withStaleness(lock.belief, staleBefore);
  return belief === lock.belief ? lock : { ...lock, belief };
}

/** A sleep is no part of a bolt's travel: time limits that had not passed before the sleep are extended by it. */
function slept(lock: Lock, { ms, at }: LockEventOf<'slept'>): Lock {
  const { inFlight } = lock;
  if (inFlight === null) {
    return lock;
  }
  const later = (until: Instant | null): Instant | null =>
    until !== null && until > at - ms ? until + ms : until;
  const until = later(inFlight.until);
  const mayOpenUntil = later(inFlight.mayOpenUntil ?? null);
  const isSame = until === inFlight.until && mayOpenUntil === (inFlight.mayOpenUntil ?? null);
  return isSame ? lock : { ...lock, inFlight: { ...inFlight, until, mayOpenUntil } };
}

/** A belief whose claim is ahead moves as a whole; one with only its confirmation ahead would seem fresh until then (faults#112). */
function datedAgain(
  belief: Belief,
  dated: (at: Instant) => Instant,
  { byMs, latest }: LockEventOf<'clock-set-back'>,
): Belief {
  if (belief.latest === null) {
    return belief;
  }
  const { confirmedAt } = belief;
  return belief.latest.at > latest
    ? datedEarlier(belief, byMs)
    : { ...belief, confirmedAt: confirmedAt === null ? null : dated(confirmedAt) };
}

function setBack(lock: Lock, event: LockEventOf<'clock-set-back'>): Lock {
  const { byMs, latest } = event;
  const dated = (at: Instant): Instant => (at > latest ? at - byMs : at);
  const { belief, inFlight, lastMove } = lock;
  return {
    ...lock,
    belief: datedAgain(belief, dated, event),
    presenceAt: dated(lock.presenceAt),
    batteryAt: dated(lock.batteryAt),
    inFlight:
      inFlight === null
        ? null
        : {
            ...inFlight,
            from: dated(inFlight.from),
            until: inFlight.until === null ? null : dated(inFlight.until),
            mayOpenUntil: typeof inFlight.mayOpenUntil === 'number' ? dated(inFlight.mayOpenUntil) : null,
          },
    lastMove: lastMove === null ? null : { ...lastMove, at: dated(lastMove.at) },
    recent: movesDated(lock.recent, dated),
  };
}
