// The faults of reading a calendar: their kinds, and messages that hold nothing of the address or the answer.
import { type Message, message } from '../../../domain/language/message.ts';
import type { CalendarFailure, CalendarReading } from '../policy/calendar-ports.ts';

interface ProblemWords {
  readonly failure: CalendarFailure;
  readonly words: Message;
}

const PROBLEMS = {
  'address-invalid': {
    failure: 'address-refused',
    words: message(
      "This isn't an address. Copy the full iCal address from the portal; it starts with https://.",
    ),
  },
  'address-insecure': {
    failure: 'address-refused',
    words: message('The address must start with https://. Copy the iCal address from the portal again.'),
  },
  'address-with-password': {
    failure: 'address-refused',
    words: message('The address must not contain a user name or password. Remove the part before the @.'),
  },
  'address-private': {
    failure: 'address-refused',
    words: message('The address points into a private network. Use the public address of the portal.'),
  },
  'redirect-insecure': {
    failure: 'redirect-refused',
    words: message(
      "The portal redirects to an address without https. Copy the calendar's iCal address from the portal again.",
    ),
  },
  'redirect-private': {
    failure: 'redirect-refused',
    words: message(
      "The portal redirects into a private network. Copy the calendar's iCal address from the portal again.",
    ),
  },
  'redirect-invalid': {
    failure: 'redirect-refused',
    words: message(
      "The portal redirects to something that isn't an address. Copy the calendar's iCal address from the portal again.",
    ),
  },
  'redirect-too-often': {
    failure: 'redirect-refused',
    words: message(
      "The portal redirects more than 3 times. Copy the calendar's iCal address from the portal again.",
    ),
  },
  'name-unknown': {
    failure: 'unreachable',
    words: message("The portal's name can't be found. Check the address and the internet connection."),
  },
  unreachable: {
    failure: 'unreachable',
    words: message("The portal can't be reached. Latchkey tries again at the next reading."),
  },
  interrupted: { failure: 'timed-out', words: message('Reading the calendar was interrupted.') },
  'timed-out': {
    failure: 'timed-out',
    words: message(
      "The portal didn't send the calendar within 30 seconds. Latchkey tries again at the next reading.",
    ),
  },
  'bad-certificate': {
    failure: 'bad-certificate',
    words: message("The portal's certificate isn't valid. Check the address and the clock of this computer."),
  },
  'not-found': {
    failure: 'not-found',
    words: message(
      "The portal doesn't know this calendar. Copy the calendar's iCal address from the portal again.",
    ),
  },
  refused: {
    failure: 'refused',
    words: message(
      "The portal refuses to show this calendar. Copy the calendar's iCal address from the portal again.",
    ),
  },
  failing: {
    failure: 'failing',
    words: message('The portal has a problem. Latchkey tries again at the next reading.'),
  },
  'asks-for-pause': {
    failure: 'failing',
    words: message('The portal is asked too often. Latchkey tries again at the next reading.'),
  },
  'web-page': {
    failure: 'not-a-calendar',
    words: message(
      "The portal sent a web page instead of a calendar. Copy the calendar's iCal address from the portal again.",
    ),
  },
  'not-a-calendar': {
    failure: 'not-a-calendar',
    words: message("The answer isn't a calendar. Copy the calendar's iCal address from the portal again."),
  },
  'nothing-understood': {
    failure: 'not-a-calendar',
    words: message("None of the calendar's entries can be understood. Check what the portal exports."),
  },
  unread: {
    failure: 'not-a-calendar',
    words: message("The calendar can't be read. Update Latchkey, or report this calendar as a problem."),
  },
  empty: {
    failure: 'empty',
    words: message('The portal sent an empty answer. Latchkey tries again at the next reading.'),
  },
  incomplete: {
    failure: 'incomplete',
    words: message('The calendar broke off in the middle. Latchkey tries again at the next reading.'),
  },
  'too-large': {
    failure: 'too-large',
    words: message('The calendar is larger than 10 MB. Use a calendar with the bookings of one place only.'),
  },
  'too-slow': {
    failure: 'too-large',
    words: message('The calendar takes too long to read. Remove repeating entries that never end.'),
  },
  'too-heavy': {
    failure: 'too-large',
    words: message('The calendar needs too much memory. Use a calendar with the bookings of one place only.'),
  },
  'too-many-entries': {
    failure: 'too-many-entries',
    words: message(
      'The calendar has more than 10,000 entries. Use a calendar with the bookings of one place only.',
    ),
  },
} satisfies Readonly<Record<string, ProblemWords>>;

export type CalendarProblem = keyof typeof PROBLEMS;

export const CALENDAR_PROBLEMS = Object.keys(PROBLEMS).filter((name): name is CalendarProblem =>
  Object.hasOwn(PROBLEMS, name),
);

/** The same with the status of the portal's answer, where it explains the fault. */
const ANSWERED: Readonly<Partial<Record<CalendarProblem, (status: number) => Message>>> = {
  'not-found': (status) =>
    message(
      "The portal doesn't know this calendar (HTTP {status}). Copy the calendar's iCal address from the portal again.",
      { status: String(status) },
    ),
  refused: (status) =>
    message(
      "The portal refuses to show this calendar (HTTP {status}). Copy the calendar's iCal address from the portal again.",
      { status: String(status) },
    ),
  failing: (status) =>
    message('The portal has a problem (HTTP {status}). Latchkey tries again at the next reading.', {
      status: String(status),
    }),
  'asks-for-pause': (status) =>
    message('The portal is asked too often (HTTP {status}). Latchkey tries again at the next reading.', {
      status: String(status),
    }),
};

export function failedReading(
  problem: CalendarProblem,
  status?: number,
): CalendarReading & { readonly kind: 'failed' } {
  const { failure, words } = PROBLEMS[problem];
  const answered = status === undefined ? undefined : ANSWERED[problem]?.(status);
  return { kind: 'failed', failure, words: answered ?? words };
}
