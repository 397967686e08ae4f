// What people read of every refusal, for a bolt and for a code.
import { describe, expect, it } from 'vitest';
import type { CodeFailureReason } from '../../../src/domain/codes/failure.ts';
import { isRefusalReason, type RefusalReason } from '../../../src/domain/commands/refusal.ts';
import { codeFailure, failureAfter } from '../../../src/words/code-failures.ts';
import { REFUSALS, refusalWords } from '../../../src/words/refusals.ts';
import { t } from '../../../src/words/translate.ts';

const REASONS = Object.keys(REFUSALS).filter(isRefusalReason);

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

it('a reason for a refusal has words of its own, without a full stop', () => {
  const words = REASONS.map(refusalWords);
  expect(words.filter((text) => !/^\w.{10,}[^.]$/.test(text))).toEqual([]);
  expect(new Set(words).size).toBe(REASONS.length);
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
    const failures = [...REASONS, ...OWN].map((reason) => t(codeFailure(reason).words));
    expect(failures.filter((words) => !/^[A-Z].{20,}\.$/.test(words))).toEqual([]);
    // The two of an invalid request are one sentence for people.
    expect(new Set(failures).size).toBeGreaterThan(REASONS.length + OWN.length - 4);
    expect(t(codeFailure('bolt-jammed').words)).toBe(
      'The lock or the service refused: the bolt is jammed. Try again in a minute.',
    );
  });

  it('names the faulty field where another value would help', () => {
    const named = [...REASONS, ...OWN]
      .map(codeFailure)
      .flatMap(({ field, reason }) => (field === null ? [] : [`${field}: ${reason}`]));
    const expected = Object.entries(FIELDS).flatMap(([field, reasons]) =>
      reasons.map((reason) => `${field}: ${reason}`),
    );
    expect(named.toSorted()).toEqual(expected.toSorted());
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
