// Tells the host, some hours before a check-in, that a guest could not come in.

import type { Instant } from '../../../domain/time/instant.ts';
import type { CommonParts } from '../../../engine/locks/common-parts.ts';
import { warningDue } from '../policy/stay-plan-policy.ts';
import type { StayBook } from './stay-book.ts';
import type { StayNews } from './stay-news.ts';
import { type ReadinessFacts, readinessOf } from './stay-readiness.ts';

export interface StayWarningsParts extends Pick<CommonParts, 'store' | 'serviceClock'> {
  readonly book: StayBook;
  readonly news: StayNews;
}

/** A code that is on its way is no reason to worry anybody (our choice). */
const UNREADY_PAUSE_MS = 5 * 60_000;

export class StayWarnings {
  readonly #parts: StayWarningsParts;
  readonly #unreadySince = new Map<string, Instant>();

  constructor(parts: StayWarningsParts) {
    this.#parts = parts;
  }

  /** A code is missing, so that the stay is to be looked at again soon. */
  get isWaiting(): boolean {
    return this.#unreadySince.size > 0;
  }

  forget(id: string): void {
    this.#unreadySince.delete(id);
  }

  judge(id: string, facts: Omit<ReadinessFacts, 'store'>): void {
    const { book, serviceClock, news, store } = this.#parts;
    const now = serviceClock.now();
    const stay = book.get(id);
    const readiness = readinessOf({ ...facts, store });
    const { isReady, reasons, batteries, locks } = readiness;
    const since = isReady ? -Infinity : (this.#unreadySince.get(id) ?? now);
    if (isReady || stay === undefined) {
      this.forget(id);
    } else {
      this.#unreadySince.set(id, since);
    }
    const hours = stay === undefined ? null : warningDue(stay, now);
    const isReported = isReady ? batteries.length > 0 : now >= since + UNREADY_PAUSE_MS;
    if (stay !== undefined && hours !== null && isReported) {
      news.notReady(stay, { hours, isReady, locks, reasons: [...reasons, ...batteries] });
    }
  }
}
