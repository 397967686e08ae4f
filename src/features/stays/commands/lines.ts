// Booking calendars and stays in lines: when a calendar was read, what is in the way, and how each code stands.

import { standingLine } from '../../../cli/codes/following.ts';
import { localTime } from '../../../cli/terminal/lock-lines.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { oneLine } from '../../../support/log.ts';
import { machineOffset } from '../../../support/zone-offset.ts';
import { UNREAD_ROWS } from '../../../words/guests.ts';
import { stayTitle } from '../../../words/stay-names.ts';
import { agoWords } from '../../../words/times.ts';
import { t } from '../../../words/translate.ts';
import type { CalendarCheck, CalendarView, StaysView, StayView } from '../panel/views.ts';
import { blockedQuestion, checkWords, entryWords, isOfLock, laterWords, phaseWords } from '../words/stays.ts';

export interface StayLineOptions {
  readonly now: Instant;
  /** Digits by stay; empty: none are shown. */
  readonly pins: ReadonlyMap<string, string>;
  /** Stays that are over, too. */
  readonly all: boolean;
}

export function stayLines(view: StaysView, options: StayLineOptions): readonly string[] {
  const { calendars, stays } = view;
  const shown = stays.filter(({ phase }) => options.all || phase !== 'gone');
  const known = new Set(calendars.map(({ id }) => id));
  const orphans = shown.filter(({ calendarId }) => !known.has(calendarId));
  const lines = [
    ...(view.isUnread === true ? [t(UNREAD_ROWS)] : []),
    ...calendars.flatMap((calendar) =>
      calendarLines(calendar, options.now).concat(
        shown.filter(({ calendarId }) => calendarId === calendar.id).flatMap(linesWith(options)),
      ),
    ),
    ...(orphans.length === 0
      ? []
      : [t('Of calendars that were removed'), ...orphans.flatMap(linesWith(options))]),
    ...(view.later === undefined ? [] : [laterWords(view.later)]),
  ];
  return lines.length === 0 ? [t('There are no booking calendars.')] : lines.map(oneLine);
}

function calendarLines(calendar: CalendarView, now: Instant): readonly string[] {
  const { name, lockNames, lastGoodAt, trouble, doubt, counts, notices, question } = calendar;
  const locks = lockNames.length === 0 ? t('no lock') : lockNames.join(', ');
  const read = lastGoodAt === null ? t('never read') : t('read {ago}', { ago: agoWords(now - lastGoodAt) });
  const state = calendar.from === 'hand' ? t('stays are added by hand') : read;
  const head = `${name}: ${locks}; ${state}${lastGoodAt === null ? '' : `: ${entryWords(counts)}`}`;
  const believed =
    doubt === null
      ? []
      : [
          `  ! ${t('If that goes on, it is believed from {time}.', {
            time: localTime(doubt.believedAt, machineOffset(doubt.believedAt)),
          })}`,
        ];
  return [
    head,
    ...(trouble === null ? [] : [`  ! ${t(trouble)}`]),
    ...believed,
    ...notices.map((words) => `  ! ${t(words)}`),
    ...questionLines(name, question?.titles ?? []),
  ];
}

/** The question that the page asks with two buttons. */
function questionLines(name: string, titles: readonly string[]): readonly string[] {
  return titles.length === 0
    ? []
    : [
        `  ? ${t(blockedQuestion(titles))}`,
        ...(['bookings', 'blocked'] as const).map((are) => `    latchkey stays answer "${name}" ${are}`),
      ];
}

function linesWith({ pins, now }: StayLineOptions): (stay: StayView) => readonly string[] {
  return (stay) => {
    const pin = pins.get(stay.id);
    const { name, calendarName, arrivalDay, checkIn, departureDay, checkOut, obstacles, onLocks } = stay;
    const dates = t('{arrivalDay} {checkIn} to {departureDay} {checkOut}', {
      arrivalDay,
      checkIn,
      departureDay,
      checkOut,
    });
    const rows = onLocks
      .filter(({ lockName }) => !obstacles.some((words) => isOfLock(words, lockName)))
      .map(
        ({ lockName, standing, isLeaving }) =>
          `    ${lockName}: ${standingLine(standing, isLeaving, stay.timeZone)}`,
      );
    return [
      `  ${stayTitle(name, calendarName).padEnd(24)}  ${stay.hasBookingHours ? t('{dates} (hours as the booking says)', { dates }) : dates}  ${phaseWords(stay, now).words}`,
      ...(pin === undefined ? [] : [`    ${t('code: {digits}', { digits: pin })}`]),
      ...rows,
      ...obstacles.map((words) => `    ! ${t(words)}`),
    ];
  };
}

export function checkLines({
  calendarName,
  notices = [],
  question = null,
  ...check
}: CalendarCheck): readonly string[] {
  return [
    `${calendarName}: ${checkWords(check)}`,
    ...notices.map((words) => `  ! ${t(words)}`),
    ...questionLines(calendarName, question?.titles ?? []),
  ].map(oneLine);
}
