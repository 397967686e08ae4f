// Guests on the disk: with the secrets, across restarts, and gone without a trace in the settings.
import { expect, it } from 'vitest';
import { unknownCode } from '../../../src/domain/codes/code-machine.ts';
import type { Guest } from '../../../src/domain/codes/guest.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { newStorage } from './place.ts';

const ANNA: Guest = {
  id: 'anna',
  draft: { name: 'Anna', pin: '0471', schedule: { kind: 'temporary', from: 0, until: 60_000 } },
  locks: [lockId('front')],
  isLeaving: false,
  revision: 1,
  codes: [{ ...unknownCode(lockId('front')), sending: { draft: null } }],
};

it('guests are stored among the secrets, and read by the next process unchanged', () => {
  const { storage, again } = newStorage();
  storage.codes.saveGuest(ANNA);
  storage.codes.saveGuest({ ...ANNA, id: 'bob', locks: 'all' });
  storage.codes.saveGuest({ ...ANNA, isLeaving: true });
  expect([...storage.settings.all().keys()]).toEqual([]);
  expect(again().codes.guests()).toEqual([
    { ...ANNA, isLeaving: true },
    { ...ANNA, id: 'bob', locks: 'all' },
  ]);
});

it('erased guests leave no row, and rows of another kind are left alone', () => {
  const { codes, secrets } = newStorage().storage;
  codes.saveGuest(ANNA);
  secrets.write('guest:of-another-version', { id: 'x', draft: 'y' });
  secrets.write('other', 'secret');
  expect(codes.guests()).toEqual([ANNA]);
  codes.eraseGuest(ANNA.id);
  expect([...secrets.all().keys()]).toEqual(['guest:of-another-version', 'other']);
});
