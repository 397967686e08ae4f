// Keeps the history page current: one call after an event at most, and lines that were loaded further down stay.
import type { HistoryCursor, MethodWord } from '../../../src/domain/history/page.ts';
import { type Message, verbatim } from '../../../src/domain/language/message.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { HistoryPageView, TodayView, WeekView } from '../../../src/panel/views/history.ts';
import { after } from '../../shared/browser-clock.ts';
import { type Call, type CallError, shownError } from '../state/transport.ts';
import { isApart, withNewest, withOlder } from './lines.ts';

/** The filter in the form of the operations. */
export interface ShownFilter {
  readonly locks: readonly LockId[] | null;
  readonly person: string | null;
  readonly methods: readonly MethodWord[] | null;
  /** A day such as "2026-04-14", on the clocks of each lock. */
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  /** Of one hour, as instants. */
  readonly since: number | null;
  readonly until: number | null;
}

export const NOTHING_FILTERED: ShownFilter = {
  locks: null,
  person: null,
  methods: null,
  firstDay: null,
  lastDay: null,
  since: null,
  until: null,
};

export interface HistoryQuestion {
  readonly filter: ShownFilter;
  /** The list begins with this day; null: with the newest entry. */
  readonly startDay: string | null;
  readonly weeksAgo: number;
}

/** Lines of a page. */
const PAGE_LINES = 50;

/** Lines of one answer at most. */
const MOST_LINES = 500;

/** The pause between two looks that events cause, in milliseconds (our choice): a burst of events is one look. */
const READ_EVERY_MS = 1_000;

export interface HistoryShown {
  readonly question: HistoryQuestion;
  /** Null until the first answer. */
  readonly today: TodayView | null;
  readonly week: WeekView | null;
  readonly list: HistoryPageView | null;
  readonly failure: CallError | null;
  /** The service is being asked for new entries. */
  readonly isRefreshing: boolean;
  /** Why the latest entries may be missing. */
  readonly unanswered: Message | null;
  readonly isLoadingOlder: boolean;
  readonly olderFailure: CallError | null;
}

export const NOTHING_SHOWN: HistoryShown = {
  question: { filter: NOTHING_FILTERED, startDay: null, weeksAgo: 0 },
  today: null,
  week: null,
  list: null,
  failure: null,
  isRefreshing: false,
  unanswered: null,
  isLoadingOlder: false,
  olderFailure: null,
};

export class HistoryFeed {
  readonly #call: Call;
  readonly #onChange: (shown: HistoryShown) => void;
  #shown = NOTHING_SHOWN;
  #question = NOTHING_SHOWN.question;
  #isReading = false;
  #isOutdated = false;
  /** Ends the time in which events do not ask again at once. */
  #callOff: (() => void) | null = null;
  #isOver = false;

  constructor(call: Call, onChange: (shown: HistoryShown) => void, question = NOTHING_SHOWN.question) {
    this.#call = call;
    this.#onChange = onChange;
    this.#question = question;
  }

