// The facts by which the command machine of one lock decides: the time, and the present state of the lock.

import type { LockRules } from '../../domain/commands/intent-policy.ts';
import type { CommandContext } from '../../domain/commands/state.ts';
import type { Belief } from '../../domain/locks/evidence-policy.ts';
import { boltOf, type LockId } from '../../domain/locks/lock.ts';
import type { AccountLink, LockGateway, ServiceTimeline } from '../../domain/ports.ts';
import { ageOf, countedMs } from '../../domain/time/time.ts';
import { type Clock, momentOf } from '../../support/clock.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import type { LockStore } from '../locks/lock-store.ts';
import type { JournalQueue } from './journal-queue.ts';

/** What the commands of all locks share. */
export interface CommandTools extends CommonParts {
  readonly gateway: Pick<LockGateway, 'command' | 'outcome'>;
  readonly journal: Pick<JournalQueue, 'begin' | 'note'>;
  readonly rulesFor: (id: LockId) => LockRules;
  /** Milliseconds that never go back and count sleep, for time limits. */
  readonly elapsed: () => number;
  /** Tells how long a request that arrives right now may have waited for this process. */
  readonly staleness: { readonly unheardMs: number };
}

/** A clock for time limits: milliseconds that never go back and count sleep. */
export function elapsedClock(clock: Clock): () => number {
  let last = momentOf(clock);
  let elapsedMs = last.monotonicMs;
  return () => {
    const moment = momentOf(clock);
    elapsedMs += countedMs(last, moment);
    last = moment;
    return elapsedMs;
  };
}

export function commandContext(
  {
    store,
    link,
    rulesFor,
    elapsed,
    serviceClock,
  }: Pick<CommandTools, 'rulesFor' | 'elapsed'> & {
    readonly store: Pick<LockStore, 'get'>;
    readonly serviceClock: Pick<ServiceTimeline, 'now' | 'bounds'>;
    readonly link: Pick<AccountLink, 'state'>;
  },
  id: LockId,
): CommandContext {
  const lock = store.get(id);
  return {
    now: elapsed(),
    serviceNow: serviceClock.now(),
    setBackMs: serviceClock.bounds().setBackMs,
    lock:
      lock === undefined
        ? null
        : {
            bolt: boltOf(lock),
            claimedAt: lock.belief.latest?.at ?? 0,
            confirmedAgoMs: confirmedAgoMs(lock.belief, serviceClock),
            presence: lock.presence,
            role: lock.description.role,
            linked: link.state() === 'linked',
            rules: rulesFor(id),
          },
  };
}

/** A belief that is disputed, or dated ahead of the service's clock, has no age: it fulfils no request (faults#112). */
function confirmedAgoMs(
  { confirmedAt, disputed }: Belief,
  serviceClock: Pick<ServiceTimeline, 'bounds'>,
): number {
  const agoMs = disputed ? null : ageOf(confirmedAt ?? 0, serviceClock.bounds());
  return agoMs ?? Number.POSITIVE_INFINITY;
}
