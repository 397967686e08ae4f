// The archived history of all locks in the forms that pages and the command line show.

import type { HistoryEntry, HistoryGap } from '../../domain/history/history.ts';
import type { HistoryCursor, HistoryErased, HistoryFilter } from '../../domain/history/page.ts';
import type { Message } from '../../domain/language/message.ts';
import type { AccessMethod } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';

/** Which entries are wanted, also by days on the clocks of each lock, such as "2026-04-14"; null leaves a condition out. */
export interface HistoryQuery extends Omit<HistoryFilter, 'spanOf'> {
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** The lock of a line, and how far its clocks were ahead of UTC then, in minutes. */
interface LinePlace {
  readonly lock: LockId;
  readonly lockName: string;
  readonly offsetMinutes: number;
}

export type HistoryEntryView = Omit<HistoryEntry, 'offsetMinutes'> & LinePlace;
export type HistoryGapView = HistoryGap & LinePlace;
export type HistoryLineView = HistoryEntryView | HistoryGapView;

export interface HistoryPageView {
  /** The newest first. */
  readonly lines: readonly HistoryLineView[];
  readonly next: HistoryCursor | null;
}

export interface WeekDay {
  /** The lock's local date, such as "2026-04-14". */
  readonly date: string;
  /** How often a lock was unlocked in each of the 24 hours. */
  readonly unlocks: readonly number[];
  /** Hours without a full record. */
  readonly gaps: readonly boolean[];
}

export interface WeekView {
  /** The seven days, the oldest first. */
  readonly days: readonly WeekDay[];
  readonly total: number;
}

/** Everyone of one name who unlocked in the same way today; without a name, all of that way. */
export interface VisitorView {
  readonly name: string | null;
  readonly method: AccessMethod;
  readonly lockNames: readonly string[];
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The UTC offset of the lock at the last of them. */
  readonly offsetMinutes: number;
}

export interface TodayView {
  readonly visitors: readonly VisitorView[];
  /** Part of today has no record. */
  readonly hasGap: boolean;
}

export type ExportFormat = 'csv' | 'json';

export interface ExportPart {
  readonly text: string;
  /** How many lines of the history it holds. */
  readonly lines: number;
  /** Where the next part begins; null at the end. */
  readonly next: HistoryCursor | null;
}

/** The content of the history page, as one answer. */
export interface HistoryLook {
  /** The newest lines. */
  readonly page: HistoryPageView;
  readonly today: TodayView;
  readonly week: WeekView;
}

/** The history of all locks for people. */
export interface HistoryApi {
  page(query: HistoryQuery, below: HistoryCursor | null, limit: number): HistoryPageView;
  /** The seven days that end today, or so many weeks before, with any filter of days. */
  week(query: HistoryQuery, weeksAgo: number): Promise<WeekView>;
  /** Today, with any filter of days. */
  today(query: HistoryQuery): TodayView;
  /** Names in the last months, for a choice. */
  people(): readonly string[];
  export(query: HistoryQuery, format: ExportFormat, below: HistoryCursor | null): ExportPart;
  /** How many entries an erasure would remove here. */
  count(what: HistoryErased): number;
  /** Erases them for good from this computer. Returns how many there were. */
  erase(what: HistoryErased): Promise<number>;
  /** Has new entries read from the service; resolves with null, or with why some may be missing. */
  refresh(locks: readonly LockId[] | null): Promise<Message | null>;
}
