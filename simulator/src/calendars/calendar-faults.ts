// Faults of calendars on request: late, empty, shortened, or something else than a calendar.
import { z } from 'zod';
import { Armory } from '../faults/armory.ts';
import { MOST_BYTES, redirectStatusSchema } from '../faults/fault.ts';
import { oftenSchema } from '../faults/occurrence.ts';
import { calendarNameSchema } from './calendar-setup.ts';

const common = {
  often: oftenSchema,
  /** Strikes this calendar only; every calendar when left out. */
  calendar: calendarNameSchema.exactOptional(),
};

const MOST_ENTRIES = 1_000_000;

/** One fault to arm, as the control API takes it. */
export const calendarFaultSchema = z.discriminatedUnion('kind', [
  /** The answer comes late. */
  z.strictObject({ kind: z.literal('latency'), delayMs: z.int().min(1), ...common }),
  /** An error of the portal, as plain text. */
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599), ...common }),
  /** A page in place of the calendar: a common one, or the given one. */
  z.strictObject({
    kind: z.literal('html'),
    status: z.int().min(200).max(599).default(200),
    page: z.string().exactOptional(),
    ...common,
  }),
  /** 200 without a body. */
  z.strictObject({ kind: z.literal('empty-body'), ...common }),
  /** A calendar in which this share of the entries that have not ended is missing, the soonest first; 1: all. */
  z.strictObject({
    kind: z.literal('entries-gone'),
    share: z.number().gt(0).max(1).default(0.5),
    ...common,
  }),
  /** A calendar that ends in the middle. */
  z.strictObject({ kind: z.literal('truncated'), ...common }),
  /** Another document under the type of a calendar. */
  z.strictObject({ kind: z.literal('other-document'), ...common }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: redirectStatusSchema,
    location: z.string().min(1),
    ...common,
  }),
  /** A calendar of at least this many bytes. */
  z.strictObject({ kind: z.literal('huge-body'), bytes: z.int().min(1).max(MOST_BYTES), ...common }),
  /** This many entries beside the calendar's own, all more than a year ahead. */
  z.strictObject({ kind: z.literal('many-entries'), count: z.int().min(1).max(MOST_ENTRIES), ...common }),
]);
/** A fault with its defaults filled in. */
export type CalendarFault = z.infer<typeof calendarFaultSchema>;
export type CalendarFaultOf<Kind extends CalendarFault['kind']> = Extract<CalendarFault, { kind: Kind }>;
/** A fault that changes the answer or takes its place. */
export type ReplacingFault = Exclude<CalendarFault, { kind: 'latency' }>;

export interface StruckReading {
  readonly delayMs: number;
  readonly fault: ReplacingFault | null;
}

export class CalendarFaults extends Armory<CalendarFault> {
  constructor(seed: string) {
    super(seed, 'calendar-fault');
  }

  /** Waits add up; of the faults that replace the answer, the oldest strikes. */
  strikeReading(calendar: string): StruckReading {
    const struck = this.strike(
      (fault, struckBefore) =>
        (fault.calendar === undefined || fault.calendar === calendar) &&
        (fault.kind === 'latency' || struckBefore.every(({ kind }) => kind === 'latency')),
    );
    const waits = struck.flatMap((fault) => (fault.kind === 'latency' ? [fault.delayMs] : []));
    return {
      delayMs: waits.reduce((sum, delayMs) => sum + delayMs, 0),
      fault: struck.find((fault): fault is ReplacingFault => fault.kind !== 'latency') ?? null,
    };
  }
}
