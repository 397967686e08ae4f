// What passing time, a sleep of the machine and a corrected clock do to a lock: nothing is learnt, only dated anew.
import type { Instant } from '../time/instant.ts';
import type { LockEvent, LockEventOf } from './event.ts';
import { type Belief, withDates, withStaleness } from './evidence-policy.ts';
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
  const isOpen = (until: Instant | null): until is Instant => until !== null && until > at - ms;
  const { inFlight, belief } = lock;
  const { opening } = belief;
  const travelling =
    inFlight !== null && isOpen(inFlight.until) ? { ...inFlight, until: inFlight.until + ms } : inFlight;
  const lagging =
    opening !== null && isOpen(opening.until)
      ? { ...belief, opening: { ...opening, until: opening.until + ms } }
      : belief;
  return travelling === inFlight && lagging === belief
    ? lock
    : { ...lock, inFlight: travelling, belief: lagging };
}

/** A belief whose claim is ahead moves as a whole; one with only its confirmation ahead would seem fresh until then (faults#112). */
function datedAgain(
  belief: Belief,
  dated: (at: Instant) => Instant,
  { byMs, latest }: LockEventOf<'clock-set-back'>,
): Belief {
  const isAhead = belief.latest !== null && belief.latest.at > latest;
  const anew = withDates(belief, isAhead ? (at) => at - byMs : dated);
  return isAhead ? anew : { ...anew, latest: belief.latest, rest: belief.rest, jam: belief.jam };
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
          },
    lastMove: lastMove === null ? null : { ...lastMove, at: dated(lastMove.at) },
    recent: movesDated(lock.recent, dated),
  };
}
