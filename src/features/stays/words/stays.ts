// What is said of booked stays and their calendars: how a code stands, what a reading found, and what it changes.
import type { GuestStanding } from '../../../domain/codes/guest-step.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { localDay, localHour } from '../../../domain/time/local-hours.ts';
import { decisionWords } from '../../../words/guests.ts';
import { seriesWords, type TonedWords } from '../../../words/sentence.ts';
import { dayWords, hourWords } from '../../../words/times.ts';
import { inEnglish, t } from '../../../words/translate.ts';

/** "Sat, Dec 12, 15:40", on the clocks of the lock. */
function momentThere(at: Instant, zone: string): string {
  return seriesWords([dayWords(localDay(at, zone)), hourWords(localHour(at, zone))]);
}

interface Stay {
  readonly phase: 'planned' | 'preparing' | 'ready' | 'arrived' | 'leaving' | 'gone' | 'skipped';
  readonly timeZone: string;
  readonly codeFromAt: Instant;
  readonly arrivalAt: Instant;
  readonly readyAt: Instant | null;
  readonly arrivedAt: Instant | null;
  readonly goneAt: Instant | null;
  readonly checkedOutAt: Instant | null;
  readonly guestId: string | null;
  readonly isCancelled: boolean;
  readonly isSkipped: boolean;
  readonly obstacles: readonly unknown[];
}

/** How its code stands, as one line. `now`: whether the guest is expected already; left out, that is not said. */
export function phaseWords(stay: Stay, now = -Infinity): TonedWords {
  const isExpected = stay.phase === 'ready' && stay.obstacles.length === 0 && stay.arrivalAt <= now;
  return isExpected ? { tone: 'plain', words: expectedWords(stay, now) } : codeWords(stay);
}

function codeWords(stay: Stay): TonedWords {
  const { phase, obstacles, timeZone } = stay;
  const isHindered = obstacles.length > 0;
  switch (phase) {
    case 'planned':
      return isHindered
        ? { tone: 'warning', words: t('No code yet') }
        : { tone: 'plain', words: t('Code from {time}', { time: momentThere(stay.codeFromAt, timeZone) }) };
    case 'preparing':
      return isHindered
        ? { tone: 'warning', words: t('Code not on every lock') }
        : { tone: 'plain', words: t('Adding the code …') };
    case 'ready':
      return isHindered
        ? { tone: 'warning', words: t('Code ready, but check below') }
        : { tone: 'good', words: t('Code ready on every lock') };
    case 'arrived':
      return arrivedWords(stay);
    case 'leaving':
      return isHindered
        ? { tone: 'warning', words: t('Code still on a lock') }
        : { tone: 'plain', words: t('Removing the code …') };
    case 'skipped':
      return {
        tone: 'plain',
        words: t(stay.guestId === null ? 'Skipped, no code' : 'Skipped, removing the code …'),
      };
    case 'gone':
      return { tone: 'plain', words: goneWords(stay) };
  }
}

function expectedWords({ arrivalAt, timeZone }: Stay, now: Instant): string {
  const isToday = localDay(now, timeZone) === localDay(arrivalAt, timeZone);
  const time = isToday ? hourWords(localHour(arrivalAt, timeZone)) : momentThere(arrivalAt, timeZone);
  return t('Not here yet, expected since {time}', { time });
}

function arrivedWords({ arrivedAt, timeZone, obstacles }: Stay): TonedWords {
  const words =
    arrivedAt === null ? t('Arrived') : t('Arrived {time}', { time: momentThere(arrivedAt, timeZone) });
  return { tone: obstacles.length > 0 ? 'warning' : 'good', words };
}

function goneWords(stay: Stay): string {
  const { goneAt, timeZone, isCancelled, isSkipped } = stay;
  const time = goneAt === null ? null : momentThere(goneAt, timeZone);
  if (isCancelled) {
    return time === null ? t('Cancelled') : t('Cancelled, code gone {time}', { time });
  }
  if (isSkipped) {
    return time === null ? t('Skipped') : t('Skipped, code gone {time}', { time });
  }
  if (stay.checkedOutAt !== null) {
    return time === null ? t('Checked out') : t('Checked out, code gone {time}', { time });
  }
  // Without a code nobody could come in with it.
  if (stay.readyAt !== null && stay.arrivedAt === null) {
    return time === null ? t('No-show') : t('No-show, code gone {time}', { time });
  }
  return time === null ? t('Ended') : t('Ended, code gone {time}', { time });
}

/** "Last read 9:14 AM. Next reading 9:44 AM." `time`: an instant, as the reader writes it. */
export function readingWords(
  {
    lastGoodAt,
    nextReadingAt,
  }: { readonly lastGoodAt: Instant | null; readonly nextReadingAt: Instant | null },
  time: (at: Instant) => string,
): string {
  const last = lastGoodAt === null ? t('Not read yet.') : t('Last read {time}.', { time: time(lastGoodAt) });
  const next =
    nextReadingAt === null ? t('Reading …') : t('Next reading {time}.', { time: time(nextReadingAt) });
  return `${last} ${next}`;
}

interface EntryCounts {
  readonly stays: number;
  readonly notStays: number;
  readonly leftOut: number;
  readonly unconfirmed?: number;
  readonly marks?: number;
}

