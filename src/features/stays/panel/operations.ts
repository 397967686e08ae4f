// The panel's operations on stays: list, show a code, skip, change hours, another code, and the calendars behind them.
import { z } from 'zod';
import { GUEST_LANGUAGES } from '../../../domain/codes/guest-language.ts';
import { LONGEST_TEMPLATE } from '../../../domain/codes/message-template.ts';
import { message } from '../../../domain/language/message.ts';
import { lockId } from '../../../domain/locks/lock.ts';
import { codeChanges } from '../../../panel/operations/codes.ts';
import type { FeatureParts } from '../../../panel/operations/feature-operations.ts';
import { messageLanguages } from '../../../panel/operations/messages.ts';
import { nothing, operation, pageRows } from '../../../panel/operations/operation.ts';
import { RetryError } from '../../../support/errors.ts';
import type { StaysFeature } from './views.ts';

/** Longer texts are refused by the rules of a calendar; this bounds the work (our choice). */
const text = () => z.string().max(256);
const oneStay = () => z.object({ stay: z.string().min(1).max(256) });
const oneCalendar = () => z.object({ calendar: z.string().min(1).max(256) });
const anyCalendar = () => z.object({ calendar: z.string().min(1).max(256).nullable().default(null) });

const language = () => z.enum(GUEST_LANGUAGES).nullable();
const lockList = () => z.array(z.string().min(1).max(256).transform(lockId)).max(100);

/** The address is write-only. */
const calendarChange = () =>
  z.object({
    name: text().exactOptional(),
    address: z.string().max(2_048).exactOptional(),
    locks: lockList().exactOptional(),
    checkIn: text().exactOptional(),
    checkOut: text().exactOptional(),
    minutesBefore: z.number().exactOptional(),
    minutesAfter: z.number().exactOptional(),
    lockHours: z
      .array(
        z.object({
          lock: z.string().min(1).max(256).transform(lockId),
          minutesBefore: z.number(),
          minutesAfter: z.number(),
        }),
      )
      .max(100)
      .exactOptional(),
    bookingHours: z.boolean().exactOptional(),
    code: text().exactOptional(),
    names: z.enum(['dates', 'booking']).exactOptional(),
    notStays: z.array(text()).max(100).exactOptional(),
    daysAhead: z.number().exactOptional(),
    endEarly: z.boolean().exactOptional(),
    endWhenLeft: z.boolean().exactOptional(),
    message: z
      .string()
      .max(2 * LONGEST_TEMPLATE)
      .exactOptional(),
    language: language().exactOptional(),
    reserve: z.boolean().exactOptional(),
  });

const between = () =>
  z.object({
    name: z.string().max(256),
    pin: z.string().max(64),
    calendars: z.array(z.string().min(1).max(256)).min(1).max(200),
    until: z.string().max(5).nullable(),
  });

const betweenChanges = () =>
  z.object({
    guest: z.string().min(1).max(256),
    ...between().pick({ calendars: true, until: true }).shape,
    changes: codeChanges().pick({ name: true, pin: true }),
    revision: z.number().int(),
  });

/** The name of the feature. */
export const FEATURE = 'stays';

function opened({ features }: FeatureParts): StaysFeature {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the feature itself has opened under its name
  return features.get(FEATURE) as StaysFeature;
}

const row = pageRows((parts: FeatureParts) => opened(parts).api);
const ofCleaners = pageRows((parts: FeatureParts) => opened(parts).cleaners);
const ofMessages = pageRows(({ messages }: FeatureParts) => messages);

