// Unfinished operations on access codes and stray codes on the disk: read back unchanged, gone when erased, others left alone.
import { expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import type { CodeOperation, StrayCode } from '../../../src/domain/codes/operation.ts';
import { NOTHING_LEARNED } from '../../../src/domain/codes/pin-length.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { newStorage } from '../../component/storage/place.ts';

const DOOR = lockId('door');

function operation(id: string, requestedAt: number, pin = '0417'): CodeOperation {
  return {
    id,
    lockId: DOOR,
    request: { kind: 'add', draft: { name: 'Cleaner', pin, schedule: { kind: 'always' } } },
    requestedAt,
    sendings: 1,
    sending: {
      at: requestedAt,
      commandId: commandId('c-1'),
      codeId: accessCodeId('code-1'),
      listed: [accessCodeId('code-2')],
    },
  };
}

function stray(id: string): StrayCode {
  return { codeId: accessCodeId(id), name: null, only: 'lock' };
}

it('operations are read back after a restart as they were last stored, the oldest request first, but for erased ones', () => {
  const { storage, again } = newStorage();
  storage.codes.save(operation('z', 1));
  storage.codes.save(operation('a', 2));
  const changed = { ...operation('a', 2), sendings: 2, sending: null };
  storage.codes.save(changed);
  storage.codes.save(operation('az', 3));
  storage.codes.save(operation('gone', 4));
  storage.codes.erase('gone');
  storage.codes.erase('never-there');
  expect(again().codes.open()).toEqual([operation('z', 1), changed, operation('az', 3)]);
});

it('operations stand among the secrets, with none of their digits among the settings (faults#68)', () => {
  const { codes, secrets, settings } = newStorage().storage;
  codes.save(operation('a', 1, '90417265'));
  codes.saveStrays(DOOR, [stray('code-9')]);
  expect(JSON.stringify([...secrets.all()])).toContain('90417265');
  expect([...settings.all()]).toEqual([['stray-codes:door', [stray('code-9')]]]);
});

it.each([null, [], { id: 'a' }, { id: 'a', lockId: 'd', request: 1, requestedAt: 1, sendings: 0 }])(
  'a row of another version (%j) is not read as an operation, and stays for that version',
  (odd) => {
    const { codes, secrets } = newStorage().storage;
    secrets.write('code-operation:odd', odd);
    secrets.write('something-else', operation('b', 1));
    codes.save(operation('c', 1));
    expect(codes.open()).toEqual([operation('c', 1)]);
    expect([...secrets.all().keys()]).toEqual(['code-operation:c', 'code-operation:odd', 'something-else']);
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
