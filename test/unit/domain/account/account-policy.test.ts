// Whether another account was linked than before: every combination of marks and locks.
import { describe, expect, it } from 'vitest';
import { judgeAccount } from '../../../../src/domain/account/account-policy.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';

const locks = (...names: readonly string[]) => new Set(names.map(lockId));

/** Marks: the same, different, or one of them unknown. */
const SAME = { formerSubject: 's', subject: 's' };
const OTHER = { formerSubject: 's', subject: 't' };
const NO_MARK = [
  { formerSubject: null, subject: null },
  { formerSubject: 's', subject: null },
  { formerSubject: null, subject: 't' },
];

describe('an account that was linked anew', () => {
  it.each([SAME, OTHER, ...NO_MARK])('is the same one while all former locks are listed: %j', (marks) => {
    expect(judgeAccount({ ...marks, former: locks('a'), listed: locks('a', 'b') })).toBe('same');
    expect(judgeAccount({ ...marks, former: locks(), listed: locks('b') })).toBe('same');
    expect(judgeAccount({ ...marks, former: locks(), listed: locks() })).toBe('same');
  });

  it.each([[locks()], [locks('b')], [locks('a', 'b')]])(
    'is judged by its subject where there is one',
    (listed) => {
      expect(judgeAccount({ ...SAME, former: locks('a', 'c'), listed })).toBe('same');
      expect(judgeAccount({ ...OTHER, former: locks('a', 'c'), listed })).toBe('other');
    },
  );

  it.each(NO_MARK)(
    'is the same one without a subject while it lists any former lock, of which others have left it (faults#168): %j',
    (marks) => {
      const former = locks('a', 'c');
      expect(judgeAccount({ ...marks, former, listed: locks('a', 'b') })).toBe('same');
      expect(judgeAccount({ ...marks, former, listed: locks('c') })).toBe('same');
    },
  );

  it.each(NO_MARK)(
    'raises a question without a subject when it lists no former lock (faults#97): %j',
    (marks) => {
      const former = locks('a', 'c');
      expect(judgeAccount({ ...marks, former, listed: locks('b') })).toBe('other');
      expect(judgeAccount({ ...marks, former, listed: locks() })).toBe('other');
    },
  );
});
