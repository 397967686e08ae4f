// The request of the history page: a filter, the first day of its list, and a week.
import type { MethodWord } from '../../../src/domain/history/page.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';

/** The filter in the form of the operations. */
export interface ShownFilter {
  readonly locks: readonly LockId[] | null;
  readonly person: string | null;
  readonly methods: readonly MethodWord[] | null;
  /** A day such as "2026-04-14", on the clocks of each lock. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

export const NOTHING_FILTERED: ShownFilter = {
  locks: null,
  person: null,
  methods: null,
  firstDay: null,
  lastDay: null,
};

export interface HistoryQuestion {
  readonly filter: ShownFilter;
  /** The list begins with this day; null: with the newest entry. */
  readonly startDay: string | null;
  readonly weeksAgo: number;
}
