// The faults that the page offers; the server's own types check that it knows them.
import type { z } from 'zod';
import type { calendarFaultSchema } from '../src/calendars/calendar-faults.ts';
import type { faultSchema } from '../src/faults/fault.ts';
import type { deliveryFaultSchema } from '../src/webhooks/delivery-faults.ts';

type WithoutOften<Fault> = Fault extends unknown ? Omit<Fault, 'often'> : never;

/** Something to choose by its name. */
interface Named<Value> {
  readonly name: string;
  readonly value: Value;
}

const SECOND_MS = 1000;
const MIB = 1024 * 1024;

export const CALL_FAULTS: readonly Named<WithoutOften<z.input<typeof faultSchema>>>[] = [
  { name: 'Answers 3 s late', value: { kind: 'latency', delayMs: 3 * SECOND_MS } },
  { name: 'Answers 40 s late', value: { kind: 'latency', delayMs: 40 * SECOND_MS } },
  { name: '401', value: { kind: 'status', status: 401 } },
  { name: '404', value: { kind: 'status', status: 404 } },
  {
    name: '429, wait 20 s',
    value: { kind: 'status', status: 429, wait: { seconds: 20, said: 'retry-after' } },
  },
  { name: '500', value: { kind: 'status', status: 500 } },
  {
    name: '503, wait 20 s',
    value: { kind: 'status', status: 503, wait: { seconds: 20, said: 'retry-after' } },
  },
  { name: 'Cut off, not done', value: { kind: 'cut', when: 'before-work' } },
  { name: 'Done, answer lost', value: { kind: 'cut', when: 'after-work' } },
  { name: 'Cut in mid-answer', value: { kind: 'cut', when: 'mid-answer' } },
  { name: 'A page of HTML', value: { kind: 'html' } },
  { name: 'JSON that ends too early', value: { kind: 'truncated-json' } },
  { name: 'A body of 64 MB', value: { kind: 'huge-body', bytes: 64 * MIB } },
  { name: 'A packed body of 64 MB', value: { kind: 'huge-body', bytes: 64 * MIB, compressed: true } },
  { name: 'A redirect', value: { kind: 'redirect', location: 'https://elsewhere.example/' } },
  {
    name: 'Forms of earlier versions',
    value: {
      kind: 'old-forms',
      forms: ['integer-lock-state', 'misspelt-error-message', 'integers-as-strings'],
    },
  },
  { name: 'Success with the other lock state', value: { kind: 'other-lock-state' } },
  { name: 'A clock 10 min ahead', value: { kind: 'clock-skew', offsetMs: 600 * SECOND_MS } },
  { name: 'Idle connections closed', value: { kind: 'close-idle', withinMs: 5 * SECOND_MS } },
];

/** Which calls it strikes: patterns of paths, undefined for all. */
export const PLACES: readonly Named<string | undefined>[] = [
  { name: 'every call', value: undefined },
  { name: 'the list of locks', value: '**/devices' },
  { name: 'one lock', value: '**/devices/*' },
  { name: 'commands', value: '**/devices/*/commands**' },
  { name: 'access codes', value: '**/accesscodes**' },
  { name: 'history', value: '**/history' },
  { name: 'tokens', value: '/auth/OAuth2/token**' },
  { name: 'subscriptions', value: '**/events/**' },
  { name: 'credentialing', value: '/credentials/**' },
];

export const DELIVERY_FAULTS: readonly Named<WithoutOften<z.input<typeof deliveryFaultSchema>>>[] = [
  { name: 'Dropped', value: { kind: 'drop' } },
  { name: 'Doubled', value: { kind: 'double' } },
  { name: 'Delayed by 10 s', value: { kind: 'delay', delayMs: 10 * SECOND_MS } },
  { name: 'Overtaken by the next', value: { kind: 'reorder' } },
  { name: 'Without a signature', value: { kind: 'forge', forgery: 'unsigned' } },
  { name: 'Signed with a wrong key', value: { kind: 'forge', forgery: 'wrong-key' } },
  { name: 'A byte changed after signing', value: { kind: 'forge', forgery: 'changed-byte' } },
  { name: 'Signed by another algorithm', value: { kind: 'forge', forgery: 'other-algorithm' } },
  { name: 'Signed with algorithm "none"', value: { kind: 'forge', forgery: 'alg-none' } },
  { name: 'Signed by HMAC with the public key', value: { kind: 'forge', forgery: 'hmac-with-public-key' } },
];

export const CALENDAR_FAULTS: readonly Named<WithoutOften<z.input<typeof calendarFaultSchema>>>[] = [
  { name: 'A page of HTML', value: { kind: 'html' } },
  { name: 'An empty answer', value: { kind: 'empty-body' } },
  { name: 'Half of the entries gone', value: { kind: 'entries-gone' } },
  { name: 'All entries gone', value: { kind: 'entries-gone', share: 1 } },
  { name: '404', value: { kind: 'status', status: 404 } },
  { name: '500', value: { kind: 'status', status: 500 } },
  { name: 'Answers 30 s late', value: { kind: 'latency', delayMs: 30 * SECOND_MS } },
  { name: 'Ends too early', value: { kind: 'truncated' } },
  { name: 'Another document', value: { kind: 'other-document' } },
  { name: 'A redirect', value: { kind: 'redirect', location: 'https://elsewhere.example/' } },
  { name: 'A body of 64 MB', value: { kind: 'huge-body', bytes: 64 * MIB } },
  { name: '20,000 more entries', value: { kind: 'many-entries', count: 20_000 } },
];

export const OCCASIONS: readonly Named<z.input<typeof faultSchema>['often']>[] = [
  { name: 'every time', value: 'always' },
  { name: 'once', value: 'once' },
  { name: 'three times', value: { times: 3 } },
  { name: 'one time in five', value: { rate: 0.2 } },
];