  /** Shows the stored entries, then has new ones read from the service. Never rejects. */
  async open(): Promise<void> {
    void this.#readNewest(PAGE_LINES);
    this.#learn({ isRefreshing: true });
    const unanswered = await this.#call('history.refresh', { locks: this.#question.filter.locks }).then(
      (answer) => answer.unanswered,
      (thrown: unknown) => verbatim(shownError(thrown).message),
    );
    this.#learn({ isRefreshing: false, unanswered });
    // Entries of an outage may stand further down as well.
    await this.#readNewest(Math.min(MOST_LINES, Math.max(PAGE_LINES, this.#shown.list?.lines.length ?? 0)));
  }

  ask(question: HistoryQuestion): void {
    if (JSON.stringify(question) !== JSON.stringify(this.#question)) {
      this.#question = question;
      void this.#readNewest(PAGE_LINES);
    }
  }

  /** Entries were erased: what is shown or on its way may hold them. */
  again(): void {
    this.#question = { ...this.#question };
    this.#learn({ list: null });
    void this.#readNewest(PAGE_LINES);
  }

  /** An event may have brought something new. */
  noteEvent(): void {
    this.#isOutdated = true;
    if (this.#callOff === null) {
      void this.#readNewest(PAGE_LINES);
    }
  }

  /** Loads the page below the end, once at a time. Never rejects. */
  async older(): Promise<void> {
    const { list, isLoadingOlder, question } = this.#shown;
    if (list === null || list.next === null || isLoadingOlder) {
      return;
    }
    this.#learn({ isLoadingOlder: true, olderFailure: null });
    try {
      const asked = { ...listOf(question), below: list.next, limit: PAGE_LINES };
      const page = await this.#call('history.page', asked);
      const now = this.#shown.list;
      const isStillTheEnd = this.#shown.question === question && now !== null && isSame(now.next, list.next);
      this.#learn({ isLoadingOlder: false, ...(isStillTheEnd ? { list: withOlder(now, page) } : {}) });
    } catch (thrown) {
      this.#learn({ isLoadingOlder: false, olderFailure: shownError(thrown) });
    }
  }

  close(): void {
    this.#isOver = true;
    this.#callOff?.();
  }

  /** Never rejects. One at a time: requests meanwhile cause one more look. */
  async #readNewest(limit: number): Promise<void> {
    if (this.#isReading || this.#isOver) {
      this.#isOutdated = true;
      return;
    }
    this.#callOff?.();
    this.#callOff = null;
    this.#isReading = true;
    this.#isOutdated = false;
    const question = this.#question;
    try {
      await this.#answer(question, limit);
    } catch (thrown) {
      this.#learn({ failure: shownError(thrown) });
    }
    this.#isReading = false;
    if (question === this.#question) {
      this.#rest();
    } else {
      await this.#readNewest(PAGE_LINES);
    }
  }

  async #answer(question: HistoryQuestion, limit: number): Promise<void> {
    const { weeksAgo } = question;
    const { page, today, week } = await this.#call('history.look', { ...listOf(question), weeksAgo, limit });
    const known = isSameList(this.#shown.question, question) ? this.#shown.list : null;
    // After more events than a page has lines, the lines between are read, too.
    const newest =
      known !== null && isApart(known, page)
        ? await this.#call('history.page', { ...listOf(question), below: null, limit: MOST_LINES })
        : page;
    if (question === this.#question) {
      const before = isSameList(this.#shown.question, question) ? this.#shown.list : null;
      const list = before === null ? newest : withNewest(before, newest);
      this.#learn({ question, today, week, list, failure: null });
    }
  }

  #rest(): void {
    if (this.#isOver) {
      return;
    }
    this.#callOff = after(READ_EVERY_MS, () => {
      this.#callOff = null;
      if (this.#isOutdated) {
        void this.#readNewest(PAGE_LINES);
      }
    });
  }

  #learn(changes: Partial<HistoryShown>): void {
    if (!this.#isOver) {
      this.#shown = { ...this.#shown, ...changes };
      this.#onChange(this.#shown);
    }
  }
}

/** The filter of the list, which ends with the day that it begins with for a reader: the newest comes first. */
function listOf({ filter, startDay }: HistoryQuestion): ShownFilter {
  const { lastDay } = filter;
  const isEarlier = startDay !== null && (lastDay === null || startDay < lastDay);
  return { ...filter, lastDay: isEarlier ? startDay : lastDay };
}

function isSameList(one: HistoryQuestion, other: HistoryQuestion): boolean {
  return JSON.stringify(listOf(one)) === JSON.stringify(listOf(other));
}

function isSame(one: HistoryCursor | null, other: HistoryCursor | null): boolean {
  return one?.at === other?.at && one?.lock === other?.lock && one?.id === other?.id;
}
