// The archived history for people: on each lock's own clocks, by hours and days, and without names that may be secrets.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ALL_HISTORY,
  type HistoryCursor,
  type HistoryErased,
  type LockHistoryLine,
  letsIn,
} from '../../domain/history/page.ts';
import type { Message } from '../../domain/language/message.ts';
import { speakableAccessor, speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { HistoryPages } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { machineOffset, nearestOffsets, offsetsIn } from '../../support/zone-offset.ts';
import type {
  ExportFormat,
  ExportPart,
  HistoryApi,
  HistoryEntryView,
  HistoryLineView,
  HistoryPageView,
  HistoryQuery,
  TodayView,
  VisitorView,
  WeekDay,
  WeekView,
} from '../views/history.ts';
import { spansOfDays } from './days.ts';
import { exportPart } from './file.ts';

/** Lines of one part of a file (our choice): read in a moment, so that nothing waits for it. */
const EXPORT_LINES = 2_000;

/** Names older than this are no longer offered, in milliseconds (our choice). */
const NAMES_FOR_MS = 90 * 86_400_000;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Entries further away than this tell nothing of a lock's clocks, in milliseconds (our choice). */
const OFFSET_KNOWN_MS = 2 * DAY_MS;

/** Lines that are read at once for a day or a week (our choice). */
const MOST_COUNTED = 20_000;

export class HistoryViews implements HistoryApi {
  readonly #parts;
  readonly #offsets = new Map<string, (at: Instant) => number>();

  constructor(parts: {
    readonly pages: Pick<HistoryPages, 'page' | 'people'>;
    /** Reads new entries from the service. Left out where there is no service. */
    readonly refresh?: HistoryApi['refresh'];
    /** Left out where the archive is only read. */
    readonly erasing?: Pick<HistoryApi, 'count'> & {
      readonly erase: (what: HistoryErased) => number;
      /** True: call again. */
      readonly forgetSome: () => boolean;
    };
    readonly now: () => Instant;
    /** The IANA name of a lock's zone; null where the offset that the service gives is taken. */
    readonly zoneOf: (id: LockId) => string | null;
    readonly nameOf: (id: LockId) => string;
  }) {
    this.#parts = parts;
  }

  page(query: HistoryQuery, below: HistoryCursor | null, limit: number): HistoryPageView {
    const filter = spansOfDays(query, (lock, at) => this.#offsetNear(lock, at));
    const { lines, next } = this.#parts.pages.page(filter, below, limit);
    const nearest = offsetsOf(lines);
    return { lines: lines.map((line) => this.#lineView(line, nearest)), next };
  }

  export(query: HistoryQuery, format: ExportFormat, below: HistoryCursor | null): ExportPart {
    return exportPart(this.page(query, below, EXPORT_LINES), format, below);
  }

  async week(query: HistoryQuery, weeksAgo: number): Promise<WeekView> {
    const last = this.#parts.now() - weeksAgo * 7 * DAY_MS;
    const lines = await this.#linesByDay(query, last - 8 * DAY_MS, last + 2 * DAY_MS);
    const now = this.#parts.now();
    const recent = weeksAgo === 0 ? lines : await this.#linesByDay(query, now - 8 * DAY_MS, now + 2 * DAY_MS);
    const today = Date.parse(this.#latestToday(recent)) - weeksAgo * 7 * DAY_MS;
    const dates = Array.from({ length: 7 }, (_, day) => dateOf(today - (6 - day) * DAY_MS, 0));
    const unlocks = new Map<string, number>();
    const unknown = new Set<string>();
    for (const line of lines) {
      if (line.what === 'gap') {
        for (const hour of hoursOf(line, last)) {
          unknown.add(hour);
        }
      } else if (line.what === 'unsecured') {
        const hour = hourOf(line.at, line.offsetMinutes);
        unlocks.set(hour, (unlocks.get(hour) ?? 0) + 1);
      }
    }
    const days = dates.map((date): WeekDay => {
      const hours = Array.from({ length: 24 }, (_, hour) => `${date}T${String(hour).padStart(2, '0')}`);
      return {
        date,
        unlocks: hours.map((hour) => unlocks.get(hour) ?? 0),
        gaps: hours.map((hour) => unknown.has(hour)),
      };
    });
    return { days, total: days.flatMap((day) => day.unlocks).reduce((sum, count) => sum + count, 0) };
  }

  today(query: HistoryQuery): TodayView {
    const now = this.#parts.now();
    const lines = this.#linesBetween(query, now - 2 * DAY_MS, now + DAY_MS);
    const isToday = (at: Instant, offset: number): boolean => dateOf(at, offset) === dateOf(now, offset);
    const entries = lines.filter(
      (line): line is HistoryEntryView =>
        line.what !== 'gap' && letsIn({ ...line }) && isToday(line.at, line.offsetMinutes),
    );
    const groups = Map.groupBy(entries, ({ by }) => JSON.stringify([by.name, by.method]));
    return {
      visitors: [...groups.values()].map(visitorOf),
      hasGap: lines.some((line) => line.what === 'gap' && isToday(line.to, line.offsetMinutes)),
    };
  }

  people(): readonly string[] {
    const names = this.#parts.pages.people(this.#parts.now() - NAMES_FOR_MS);
    return names.filter((name) => speakableName(name) !== null);
  }

  count(what: HistoryErased): number {
    return this.#parts.erasing?.count(what) ?? 0;
  }

  /** A part of the received events in a turn: a busy house has 100,000 of them. */
  async erase(what: HistoryErased): Promise<number> {
    const { erasing } = this.#parts;
    const entries = erasing?.erase(what) ?? 0;
    while (erasing?.forgetSome() === true) {
      await nextTurn();
    }
    return entries;
  }

  async refresh(locks: readonly LockId[] | null): Promise<Message | null> {
    return (await this.#parts.refresh?.(locks)) ?? null;
  }

  /** The date of today at the lock whose clocks are furthest ahead; on this machine where no lock's clocks are known. */
  #latestToday(recent: readonly HistoryLineView[]): string {
    const now = this.#parts.now();
    const newest = new Map<LockId, HistoryLineView>();
    for (const line of recent) {
      newest.set(line.lock, newest.get(line.lock) ?? line);
    }
    const dates = [...newest].map(([lock, { offsetMinutes }]) =>
      dateOf(
        now,
        this.#offsetOf(lock, now, offsetMinutes, () => null),
      ),
    );
    return dates.toSorted().at(-1) ?? dateOf(now, machineOffset(now));
  }

  #linesBetween(query: HistoryQuery, since: Instant, until: Instant): readonly HistoryLineView[] {
    const span = { since, until, firstDay: null, lastDay: null };
    return this.page({ ...query, ...span }, null, MOST_COUNTED).lines;
  }

  /** The same, a day in a turn: with many locks nothing has to wait for all of them. A gap comes once for each day. */
  async #linesByDay(
    query: HistoryQuery,
    since: Instant,
    until: Instant,
  ): Promise<readonly HistoryLineView[]> {
    const days: (readonly LockHistoryLine[])[] = [];
    let left = MOST_COUNTED;
    for (let end = until; end > since && left > 0; end -= DAY_MS) {
      const span = { since: Math.max(end - DAY_MS, since), until: end };
      const { lines } = this.#parts.pages.page({ ...query, ...span }, null, left);
      days.push(lines);
      left -= lines.length;
      await nextTurn();
    }
    const nearest = offsetsOf(days.flat());
    const views: HistoryLineView[] = [];
    for (const lines of days) {
      views.push(...lines.map((line) => this.#lineView(line, nearest)));
      await nextTurn();
    }
    return views;
  }

  #lineView({ lock, line }: LockHistoryLine, nearest: PageOffsets): HistoryLineView {
    const lockName = this.#parts.nameOf(lock);
    if (line.what === 'gap') {
      return { ...line, lock, lockName, offsetMinutes: this.#offsetOf(lock, line.to, null, nearest) };
    }
    const offsetMinutes = this.#offsetOf(lock, line.at, line.offsetMinutes, nearest);
    return { ...line, lock, lockName, offsetMinutes, by: speakableAccessor(line.by) };
  }

  /** How far the lock's clocks were ahead of UTC then, where no entry has it: as in entries of about that time. */
  #offsetNear(lock: LockId, at: Instant): number {
    const nearest = (): number | null => {
      const span = { since: at - OFFSET_KNOWN_MS, until: at + OFFSET_KNOWN_MS };
      const near = { ...ALL_HISTORY, ...span, locks: [lock] };
      return offsetsOf(this.#parts.pages.page(near, null, MOST_COUNTED).lines)(lock, at);
    };
    return this.#offsetOf(lock, at, null, nearest);
  }

  /** The offset of the lock's zone, else that of the service, of the nearest entry of the page, or of this machine. */
  #offsetOf(lock: LockId, at: Instant, said: number | null, nearest: PageOffsets): number {
    const zone = this.#parts.zoneOf(lock);
    if (zone !== null) {
      const offsets = this.#offsets.get(zone) ?? offsetsIn(zone);
      this.#offsets.set(zone, offsets);
      return offsets(at);
    }
    return said ?? nearest(lock, at) ?? machineOffset(at);
  }
}

/** Finds a lock's offset at an instant, from one page. The lookup must be fast, because a page has up to 20,000 lines. */
type PageOffsets = (lock: LockId, at: Instant) => number | null;

function offsetsOf(page: readonly LockHistoryLine[]): PageOffsets {
  const known = new Map(
    [...Map.groupBy(page, ({ lock }) => lock)].map(([lock, lines]) => {
      const entries = lines.map(({ line }) => line).filter((line) => line.what !== 'gap');
      return [lock, nearestOffsets(entries)] as const;
    }),
  );
  return (lock, at) => known.get(lock)?.(at) ?? null;
}

/** The newest first, as they come; the name and method are the same in all of them. */
function visitorOf(entries: readonly HistoryEntryView[]): VisitorView {
  const [last] = entries;
  return {
    name: last?.by.name ?? null,
    method: last?.by.method ?? 'other',
    lockNames: [...new Set(entries.map(({ lockName }) => lockName))],
    count: entries.length,
    firstAt: entries.at(-1)?.at ?? 0,
    lastAt: last?.at ?? 0,
    offsetMinutes: last?.offsetMinutes ?? 0,
  };
}

function dateOf(at: Instant, offsetMinutes: number): string {
  return new Date(at + offsetMinutes * MINUTE_MS).toISOString().slice(0, 10);
}

/** "2026-04-14T08": the hour on the lock's clocks. */
function hourOf(at: Instant, offsetMinutes: number): string {
  return new Date(at + offsetMinutes * MINUTE_MS).toISOString().slice(0, 13);
}

/** The hours of a gap, as far as they are in the week that ends then. */
function hoursOf(
  {
    from,
    to,
    offsetMinutes,
  }: { readonly from: Instant; readonly to: Instant; readonly offsetMinutes: number },
  last: Instant,
): readonly string[] {
  const begin = Math.max(from, last - 8 * DAY_MS);
  const end = Math.min(to, last + DAY_MS);
  const count = Math.max(0, Math.floor(end / HOUR_MS) - Math.floor(begin / HOUR_MS)) + 1;
  return Array.from({ length: count }, (_, hour) =>
    hourOf(Math.min(begin + hour * HOUR_MS, end), offsetMinutes),
  );
}
