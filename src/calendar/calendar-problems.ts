// The faults of reading a calendar: their kinds, and messages that hold nothing of the address or the answer.
import type { CalendarFailure, CalendarReading } from '../domain/stays/calendar-ports.ts';

interface ProblemWords {
  readonly failure: CalendarFailure;
  readonly words: string;
}

const COPY_AGAIN = "Copy the calendar's iCal address from the portal again.";
const TRIES_AGAIN = 'Latchkey tries again at the next reading.';

const PROBLEMS = {
  'address-invalid': {
    failure: 'address-refused',
    words: "This isn't an address. Copy the full iCal address from the portal; it starts with https://.",
  },
  'address-insecure': {
    failure: 'address-refused',
    words: 'The address must start with https://. Copy the iCal address from the portal again.',
  },
  'address-with-password': {
    failure: 'address-refused',
    words: 'The address must not contain a user name or password. Remove the part before the @.',
  },
  'address-private': {
    failure: 'address-refused',
    words: 'The address points into a private network. Use the public address of the portal.',
  },
  'redirect-insecure': {
    failure: 'redirect-refused',
    words: `The portal redirects to an address without https. ${COPY_AGAIN}`,
  },
  'redirect-private': {
    failure: 'redirect-refused',
    words: `The portal redirects into a private network. ${COPY_AGAIN}`,
  },
  'redirect-invalid': {
    failure: 'redirect-refused',
    words: `The portal redirects to something that isn't an address. ${COPY_AGAIN}`,
  },
  'redirect-too-often': {
    failure: 'redirect-refused',
    words: `The portal redirects more than 3 times. ${COPY_AGAIN}`,
  },
  'name-unknown': {
    failure: 'unreachable',
    words: "The portal's name can't be found. Check the address and the internet connection.",
  },
  unreachable: { failure: 'unreachable', words: `The portal can't be reached. ${TRIES_AGAIN}` },
  interrupted: { failure: 'timed-out', words: 'Reading the calendar was interrupted.' },
  'timed-out': {
    failure: 'timed-out',
    words: `The portal didn't send the calendar within 30 seconds. ${TRIES_AGAIN}`,
  },
  'bad-certificate': {
    failure: 'bad-certificate',
    words: "The portal's certificate isn't valid. Check the address and the clock of this computer.",
  },
  'not-found': { failure: 'not-found', words: `The portal doesn't know this calendar. ${COPY_AGAIN}` },
  refused: { failure: 'refused', words: `The portal refuses to show this calendar. ${COPY_AGAIN}` },
  failing: { failure: 'failing', words: `The portal has a problem. ${TRIES_AGAIN}` },
  'asks-for-pause': {
    failure: 'failing',
    words: 'The portal is asked too often. Latchkey tries again at the next reading.',
  },
  'web-page': {
    failure: 'not-a-calendar',
    words: `The portal sent a web page instead of a calendar. ${COPY_AGAIN}`,
  },
  'not-a-calendar': { failure: 'not-a-calendar', words: `The answer isn't a calendar. ${COPY_AGAIN}` },
  'nothing-understood': {
    failure: 'not-a-calendar',
    words: "None of the calendar's entries can be understood. Check what the portal exports.",
  },
  unread: {
    failure: 'not-a-calendar',
    words: "The calendar can't be read. Update Latchkey, or report this calendar as a problem.",
  },
  empty: { failure: 'empty', words: `The portal sent an empty answer. ${TRIES_AGAIN}` },
  incomplete: { failure: 'incomplete', words: `The calendar broke off in the middle. ${TRIES_AGAIN}` },
  'too-large': {
    failure: 'too-large',
    words: 'The calendar is larger than 10 MB. Use a calendar with the bookings of one place only.',
  },
  'too-slow': {
    failure: 'too-large',
    words: 'The calendar takes too long to read. Remove repeating entries that never end.',
  },
  'too-heavy': {
    failure: 'too-large',
    words: 'The calendar needs too much memory. Use a calendar with the bookings of one place only.',
  },
  'too-many-entries': {
    failure: 'too-many-entries',
    words: 'The calendar has more than 10,000 entries. Use a calendar with the bookings of one place only.',
  },
} satisfies Readonly<Record<string, ProblemWords>>;

export type CalendarProblem = keyof typeof PROBLEMS;

export const CALENDAR_PROBLEMS = Object.keys(PROBLEMS).filter((name): name is CalendarProblem =>
  Object.hasOwn(PROBLEMS, name),
);

/** `status`: the status of the portal's answer, where it explains the fault. */
export function failedReading(
  problem: CalendarProblem,
  status?: number,
): CalendarReading & { readonly kind: 'failed' } {
  const { failure, words } = PROBLEMS[problem];
  const [first = '', ...rest] = status === undefined ? [words] : words.split('. ');
  return {
    kind: 'failed',
    failure,
    words: status === undefined ? words : [`${first} (HTTP ${String(status)})`, ...rest].join('. '),
  };
}
