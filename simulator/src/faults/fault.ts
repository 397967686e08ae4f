// Every fault a partner-facing call can meet on request, as the control API and scenarios write it.
import { z } from 'zod';
import { oftenSchema } from './occurrence.ts';

const common = {
  /** How many of the calls that fit. */
  often: oftenSchema,
  /** The fault is for calls with this method only; for every method when left out. */
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).exactOptional(),
  /** The fault is for calls with a matching path: `*` stands for one segment, `**` for any number. For every call when left out. */
  path: z
    .string()
    .refine(isPathPattern, { error: 'must begin with "/" or "**", such as "**/devices/*/commands"' })
    .exactOptional(),
};

/** Before the work: the call was not processed. After the work: it was, and its answer is lost ("lost reply"). */
const when = z.enum(['before-work', 'after-work']).default('before-work');

/** Every form in which a refusal can say how long to wait; a client must read them all. */
const waitSchema = z.strictObject({
  seconds: z.int().min(0),
  said: z.enum(['retry-after', 'x-retry-after', 'reset-epoch', 'reset-iso', 'text', 'nothing']),
});
export type Wait = z.infer<typeof waitSchema>;

/** Forms an earlier version of the service had (specification, Device and Command). */
export const OLD_FORMS = ['integer-lock-state', 'misspelt-error-message', 'integers-as-strings'] as const;
export type OldForm = (typeof OLD_FORMS)[number];

/** The most a huge body may hold: 1 GiB. */
export const MOST_BYTES = 1024 ** 3;

export const redirectStatusSchema = z
  .union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)])
  .default(302);

/** One fault to arm. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** The answer comes late; the work is done before or after the wait. */
  z.strictObject({ kind: z.literal('latency'), delayMs: z.int().min(1), when, ...common }),
  /** An error in the form of the interface that was called, or with a body of one's own. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    wait: waitSchema.exactOptional(),
    body: z.json().exactOptional(),
    when,
    ...common,
  }),
  /** The connection is cut: before the work, after it, or in the middle of the answer. */
  z.strictObject({
    kind: z.literal('cut'),
    when: z.enum(['before-work', 'after-work', 'mid-answer']),
    ...common,
  }),
  /** A page of a proxy on the way: a common one, the given one, or an empty body. */
  z.strictObject({
    kind: z.literal('html'),
    status: z.int().min(200).max(599).default(502),
    page: z.string().exactOptional(),
    when,
    ...common,
  }),
  /** The work is done, and its answer ends in the middle of the JSON. */
  z.strictObject({ kind: z.literal('truncated-json'), ...common }),
  /** A JSON answer of this many bytes, or a small one that grows to as many when unpacked. */
  z.strictObject({
    kind: z.literal('huge-body'),
    bytes: z.int().min(16).max(MOST_BYTES),
    compressed: z.boolean().default(false),
    when,
    ...common,
  }),
  z.strictObject({
    kind: z.literal('redirect'),
    status: redirectStatusSchema,
    location: z.string().min(1),
    ...common,
  }),
  /** Answers as an earlier version of the service spelled them. */
  z.strictObject({ kind: z.literal('old-forms'), forms: z.array(z.enum(OLD_FORMS)).min(1), ...common }),
  /** A successful command reports the other lock state than the requested one. */
  z.strictObject({ kind: z.literal('other-lock-state'), ...common }),
  /** The service's clock seems to be off: the `Date` header and every instant of the answer. */
  z.strictObject({ kind: z.literal('clock-skew'), offsetMs: z.int(), ...common }),
  /** The `Date` header alone is wrong, or missing where that is null. */
  z.strictObject({ kind: z.literal('date-header'), offsetMs: z.int().nullable(), ...common }),
  /** After its answer the connection is closed at a random moment within this time, unless it is in use. */
  z.strictObject({ kind: z.literal('close-idle'), withinMs: z.int().min(0), ...common }),
]);
/** A fault with its defaults filled in. */
export type Fault = z.infer<typeof faultSchema>;
export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** Whether a text can match any path at all. */
function isPathPattern(text: string): boolean {
  return text.startsWith('/') || text.startsWith('**');
}

/** Whether a pattern fits a whole path; the path has no query. */
export function fitsPath(pattern: string, path: string): boolean {
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => {
      if (part === '**') {
        return '.*';
      }
      return part === '*' ? '[^/]+' : escape(part);
    })
    .join('');
  return new RegExp(`^${source}$`, 's').test(path);
}

/** `RegExp.escape` is not in every Node this project runs on. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&');
}