/** "5 stays, 2 entries blocked or closed, 1 entry left out". */
export function entryWords({ stays, notStays, leftOut, unconfirmed = 0, marks = 0 }: EntryCounts): string {
  return seriesWords([
    t('{count, plural, one {# stay} other {# stays}}', { count: stays }),
    notStays === 0
      ? ''
      : t('{count, plural, one {# entry blocked or closed} other {# entries blocked or closed}}', {
          count: notStays,
        }),
    unconfirmed === 0
      ? ''
      : t('{count, plural, one {# entry not confirmed} other {# entries not confirmed}}', {
          count: unconfirmed,
        }),
    marks === 0
      ? ''
      : t(
          '{count, plural, one {# entry that marks an arrival or a departure} other {# entries that mark an arrival or a departure}}',
          { count: marks },
        ),
    leftOut === 0
      ? ''
      : t('{count, plural, one {# entry left out} other {# entries left out}}', {
          count: leftOut,
        }),
  ]);
}

export interface StayChanges {
  readonly added: number;
  readonly moved: number;
  readonly cancelled: number;
}

/** "2 new, 1 moved"; empty when nothing changes. */
export function changeWords({ added, moved, cancelled }: StayChanges): string {
  return seriesWords([
    added === 0 ? '' : t('{count, plural, one {# new} other {# new}}', { count: added }),
    moved === 0 ? '' : t('{count, plural, one {# moved} other {# moved}}', { count: moved }),
    cancelled === 0 ? '' : t('{count, plural, one {# cancelled} other {# cancelled}}', { count: cancelled }),
  ]);
}

/** Stays that are not listed. */
export function laterWords(count: number): string {
  return t('{count, plural, one {One later stay is not listed.} other {# later stays are not listed.}}', {
    count,
  });
}

/** A reading that lost so many stays at once. */
export function doubtWords(lost: number): Message {
  return message(
    '{count, plural, one {One stay that was to come is missing from the calendar. This is believed once several readings over some hours say the same.} other {# stays that were to come are missing from the calendar. This is believed once several readings over some hours say the same.}}',
    { count: lost },
  );
}

/** Hours of the calendar's own that look wrong. */
export function oddArrivalWords(count: number): Message {
  return message(
    '{count, plural, one {One stay arrives before 06:00 by the hours of the calendar. Check its hours and its time zone at the portal, or set other hours for the stay.} other {# stays arrive before 06:00 by the hours of the calendar. Check its hours and its time zone at the portal, or set other hours for these stays.}}',
    { count },
  );
}

export function unknownZoneWords(names: readonly string[]): Message {
  return message(
    'The calendar names a time zone that is not known: {names}. Its hours are not used; your check-in and check-out apply. Set the time zone at the portal.',
    { names: names.map((name) => `"${name}"`) },
  );
}

/** Entries that repeat by a rule that is none. */
export function badRuleWords(names: readonly string[]): Message {
  return message(
    'How these entries repeat cannot be understood, so only their first time counts: {names}. Enter each stay by itself, or correct the repetition at the portal.',
    { names: names.join('; ') },
  );
}

/** `names`: some of the entries, by title and day. */
export function leftOutWords(count: number, names: readonly string[]): Message {
  const said = names.join('; ');
  return said === ''
    ? message(
        '{count, plural, one {One entry has no night, or cannot be understood, and gets no code. Check it at the portal.} other {# entries have no night, or cannot be understood, and get no code. Check them at the portal.}}',
        { count },
      )
    : message(
        '{count, plural, one {One entry gets no code: {names}. Check it at the portal.} other {# entries get no code: {names}. Check them at the portal.}}',
        { count, names: said },
      );
}

/** A calendar without a stay, whose entries are called blocked. */
export function blockedQuestion(titles: readonly string[]): Message {
  return message(
    'No stay was found, but entries called {titles}. Are these bookings, as some portals write them, or blocked nights?',
    { titles: titles.map((title) => `"${title}"`) },
  );
}

interface Check {
  readonly kind: 'read' | 'unchanged' | 'failed';
  readonly words: Message | null;
  readonly counts: EntryCounts;
  readonly changes: StayChanges & { readonly doubted: number };
}

export function checkWords({ kind, words, counts, changes }: Check): string {
  if (kind === 'failed') {
    return words === null ? t('The calendar could not be read.') : t(words);
  }
  const change = changeWords(changes);
  return [
    t('The calendar can be read: {entries}.', { entries: entryWords(counts) }),
    change === '' ? t('Nothing would change.') : t('It would change: {change}.', { change }),
    ...(changes.doubted === 0 ? [] : [t(doubtWords(changes.doubted))]),
  ].join(' ');
}

/** Whether an obstacle is said of this lock alone: then it begins with the lock's name, in English. */
export function isOfLock(obstacle: Message, lockName: string): boolean {
  return inEnglish(() => t(obstacle)).startsWith(`${lockName}: `);
}

/** What of its code on one lock waits for something or somebody; null: nothing. `isOver`: the stay has ended. */
export function obstacleWords(standing: GuestStanding, isOver: boolean): Message | null {
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
      return message('the account has this lock no more, and the code may still be on it.');
    case 'proposed':
      return message(
        'the stored codes may be out of date. Confirm this one on the Codes page, or skip the stay.',
      );
    case 'ended':
      return isOver ? null : message('the code has ended.');
    case 'kept':
      return message('has the code that somebody else made, as you decided.');
    case 'up-to-date':
    case 'on-its-way':
      return null;
  }
}
