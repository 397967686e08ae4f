// What a host should know of a calendar that is read well: hours that look wrong, entries that were left out, and a question.
import type { Message } from '../../../domain/language/message.ts';
import { type Log, oneLine } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import type { CalendarRecord } from '../policy/stay-ports.ts';
import {
  badRuleWords,
  blockedQuestion,
  leftOutWords,
  oddArrivalWords,
  unknownZoneWords,
} from '../words/stays.ts';
import type { CalendarView } from './stay-views.ts';

type Seen = Pick<
  CalendarRecord,
  | 'counts'
  | 'leftOut'
  | 'unknownZones'
  | 'badRules'
  | 'oddArrivals'
  | 'blocked'
  | 'bookingMarks'
  | 'blockedMarks'
>;

export function noticesOf({
  counts,
  leftOut = [],
  unknownZones = [],
  badRules = [],
  oddArrivals = 0,
}: Seen): readonly Message[] {
  return [
    ...(oddArrivals === 0 ? [] : [oddArrivalWords(oddArrivals)]),
    ...(unknownZones.length === 0 ? [] : [unknownZoneWords(unknownZones)]),
    ...(badRules.length === 0 ? [] : [badRuleWords(badRules)]),
    ...(counts.leftOut === 0 ? [] : [leftOutWords(counts.leftOut, leftOut)]),
  ];
}

/** A calendar without a stay whose entries are called blocked: the host alone knows what they are. */
export function questionOf({ counts, blocked, blockedMarks = [] }: Seen): CalendarView['question'] {
  const isOpen = blocked !== undefined && blocked.marks.some((mark) => !blockedMarks.includes(mark));
  return counts.stays === 0 && isOpen ? { titles: blocked.titles } : null;
}

/** One line for each notice that was not there before. */
export function sayNotices(log: Pick<Log, 'warn'>, { name }: StayCalendar, before: Seen, now: Seen): void {
  const linesOf = (seen: Seen): readonly string[] => {
    const question = questionOf(seen);
    return [...noticesOf(seen), ...(question === null ? [] : [blockedQuestion(question.titles)])].map(
      (words) => t(words),
    );
  };
  const known = new Set(linesOf(before));
  for (const words of linesOf(now).filter((line) => !known.has(line))) {
    log.warn(oneLine(t('Calendar "{name}": {words}', { name, words })));
  }
}
