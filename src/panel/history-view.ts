// The archived history of all locks in the forms that pages and the command line show.
import type { AccessMethod } from '../domain/access.ts';
import type { Instant } from '../domain/bolt.ts';
import type { HistoryEntry, HistoryGap } from '../domain/history.ts';
import type { HistoryCursor, HistoryFilter } from '../domain/history-page.ts';
import type { LockId } from '../domain/lock.ts';

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
  /** Hours of which something is not known. */
  readonly gaps: readonly boolean[];
}

export interface WeekView {
  /** Seven, the oldest first. */
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
  /** Of the last. */
  readonly offsetMinutes: number;
}

export interface TodayView {
  readonly visitors: readonly VisitorView[];
  /** Something of today is not known. */
  readonly hasGap: boolean;
}

export type ExportFormat = 'csv' | 'json';

export interface ExportPart {
  readonly text: string;
  /** Where the next part begins; null at the end. */
  readonly next: HistoryCursor | null;
}

/** The history of all locks for people. */
export interface HistoryApi {
  page(filter: HistoryFilter, below: HistoryCursor | null, limit: number): HistoryPageView;
  /** The seven days that end today, or so many weeks before. */
  week(filter: HistoryFilter, weeksAgo: number): WeekView;
  today(filter: HistoryFilter): TodayView;
  /** Names in the last months, for a choice. */
  people(): readonly string[];
  export(filter: HistoryFilter, format: ExportFormat, below: HistoryCursor | null): ExportPart;
  /** Asks the service for what is new; resolves with null, or with why something may be missing. */
  refresh(locks: readonly LockId[] | null): Promise<string | null>;
}
