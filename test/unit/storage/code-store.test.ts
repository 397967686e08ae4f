// Single changes of access codes and stray codes on the disk: read back unchanged, gone when erased, others left alone.
import { expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import { NEVER_USED } from '../../../src/domain/codes/file-age.ts';
import { rowOfSingle, type SingleRow } from '../../../src/domain/codes/guest.ts';
import type { StrayCode } from '../../../src/domain/codes/operation.ts';
import { NOTHING_LEARNED } from '../../../src/domain/codes/pin-length.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { newStorage } from '../../component/storage/place.ts';

const DOOR = lockId('door');

function change(id: string, pin = '0417'): SingleRow {
  const draft = { name: 'Cleaner', pin, schedule: { kind: 'always' } } as const;
  return rowOfSingle(
    id,
    { lockId: DOOR, request: { kind: 'add', draft }, requestedAt: 1, sendings: 1 },
    null,
  );
}

function stray(id: string): StrayCode {
  return { codeId: accessCodeId(id), name: null, only: 'lock' };
}

it('single changes are read back after a restart as they were last stored, but for erased ones', () => {
  const { storage, again } = newStorage();
  storage.codes.saveGuest(change('a'));
  const changed = { ...change('a'), single: { ...change('a').single, sendings: 2 } };
  storage.codes.saveGuest(changed);
  storage.codes.saveGuest(change('gone'));
  storage.codes.eraseGuest('gone');
  storage.codes.eraseGuest('never-there');
  expect(again().codes.guests()).toEqual([changed]);
});

it('single changes stand among the secrets, with none of their digits among the settings (faults#68), and apart from guests', () => {
  const { codes, secrets, settings } = newStorage().storage;
  codes.saveGuest(change('a', '90417265'));
  codes.saveStrays(DOOR, [stray('code-9')]);
  expect([...secrets.all()]).toEqual([['single-code:a', change('a', '90417265')]]);
  expect([...settings.all()]).toEqual([['stray-codes:door', [stray('code-9')]]]);
});

it.each([null, [], { id: 'a' }, { id: 'a', lockId: 'd', request: 1, requestedAt: 1, sendings: 0 }])(
  'a row of another version (%j) is not read as a change, and stays for that version',
  (odd) => {
    const { codes, secrets } = newStorage().storage;
    secrets.write('code-operation:odd', odd);
    secrets.write('single-code:odd', odd);
    codes.saveGuest(change('c'));
    expect(codes.guests()).toEqual([change('c')]);
    expect([...secrets.all().keys()]).toEqual(['code-operation:odd', 'single-code:c', 'single-code:odd']);
  },
);

it('the lengths that a lock takes are stored for each lock, and a malformed row counts as empty', () => {
  const { codes, settings } = newStorage().storage;
  expect(codes.lengths(DOOR)).toEqual(NOTHING_LEARNED);
  codes.saveLengths(DOOR, { taken: 6, refused: [4] });
  const lengths = [codes.lengths(DOOR), codes.lengths(lockId('door2'))];
  expect(lengths).toEqual([{ taken: 6, refused: [4] }, NOTHING_LEARNED]);
  settings.write('code-lengths:door', { taken: '6', refused: [] });
  expect(codes.lengths(DOOR)).toEqual(NOTHING_LEARNED);
});

it('stray codes are stored for each lock, until the last of them is gone', () => {
  const { codes, settings } = newStorage().storage;
  const other = lockId('door2');
  codes.saveStrays(DOOR, [stray('a'), stray('b')]);
  codes.saveStrays(other, [stray('c')]);
  expect(codes.strays(DOOR)).toEqual([stray('a'), stray('b')]);
  codes.saveStrays(DOOR, []);
  expect([codes.strays(DOOR), codes.strays(other)]).toEqual([[], [stray('c')]]);
  settings.write('stray-codes:door2', [{ codeId: 1 }, 7]);
  expect(codes.strays(other)).toEqual([]);
});

it('a row whose lists are none, of another version or by a fault, is not read', () => {
  const { age, codes, secrets, settings } = newStorage().storage;
  const guest = { ...rowOfSingle('g', change('g').single, null), single: undefined };
  secrets.write('guest:g', { ...guest, codes: {} });
  settings.write('code-lengths:door', { taken: 6, refused: {} });
  settings.write('use-of-file', { lastUsedAt: 1, unused: {}, askedAt: null });
  expect([codes.guests(), codes.lengths(DOOR), age.use()]).toEqual([[], NOTHING_LEARNED, NEVER_USED]);
  settings.write('use-of-file', { unused: [] });
  expect(age.use()).toEqual(NEVER_USED);
  settings.write('old-file', { because: 'restored', at: 5 });
  expect(codes.oldFile()).toEqual({ because: 'restored', at: 5, madeAt: null });
});
