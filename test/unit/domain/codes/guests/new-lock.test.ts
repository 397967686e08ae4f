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

const AWAY = { isAway: true, others: [] };

describe('the guest of a lock that was replaced', () => {
  it('has the new one, with its hours, and the codes of an old one that is away are forgotten', () => {
    const moved = onNewLock(guest, OLD, NEW, AWAY);
    expect(moved).toMatchObject({ locks: [NEW, SHED], codes: [], hoursOn: { [NEW]: { kind: 'always' } } });
  });

  it('loses the code on an old one that is still in the account', () => {
    expect(onNewLock(guest, OLD, NEW, { ...AWAY, isAway: false }).codes).toMatchObject([
      { lockId: OLD, written: draft },
    ]);
  });

  it('of all locks, or of both, stays as it is but for that', () => {
    expect(onNewLock({ ...guest, locks: 'all' }, OLD, NEW, AWAY)).toMatchObject({ locks: 'all', codes: [] });
    expect(onNewLock({ ...guest, locks: [OLD, NEW] }, OLD, NEW, AWAY).locks).toEqual([NEW]);
  });

  it('goes on in Home by its number there, unless another guest of the new one has that', () => {
    const mark = (lock: typeof OLD) => ({ ...guest, home: { lockId: lock, identifier: 3 } });
    expect(onNewLock(mark(OLD), OLD, NEW, AWAY).home).toEqual({ lockId: NEW, identifier: 3 });
    expect(onNewLock(mark(OLD), OLD, NEW, { ...AWAY, others: [mark(NEW)] }).home).toBeUndefined();
    expect(onNewLock(mark(SHED), OLD, NEW, AWAY).home).toEqual({ lockId: SHED, identifier: 3 });
    expect(onNewLock(mark(NEW), OLD, NEW, { ...AWAY, others: [mark(NEW)] }).home).toMatchObject({
      lockId: NEW,
    });
  });
});
