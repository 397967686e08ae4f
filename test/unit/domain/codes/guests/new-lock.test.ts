// A lock that was replaced: what becomes of a guest whose code was on it.
import { describe, expect, it } from 'vitest';
import { unknownCode } from '../../../../../src/domain/codes/code-machine.ts';
import { type Guest, onNewLock } from '../../../../../src/domain/codes/guest.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';

const [OLD, NEW, SHED] = ['old', 'new', 'shed'].map(lockId) as [
  ReturnType<typeof lockId>,
  ReturnType<typeof lockId>,
  ReturnType<typeof lockId>,
];
const draft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } } as const;
const guest: Guest = {
  id: 'g',
  draft,
  locks: [OLD, SHED],
  isLeaving: false,
  revision: 1,
  codes: [{ ...unknownCode(OLD), written: draft }],
  hoursOn: { [OLD]: { kind: 'always' } },
};

describe('the guest of a lock that was replaced', () => {
  it('has the new one, with its hours, and the codes of an old one that is away are forgotten', () => {
    const moved = onNewLock(guest, OLD, NEW, true);
    expect(moved).toMatchObject({ locks: [NEW, SHED], codes: [], hoursOn: { [NEW]: { kind: 'always' } } });
  });

  it('loses the code on an old one that is still in the account', () => {
    expect(onNewLock(guest, OLD, NEW, false).codes).toMatchObject([{ lockId: OLD, written: draft }]);
  });

  it('of all locks, or of both, stays as it is but for that', () => {
    expect(onNewLock({ ...guest, locks: 'all' }, OLD, NEW, true)).toMatchObject({ locks: 'all', codes: [] });
    expect(onNewLock({ ...guest, locks: [OLD, NEW] }, OLD, NEW, true).locks).toEqual([NEW]);
  });
});
