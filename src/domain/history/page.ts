// Questions to the archived history of several locks, and its answer in pages.
import type { AccessMethod } from '../locks/access.ts';
import type { LockId } from '../locks/lock.ts';
import type { Instant } from '../time/instant.ts';
import type { HistoryLine } from './history.ts';

/** A stretch of time; null leaves an end open. */
export interface HistorySpan {
  /** Includes entries from this instant on. */
  readonly since: Instant | null;
  /** Includes entries before this instant. */
  readonly until: Instant | null;
}

/** Which entries are wanted; null leaves a condition out. Gaps are never filtered by person or method. */
export interface HistoryFilter extends HistorySpan {
  readonly locks: readonly LockId[] | null;
  /** Replaces `since` and `until` where each lock has its own: a day begins on the lock's clocks. */
  readonly spanOf?: (lock: LockId) => HistorySpan;
  /** A part of the account's name of a person or code, without regard to case. */
  readonly person: string | null;
  readonly methods: readonly AccessMethod[] | null;
}

export const ALL_HISTORY: HistoryFilter = {
  locks: null,
  since: null,
  until: null,
  person: null,
  methods: null,
};

/** The place of a line in the order of all locks: the next page begins below it. */
export interface HistoryCursor {
  readonly at: Instant;
  readonly lock: LockId;
  /** Empty for a gap, which stands below all entries of its instant. */
  readonly id: string;
}

export interface LockHistoryLine {
  readonly lock: LockId;
  readonly line: HistoryLine;
}

export interface HistoryPage {
  /** The newest first. */
  readonly lines: readonly LockHistoryLine[];
  /** Where the next page begins; null at the end. */
  readonly next: HistoryCursor | null;
}

/** What a person erases: a lock's history, everything of one person or code by the whole name, or both together. */
export interface HistoryErased {
  readonly lock: LockId | null;
  readonly person: string | null;
}

/** Words by which people choose how a bolt was moved. */
export const MOVE_METHODS = {
  code: ['access-code'],
  app: ['virtual-key'],
  hand: ['thumbturn', 'unlock-button', 'lock-button'],
  button: ['one-touch'],
  home: ['platform', 'platform-key', 'own-command'],
  automatic: ['auto-relock', 'schedule'],
  unknown: ['unavailable', 'other'],
} as const satisfies Readonly<Record<string, readonly AccessMethod[]>>;

export type MethodWord = keyof typeof MOVE_METHODS;

export function isMethodWord(word: string): word is MethodWord {
  return Object.hasOwn(MOVE_METHODS, word);
}

/** How someone outside can unlock. A thumbturn is inside, and a schedule lets nobody in. */
const ENTRY_METHODS: ReadonlySet<AccessMethod> = new Set<AccessMethod>([
  'access-code',
  'virtual-key',
  'one-touch',
  'platform',
  'platform-key',
  'own-command',
]);

/** Whether this entry may be of someone coming in. */
export function letsIn(line: HistoryLine): boolean {
  return line.what === 'unsecured' && ENTRY_METHODS.has(line.by.method);
}
