// What people read of every refusal, for a bolt and for a code.
import { describe, expect, it } from 'vitest';
import type { CodeFailureReason } from '../../../src/domain/codes/failure.ts';
import { isRefusalReason } from '../../../src/domain/commands/refusal.ts';
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

  it.each([
    ['name', 'code-name-exists'],
    ['pin', 'code-subset-in-use'],
    ['schedule', 'schedule-invalid'],
    ['lock', 'code-not-added'],
    [null, 'lock-busy'],
  ] as const)('names the field %s where another value would help: %s', (field, reason) => {
    expect(codeFailure(reason).field).toBe(field);
  });

  it.each([
    ['unlinked', 'relink'],
    ['moved', 'relink'],
    ['not-permitted', 'not-permitted'],
    ['not-found', 'lock-gone'],
    ['unexpected-answer', 'service-trouble'],
  ])('after the error %s is %s', (code, reason) => {
    expect(failureAfter(code)).toEqual(codeFailure(reason as CodeFailureReason));
    expect(failureAfter(code).reason).toBe(reason);
  });
});
