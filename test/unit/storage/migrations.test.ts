// Older databases become current, step by step, whole or not at all; newer ones are left alone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Connection } from '../../../src/storage/database/connection.ts';
import { migrate, STEPS } from '../../../src/storage/database/migrations.ts';
import { openDatabase } from '../../../src/storage/database/open-database.ts';
import { silentLog } from '../../../src/support/log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FIRST = 'CREATE TABLE pet (name TEXT NOT NULL) STRICT';
const SECOND = 'ALTER TABLE pet ADD COLUMN age INTEGER';
const path = 'house.db';

function connected(file = join(temporaryFolder(), path)): Connection {
  writeFileSync(file, '', { flag: 'a' });
  const connection = new Connection(file, 'normal');
  onTestFinished(() => {
    connection.close();
  });
  return connection;
}

function versionOf(connection: Connection): unknown {
  return connection.first('PRAGMA user_version')?.['user_version'];
}

describe('a migration', () => {
  it('takes an older database through its missing steps, keeps the content, and does nothing to a current one', () => {
    const connection = connected();
    migrate(connection, path, [FIRST]);
    connection.run('INSERT INTO pet VALUES (?)', 'Rex');
    for (let time = 0; time < 2; time += 1) {
      migrate(connection, path, [FIRST, SECOND]);
      expect(connection.all('SELECT * FROM pet')).toEqual([{ name: 'Rex', age: null }]);
      expect(versionOf(connection)).toBe(2);
    }
  });

  it('leaves the database as it was when a step fails', () => {
    const connection = connected();
    migrate(connection, path, [FIRST]);
    expect(() => {
      migrate(connection, path, [FIRST, SECOND, 'INSERT INTO missing VALUES (1)']);
    }).toThrow('no such table: missing');

    expect(versionOf(connection)).toBe(1);
    migrate(connection, path, [FIRST, SECOND]);
    expect(versionOf(connection)).toBe(2);
  });

  it.each([1, 92])(
    'refuses a database that is %d versions newer with a message, and does not touch it',
    (ahead) => {
      const newer = STEPS.length + ahead;
      const file = join(temporaryFolder(), path);
      openDatabase(file, silentLog).close();
      const connection = connected(file);
      connection.script(`PRAGMA user_version = ${newer}`);

      const opening = (): unknown => openDatabase(file, silentLog);
      expect(opening).toThrow(expect.objectContaining({ disposition: 'final', code: 'bad-configuration' }));
      expect(opening).toThrow(
        new RegExp(
          `house\\.db was written by a newer version \\(its format is ${newer}, .*update this plugin`,
          'u',
        ),
      );
      expect(versionOf(connection)).toBe(newer);
    },
  );
});

describe('a transaction', () => {
  it('is undone as a whole when its work throws, and the connection stays usable', () => {
    const connection = connected();
    connection.script(FIRST);
    const cause = new Error('changed our mind');
    expect(() =>
      connection.transaction(() => {
        connection.run('INSERT INTO pet VALUES (?)', 'Rex');
        throw cause;
      }),
    ).toThrow(cause);

    expect(connection.all('SELECT * FROM pet')).toEqual([]);
    connection.transaction(() => connection.run('INSERT INTO pet VALUES (?)', 'Bello'));
    expect(connection.all('SELECT * FROM pet')).toHaveLength(1);
  });

  it('is a retry when another process holds the file, and does not wait for long', () => {
    const file = join(temporaryFolder(), path);
    const [first, second] = [connected(file), connected(file)];
    first.script(FIRST);
    second.shortenWaits();
    first.transaction(() => {
      const before = performance.now();
      expect(() => second.transaction(() => {})).toThrow(
        expect.objectContaining({ disposition: 'retry', code: 'storage-failed' }),
      );
      expect(performance.now() - before).toBeLessThan(2_000);
    });
    second.transaction(() => {});
  });

  it('is a retry after the storage was closed, so that a late caller does no harm', () => {
    const connection = connected();
    connection.close();
    connection.close();
    expect(() => connection.first('SELECT 1')).toThrow(expect.objectContaining({ code: 'storage-failed' }));
  });
});
