// Options of one booking calendar: its address, the locks it opens, the hours, and how codes and names are made.
import { z } from 'zod';
import { SECRET, text, whole } from '../../../config/options/option-forms.ts';
import { carried } from '../../../config/options/problem-line.ts';
import { GUEST_LANGUAGES } from '../../../domain/codes/guest-language.ts';
import { faultOfTemplate, LONGEST_TEMPLATE } from '../../../domain/codes/message-template.ts';
import { message } from '../../../domain/language/message.ts';
import { isCodeRule } from '../policy/stay-code-policy.ts';
import { HOUR_FORM } from '../policy/stay-hours.ts';

const hour = (): z.ZodString =>
  text(5).regex(HOUR_FORM, { error: carried(message('is no time of day; enter one such as 15:00')) });

/** Options of one calendar; a page may store them as well. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a table: a row an option
export const calendarOptions = () =>
  z.strictObject({
    locks: z.array(text(200)).max(50).default([]).meta({
      description:
        'IDs of the locks that the guests of this calendar open, as `latchkey locks --ids` shows them.',
    }),
    checkIn: hour().default('15:00').meta({
      description: 'Check-in on the clocks of the lock, for entries without a time of their own.',
    }),
    checkOut: hour().default('11:00').meta({
      description: 'Check-out on the clocks of the lock, for entries without a time of their own.',
    }),
    minutesBefore: whole(0, 720).default(0).meta({
      description: 'The code opens so many minutes before the check-in.',
    }),
    minutesAfter: whole(0, 720).default(0).meta({
      description: 'The code opens until so many minutes after the check-out.',
    }),
    lockHours: z
      .array(
        z.strictObject({
          // The form of the Homebridge UI saves an empty row, with its minutes, for an empty list.
          lock: text(200).min(1).optional().meta({ description: 'ID of the lock.' }),
          minutesBefore: whole(0, 720).default(0).meta({
            description: 'The code opens this lock so many minutes before the check-in.',
          }),
          minutesAfter: whole(0, 720).default(0).meta({
            description: 'The code opens this lock until so many minutes after the check-out.',
          }),
        }),
      )
      .max(50)
      .default([])
      .meta({
        description:
          'Locks that open earlier and later than the others, such as the door of a house with several flats.',
      }),
    bookingHours: z.boolean().default(false).meta({
      description:
        'Hours of check-in and check-out that stand in the text of a booking count before those above. The stay says so.',
    }),
    code: text(40)
      .refine(isCodeRule, {
        error: carried(
          message(
            'is no rule for codes; enter {phone}, {random}, or a template of 4 to 8 digits such as {template}',
            { phone: 'phone', random: 'random', template: '{random2}{phone4}' },
          ),
        ),
      })
      .default('phone')
      .meta({
        description:
          "`phone`: the last four digits of the guest's phone where the booking says them, else random ones. `random`, or a template such as `{random2}{phone4}`.",
      }),
    names: z.enum(['dates', 'booking']).default('dates').meta({
      description: 'Name of a stay on the lock and in the history: its dates, or the words of the booking.',
    }),
    notStays: z.array(text(60)).max(50).optional().meta({
      description:
        'Entries that begin or end with one of these are no stays. Default: `Not available`, `Unavailable`, `Blocked`, `Closed`, `Owner`, `Owner stay`, `Maintenance`.',
    }),
    daysAhead: whole(1, 60).default(7).meta({
      description:
        'Put the code on the locks so many days before the check-in, so that a lock that is offline for a while has it in time.',
    }),
    endEarly: z.boolean().default(false).meta({
      description: 'A calendar may end or shorten a stay that is under way. Without it, only a person can.',
    }),
    endWhenLeft: z.boolean().default(false).meta({
      description:
        'End the code on the last day once the guest seems to have left: the code was used that day, the door was then locked from outside, and for an hour nobody came back. Without it, the Stays page asks you.',
    }),
    message: text(LONGEST_TEMPLATE)
      .default('')
      .superRefine((template, context) => {
        const fault = faultOfTemplate(template);
        if (fault !== null) {
          context.addIssue(carried(fault));
        }
      })
      .meta({
        description:
          'The message to a guest, which you copy and send. `{guest}`, `{flat}`, `{doors}`, `{from}`, `{until}`, `{code}` and `{how}` stand for what changes. Empty: the usual message.',
      }),
    language: z.enum(GUEST_LANGUAGES).optional().meta({
      description: 'Language of the message to a guest. Default: that of whoever copies it.',
    }),
    reserve: z.boolean().default(false).meta({
      description:
        'Keep one more code on the locks, which nobody knows: where the code of a stay is not there at the check-in, the Stays page shows it for that guest, and replaces it afterwards.',
    }),
  });

export const calendarName = (): z.ZodString => text(40);
export const calendarAddress = (): z.ZodString => text();

export const calendarRow = () =>
  z.strictObject({
    name: calendarName().optional().meta({
      description:
        'Name of the calendar, such as the home that it is of. Do not change it later: its stays would count as new ones. Without one it is called after the lock that no other calendar has.',
    }),
    address: calendarAddress()
      .optional()
      .meta({
        ...SECRET,
        description:
          'The https address with which the portal exports the calendar. Leave empty to enter it on the Stays page.',
      }),
    ...calendarOptions().shape,
  });

export const calendarsRow = () =>
  z.array(calendarRow()).max(200).default([]).meta({
    description: 'Booking calendars whose guests get a code for their stay.',
  });

declare module '../../../config/options/feature-options.ts' {
  interface FeatureRows {
    readonly stays: ReturnType<typeof calendarsRow>;
  }
}