/** Inputs hold addresses and PINs; answers do not, but for `stays.reveal`. */
export const STAY_OPERATIONS = {
  'stays.list': row('reads', nothing, (stays) => stays.list()),
  /** The digits of a stay's code, for a person who asked to see them. */
  'stays.reveal': row('reads', oneStay, (stays, { stay }) => ({ pin: stays.reveal(stay) })),
  /** A stay that is skipped gets no code, and loses the one that it has. */
  'stays.skip': row(
    'changes',
    () => oneStay().extend({ skip: z.boolean().default(true) }),
    (stays, { stay, skip }) => stays.skip(stay, skip),
  ),
  /** The guest has left before the end: the code goes. `out` false: the guest is still there, and has the code again. */
  'stays.checkout': row(
    'changes',
    () => oneStay().extend({ out: z.boolean().default(true) }),
    (stays, { stay, out }) => stays.checkOut(stay, out),
  ),
  /** Null: the hours of the calendar. */
  'stays.hours': row(
    'changes',
    () => oneStay().extend({ checkIn: text().nullable(), checkOut: text().nullable() }),
    (stays, { stay, ...hours }) => stays.setHours(stay, hours),
  ),
  /** The language of the message to the guest; null: that of the calendar. */
  'stays.language': row(
    'changes',
    () => oneStay().extend({ language: language() }),
    (stays, { stay, language: chosen }) => stays.setLanguage(stay, chosen),
  ),
  /** Random digits when `pin` is left out. */
  'stays.new-code': row(
    'changes',
    () => oneStay().extend({ pin: text().nullable().default(null) }),
    async (stays, { stay, pin }) => stays.newCode(stay, pin),
  ),
  /** The code in reserve becomes that of the stay; `stays.reveal` shows it. */
  'stays.use-reserve': row('changes', oneStay, (stays, { stay }) => stays.useReserve(stay)),
  /** A stay that no calendar has. */
  'stays.add': row(
    'changes',
    () =>
      z.object({
        name: text(),
        from: text(),
        until: text(),
        phone: text().default(''),
        locks: lockList(),
      }),
    async (stays, { locks, ...typed }) => stays.add(typed, locks),
  ),
  'stays.remove': row('changes', oneStay, async (stays, { stay }) => stays.remove(stay)),
  /** Waits for the calendars. */
  'stays.read': row('changes', anyCalendar, async (stays, { calendar }) => stays.read(calendar)),
  /** The same, and changes nothing. */
  'stays.check': row('reads', anyCalendar, async (stays, { calendar }) => stays.check(calendar)),
  /** Whether entries in the words of blocked nights are bookings; the calendar is read again by the answer. */
  'stays.answer': row(
    'changes',
    () => oneCalendar().extend({ are: z.enum(['bookings', 'blocked']) }),
    async (stays, { calendar, are }) => stays.answer(calendar, are),
  ),
  'stays.add-calendar': row('changes', calendarChange, (stays, change) => stays.addCalendar(change)),
  'stays.change-calendar': row(
    'changes',
    () => oneCalendar().extend({ change: calendarChange() }),
    (stays, { calendar, change }) => stays.changeCalendar(calendar, change),
  ),
  'stays.remove-calendar': row('changes', oneCalendar, (stays, { calendar }) =>
    stays.removeCalendar(calendar),
  ),
  /** A new secret address, shown this once; the former one ends. Throws as the dashboard's own addresses do. */
  'stays.make-feed': operation('pages', 'changes', oneCalendar, (parts: FeatureParts, { calendar }) => {
    const { urls, trouble } = parts.panel.show();
    if (trouble !== null) {
      throw new RetryError('unreachable', message('The dashboard is not open. {trouble}', { trouble }));
    }
    const path = `/stays/${opened(parts).api.makeFeed(calendar)}.ics`;
    return { addresses: urls.map((url) => url + path) };
  }),
  'stays.withdraw-feed': row('changes', oneCalendar, (stays, { calendar }) => {
    stays.withdrawFeed(calendar);
    return {};
  }),
  /** What the secret address answers; null: there is no such address. */
  'stays.read-feed': operation(
    'processes',
    'reads',
    () => z.object({ secret: z.string().max(64) }),
    (parts: FeatureParts, { secret }) => ({ text: opened(parts).api.readFeed(secret) }),
  ),
  /** The message to the guest. Its answer holds the digits, for a person who asked for them. */
  'stays.message': ofMessages(
    'reads',
    () => messageLanguages().extend({ stay: z.string().min(1).max(256) }),
    (messages, { stay, language: chosen, reader }) => messages.ofStay(stay, chosen, reader),
  ),
  /** A guest who comes in from a check-out of these calendars to the next check-in, at most to that hour. */
  'guests.add-between': ofCleaners('changes', between, (cleaners, { name, pin, ...stays }) =>
    cleaners.add({ name, pin }, stays),
  ),
  'guests.change-between': ofCleaners(
    'changes',
    betweenChanges,
    (cleaners, { guest, changes, revision, ...stays }) => cleaners.change(guest, changes, stays, revision),
  ),
};

/** For logins with less than all rights. */
export const STAY_ROLES = {
  'stays.list': ['look'],
  'guests.add-between': ['codes'],
  'guests.change-between': ['codes'],
} as const;

type StayOperations = typeof STAY_OPERATIONS;

declare module '../../../panel/operations/feature-operations.ts' {
  interface FeatureOperations extends StayOperations {}
}
