// Every reason for a refusal: what people read, what it asks of the caller, and whether the bolt may have moved.
import { describe, expect, it } from 'vitest';
import { type CodeFailureReason, codeFailure, failureAfter } from '../../../src/domain/code-failure.ts';
import {
  certainlyMovedNothing,
  isRefusalReason,
  type RefusalHandling,
  type RefusalReason,
  refusalHandling,
  refusalWords,
} from '../../../src/domain/refusal.ts';

/** How the caller reacts to each; the types hold every reason to stand here. */
const HANDLINGS: Readonly<Record<RefusalReason, RefusalHandling>> = {
  'claims-success': 'contradiction',
  'general-failure': 'passing',
  'code-exists': 'clash',
  'pin-out-of-range': 'wrong-request',
  'code-name-exists': 'clash',
  'code-not-added': 'passing',
  'code-not-deleted': 'passing',
  'storage-update-network': 'passing',
  'storage-update-silent': 'passing',
  'storage-update-denied': 'passing',
  'storage-delete-network': 'passing',
  'storage-delete-silent': 'passing',
  'storage-delete-denied': 'passing',
  'lock-silent': 'offline',
  'json-assembly': 'passing',
  'json-parsing': 'wrong-request',
  'code-id-missing': 'wrong-request',
  'pin-missing': 'wrong-request',
  'code-name-missing': 'wrong-request',
  'schedule-missing': 'wrong-request',
  'parameters-invalid': 'wrong-request',
  'user-disabled-missing': 'wrong-request',
  'activation-missing': 'wrong-request',
  'expiration-missing': 'wrong-request',
  'values-invalid': 'wrong-request',
  'command-unknown': 'wrong-request',
  'user-not-on-lock': 'wrong-request',
  'code-id-duplicate': 'clash',
  'code-name-too-long': 'wrong-request',
  'code-length-missing': 'wrong-request',
  'code-length-out-of-range': 'wrong-request',
  'code-id-invalid': 'wrong-request',
  'bolt-jammed': 'jammed',
  'schedule-locking': 'passing',
  'schedule-invalid': 'wrong-request',
  'schedule-too-large': 'wrong-request',
  'lock-busy': 'busy',
  'code-subset-in-use': 'clash',
  'code-superset-in-use': 'clash',
  unrecognised: 'passing',
};
const REASONS = Object.keys(HANDLINGS).filter(isRefusalReason);

/** Reasons of our own beside those of the service. */
const OWN = [
  'not-sent',
  'outcome-unknown',
  'changed-meanwhile',
  'not-permitted',
  'read-only',
  'relink',
  'lock-gone',
  'service-trouble',
] as const satisfies readonly CodeFailureReason[];

describe('a reason for a refusal', () => {
  it.each(Object.entries(HANDLINGS))('%s is handled as %s', (reason, handling) => {
    expect(isRefusalReason(reason) && refusalHandling(reason)).toBe(handling);
  });

  it('has words of its own, without a full stop', () => {
    const words = REASONS.map(refusalWords);
    expect(words.filter((text) => !/^\w.{10,}[^.]$/.test(text))).toEqual([]);
    expect(new Set(words).size).toBe(REASONS.length);
  });

  it('is one of the list, and nothing that every object has', () => {
    expect(REASONS).toHaveLength(40);
    expect(['toString', '', 'not-sent'].filter(isRefusalReason)).toEqual([]);
  });

  it('leaves open whether the bolt moved unless the request never reached it', () => {
    const nothingMoved = REASONS.filter(certainlyMovedNothing);
    const expected = REASONS.filter((reason) =>
      ['wrong-request', 'clash', 'busy'].includes(HANDLINGS[reason]),
    );
    expect(new Set(nothingMoved)).toEqual(new Set([...expected, 'code-not-added', 'code-not-deleted']));
  });
});

/** Reasons of which another value in that field may help. */
const FIELDS = {
  name: ['code-name-exists', 'code-name-missing', 'code-name-too-long'],
  pin: [
    'code-exists',
    'pin-out-of-range',
    'pin-missing',
    'code-length-missing',
    'code-length-out-of-range',
    'code-subset-in-use',
    'code-superset-in-use',
  ],
  schedule: [
    'schedule-missing',
    'activation-missing',
    'expiration-missing',
    'schedule-invalid',
    'schedule-too-large',
  ],
  lock: ['code-not-added', 'code-not-deleted', 'user-not-on-lock', 'code-id-duplicate'],
} as const satisfies Readonly<Record<string, readonly RefusalReason[]>>;

describe('the failure of a change of codes', () => {
  it('is reported in sentences that name no digits, also where the words are those for a bolt', () => {
    const failures = [...REASONS, ...OWN].map(codeFailure);
    expect(failures.filter(({ words }) => !/^[A-Z].{20,}\.$/.test(words))).toEqual([]);
    // The two of an invalid request are one sentence for people.
    expect(new Set(failures.map(({ words }) => words)).size).toBeGreaterThan(REASONS.length + OWN.length - 4);
    expect(codeFailure('bolt-jammed').words).toBe(
      'The lock or the service refused: the bolt is jammed. Try again in a minute.',
    );
  });

  it('names the field at fault where another value would help', () => {
    const found = Object.groupBy(
      [...REASONS, ...OWN].map(codeFailure).filter(({ field }) => field !== null),
      ({ field }) => String(field),
    );
    const named = Object.entries(found).map(([field, ones = []]) => [
      field,
      ones.map(({ reason }) => reason),
    ]);
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(
        Object.entries(FIELDS).map(([field, ones]) => [
          field,
          REASONS.filter((reason) => ones.some((one) => one === reason)),
        ]),
      ),
    );
  });

  it.each([
    ['unlinked', 'relink'],
    ['revoked', 'relink'],
    ['expired', 'relink'],
    ['signed-out', 'relink'],
    ['not-permitted', 'not-permitted'],
    ['not-found', 'lock-gone'],
    ['unexpected-answer', 'service-trouble'],
  ])('after the error %s is %s', (code, reason) => {
    expect(failureAfter(code)).toEqual(codeFailure(reason as CodeFailureReason));
    expect(failureAfter(code).reason).toBe(reason);
  });
});
