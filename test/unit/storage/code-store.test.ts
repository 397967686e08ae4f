// Unfinished operations on access codes and stray codes on the disk: read back unchanged, gone when erased, others left alone.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { accessCodeId } from '../../../src/domain/codes/access-code.ts';
import type { CodeOperation, StrayCode } from '../../../src/domain/codes/operation.ts';
import { NOTHING_LEARNED } from '../../../src/domain/codes/pin-length.ts';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { openedStorage } from '../../component/storage/place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
  const path = join(temporaryFolder(), 'latchkey.db');
  const before = openedStorage(path);
  before.codes.save(operation('z', 1));
  before.codes.save(operation('a', 2));
  const changed = { ...operation('a', 2), sendings: 2, sending: null };
  before.codes.save(changed);
  before.codes.save(operation('az', 3));
  before.codes.save(operation('gone', 4));
  before.codes.erase('gone');
  before.codes.erase('never-there');
  before.close();
  expect(openedStorage(path).codes.open()).toEqual([operation('z', 1), changed, operation('az', 3)]);
});

it('operations stand among the secrets, with none of their digits among the settings (faults#68)', () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  const { codes } = openedStorage(path);
  codes.save(operation('a', 1, '90417265'));
  codes.saveStrays(DOOR, [stray('code-9')]);
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = (table: string): string => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all());
  expect(rows('secret')).toContain('90417265');
  expect(rows('setting')).toContain('code-9');
  expect(rows('setting')).not.toContain('90417265');
  database.close();
});

it('a row of another version is not read as an operation, and stays for that version', () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  const { codes } = openedStorage(path);
  const database = new DatabaseSync(path);
  const write = database.prepare('INSERT INTO secret (key, value) VALUES (?, ?)');
  const odd = [
    'null',
    '[]',
    '{"id":"a"}',
    '{"id":"a","lockId":"d","request":1,"requestedAt":1,"sendings":0}',
  ];
  for (const [index, value] of odd.entries()) {
    write.run(`code-operation:odd-${String(index)}`, value);
  }
  write.run('something-else', JSON.stringify(operation('b', 1)));
  codes.save(operation('c', 1));
  expect(codes.open()).toEqual([operation('c', 1)]);
  expect(database.prepare('SELECT count(*) AS rows FROM secret').get()).toEqual({ rows: 6 });
  database.close();
});

it('the lengths that a lock takes are stored for each lock, and a malformed row counts as empty', () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  const before = openedStorage(path);
  expect(before.codes.lengths(DOOR)).toEqual(NOTHING_LEARNED);
  before.codes.saveLengths(DOOR, { taken: 6, refused: [4] });
  before.close();
  const { codes } = openedStorage(path);
  expect([codes.lengths(DOOR), codes.lengths(lockId('door2'))]).toEqual([
    { taken: 6, refused: [4] },
    NOTHING_LEARNED,
  ]);
  const database = new DatabaseSync(path);
  database
    .prepare('UPDATE setting SET value = \'{"taken":"6","refused":[]}\' WHERE key = ?')
    .run('code-lengths:door');
  database.close();
  expect(codes.lengths(DOOR)).toEqual(NOTHING_LEARNED);
});

it('stray codes are stored for each lock, until the last of them is gone', () => {
  const path = join(temporaryFolder(), 'latchkey.db');
  const before = openedStorage(path);
  const other = lockId('door2');
  before.codes.saveStrays(DOOR, [stray('a'), stray('b')]);
  before.codes.saveStrays(other, [stray('c')]);
  before.close();
  const { codes } = openedStorage(path);
  expect(codes.strays(DOOR)).toEqual([stray('a'), stray('b')]);
  codes.saveStrays(DOOR, []);
  expect([codes.strays(DOOR), codes.strays(other)]).toEqual([[], [stray('c')]]);
  const database = new DatabaseSync(path);
  database.prepare('UPDATE setting SET value = \'[{"codeId":1},7]\' WHERE key = ?').run('stray-codes:door2');
  expect(codes.strays(other)).toEqual([]);
  database.close();
});
