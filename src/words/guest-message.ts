// The message to a guest: greeting, doors, hours, digits, and how to type them. It is in the language of the process.
import type { CodeSchedule } from '../domain/codes/access-code.ts';
import { filledTemplate } from '../domain/codes/message-template.ts';
import { message } from '../domain/language/message.ts';
import type { Instant } from '../domain/time/instant.ts';
import { localDay, localHour } from '../domain/time/local-hours.ts';
import { scheduleSentence } from './schedules.ts';
import { listWords, seriesWords } from './sentence.ts';
import { dayWords } from './times.ts';
import { t } from './translate.ts';

export interface DoorHours {
  readonly door: string;
  readonly when: CodeSchedule;
}

export interface GuestMessageFacts {
  /** Null: the booking names nobody. */
  readonly guest: string | null;
  /** The name of the calendar; empty: a person keeps the guest. */
  readonly flat: string;
  readonly doors: readonly string[];
  /** The doors whose lock does not have the code. */
  readonly missing: readonly string[];
  readonly when: CodeSchedule;
  /** A guest who comes between stays: the next hours of each door. Absent: `when` counts at all of them. */
  readonly between?: readonly DoorHours[];
  readonly timeZone: string;
  readonly pin: string;
  /** Empty: the usual message. */
  readonly template: string;
}

/** Whatever the template says, the message names the doors that the code does not open yet. */
export function guestMessage(facts: GuestMessageFacts): string {
  const { template, missing } = facts;
  const text = template.trim() === '' ? usualMessage(facts) : fromTemplate(facts);
  return missing.length === 0
    ? text
    : `${text}\n\n${t('The code does not work yet at: {doors}. Please wait until I write again.', { doors: listWords(missing) })}`;
}

function usualMessage(facts: GuestMessageFacts): string {
  const { guest, doors, when, timeZone, pin, between } = facts;
  return [
    guest === null ? t('Hello,') : t('Hello {guest},', { guest }),
    '',
    t('Your code for {doors}: {code}', { doors: listWords(doors), code: pin }),
    between === undefined ? hoursLine(when, timeZone) : betweenLines(between, timeZone),
    t(HOW),
  ].join('\n');
}

function fromTemplate(facts: GuestMessageFacts): string {
  const { guest, flat, doors, when, timeZone, pin, template } = facts;
  const { from, until } =
    when.kind === 'temporary'
      ? { from: momentWords(when.from, timeZone), until: momentWords(when.until, timeZone) }
      : { from: '', until: '' };
  return filledTemplate(template.trim(), {
    guest: guest ?? '',
    flat,
    doors: listWords(doors),
    from,
    until,
    code: pin,
    how: t(HOW),
  });
}

const HOW = message('Touch the keypad, then type the digits one after the other.');

function hoursLine(when: CodeSchedule, timeZone: string): string {
  switch (when.kind) {
    case 'temporary':
      return t('It opens from {from} to {until}.', {
        from: momentWords(when.from, timeZone),
        until: momentWords(when.until, timeZone),
      });
    case 'always':
      return t('It opens at any time.');
    case 'recurring':
    case 'unrecognised':
      return t('It opens: {when}.', { when: scheduleSentence(when, timeZone, timeZone) });
  }
}

/** Doors with the same hours are one line. */
function betweenLines(hours: readonly DoorHours[], timeZone: string): string {
  const groups = Map.groupBy(hours, ({ when }) => JSON.stringify(when));
  const lines = [...groups.values()].map((group) => {
    const doors = listWords(group.map(({ door }) => door));
    return `${doors}: ${group[0] === undefined ? '' : hoursLine(group[0].when, timeZone)}`;
  });
  return [t('The hours change with the stays. The next ones:'), ...lines].join('\n');
}

/** "Thu, Nov 26, 15:00", on the clocks of the lock: nobody knows which halves of a day a guest counts by. */
function momentWords(at: Instant, timeZone: string): string {
  return seriesWords([dayWords(localDay(at, timeZone)), localHour(at, timeZone)]);
}
