// What is said of booked stays and their calendars: how a code stands, what a reading found, and what it changes.
import type { GuestStanding } from '../domain/codes/guests/step.ts';
import { localDay, localHour } from '../domain/stays/stay-hours.ts';
import type { Instant } from '../domain/time/instant.ts';
import { decisionWords } from './guests.ts';
import { counted, countedParts, type TonedWords } from './sentence.ts';

/** Made when first used, as in schedules.ts. */
let days: Intl.DateTimeFormat | undefined;

/** "Sat, Dec 12", of a date such as "2026-12-12". */
export function stayDay(day: string): string {
  days ??= new Intl.DateTimeFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  return days.format(new Date(day));
}

/** "Sat, Dec 12, 15:40", on the clocks of the lock. */
function momentThere(at: Instant, zone: string): string {
  return `${stayDay(localDay(at, zone))}, ${localHour(at, zone)}`;
}

interface Stay {
  readonly phase: 'planned' | 'preparing' | 'ready' | 'arrived' | 'leaving' | 'gone' | 'skipped';
  readonly timeZone: string;
  readonly codeFromAt: Instant;
  readonly arrivedAt: Instant | null;
  readonly goneAt: Instant | null;
  readonly guestId: string | null;
  readonly isCancelled: boolean;
  readonly isSkipped: boolean;
  readonly obstacles: readonly string[];
}

/** How its code stands, as one line. */
export function phaseWords(stay: Stay): TonedWords {
  const { phase, obstacles, timeZone } = stay;
  const isHindered = obstacles.length > 0;
  switch (phase) {
    case 'planned':
      return isHindered
        ? { tone: 'warning', words: 'No code yet' }
        : { tone: 'plain', words: `Code from ${momentThere(stay.codeFromAt, timeZone)}` };
    case 'preparing':
      return isHindered
        ? { tone: 'warning', words: 'Code not on every lock' }
        : { tone: 'plain', words: 'Adding the code …' };
    case 'ready':
      return isHindered
        ? { tone: 'warning', words: 'Code ready, but check below' }
        : { tone: 'good', words: 'Code ready on every lock' };
    case 'arrived':
      return arrivedWords(stay);
    case 'leaving':
      return isHindered
        ? { tone: 'warning', words: 'Code still on a lock' }
        : { tone: 'plain', words: 'Removing the code …' };
    case 'skipped':
      return {
        tone: 'plain',
        words: stay.guestId === null ? 'Skipped, no code' : 'Skipped, removing the code …',
      };
    case 'gone':
      return { tone: 'plain', words: goneWords(stay) };
  }
}

function arrivedWords({ arrivedAt, timeZone, obstacles }: Stay): TonedWords {
  const since = arrivedAt === null ? '' : ` ${momentThere(arrivedAt, timeZone)}`;
  return { tone: obstacles.length > 0 ? 'warning' : 'good', words: `Arrived${since}` };
}

function goneWords({ goneAt, timeZone, isCancelled, isSkipped }: Stay): string {
  const ended = isCancelled ? 'Cancelled' : isSkipped ? 'Skipped' : 'Ended';
  return goneAt === null ? ended : `${ended}, code gone ${momentThere(goneAt, timeZone)}`;
}

/** "Last read 9:14 AM. Next reading 9:44 AM." `time`: an instant, as the reader writes it. */
export function readingWords(
  {
    lastGoodAt,
    nextReadingAt,
  }: { readonly lastGoodAt: Instant | null; readonly nextReadingAt: Instant | null },
  time: (at: Instant) => string,
): string {
  const last = lastGoodAt === null ? 'Not read yet.' : `Last read ${time(lastGoodAt)}.`;
  const next = nextReadingAt === null ? 'Reading …' : `Next reading ${time(nextReadingAt)}.`;
  return `${last} ${next}`;
}

interface EntryCounts {
  readonly stays: number;
  readonly notStays: number;
  readonly leftOut: number;
}

/** "5 stays, 2 entries blocked or closed, 1 entry not understood". */
export function entryWords({ stays, notStays, leftOut }: EntryCounts): string {
  return [
    counted(stays, 'stay'),
    ...(notStays === 0 ? [] : [`${counted(notStays, 'entry', 'entries')} blocked or closed`]),
    ...(leftOut === 0 ? [] : [`${counted(leftOut, 'entry', 'entries')} not understood`]),
  ].join(', ');
}

export interface StayChanges {
  readonly added: number;
  readonly moved: number;
  readonly cancelled: number;
}

/** "2 new, 1 moved"; empty when nothing changes. */
export function changeWords({ added, moved, cancelled }: StayChanges): string {
  return countedParts([
    [added, 'new'],
    [moved, 'moved'],
    [cancelled, 'cancelled'],
  ]);
}

/** A reading that lost so many stays at once. */
export function doubtWords(lost: number): string {
  const stays =
    lost === 1 ? 'The one stay that was to come is' : `${String(lost)} stays that were to come are`;
  return `${stays} missing from the calendar. This is believed once three readings over two hours say the same.`;
}

interface Check {
  readonly kind: 'read' | 'unchanged' | 'failed';
  readonly words: string | null;
  readonly counts: EntryCounts;
  readonly changes: StayChanges & { readonly doubted: number };
}

/** What a check found; it changed nothing. */
export function checkWords({ kind, words, counts, changes }: Check): string {
  if (kind === 'failed') {
    return words ?? 'The calendar could not be read.';
  }
  const change = changeWords(changes);
  const doubt = changes.doubted === 0 ? '' : ` ${doubtWords(changes.doubted)}`;
  return `The calendar can be read: ${entryWords(counts)}. ${change === '' ? 'Nothing would change.' : `It would change: ${change}.`}${doubt}`;
}

/** What of its code on one lock waits for something or somebody; null: nothing. `isOver`: the stay has ended. */
export function obstacleWords(standing: GuestStanding, isOver: boolean): string | null {
  switch (standing.kind) {
    case 'waiting':
      return standing.words;
    case 'refused':
      return standing.failure.words;
    case 'differs':
    case 'removed-elsewhere':
    case 'look-alike':
      return decisionWords(standing, { guest: null, code: null });
    case 'away':
      return 'the account has this lock no more, and the code may still be on it.';
    case 'ended':
      return isOver ? null : 'the code has ended.';
    case 'kept':
      return 'has the code that somebody else made, as you decided.';
    case 'up-to-date':
    case 'on-its-way':
      return null;
  }
}
