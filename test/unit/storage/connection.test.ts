// A connection to SQLite speaks in our own errors, also when a rollback fails.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Connection } from '../../../src/storage/database/connection.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function open(): Connection {
  const path = join(temporaryFolder(), 'test.sqlite');
  closeSync(openSync(path, 'w'));
  const connection = new Connection(path, 'full');
  onTestFinished(() => {
    vi.restoreAllMocks();
    connection.close();
  });
  connection.script('CREATE TABLE things (name TEXT) STRICT');
  return connection;
}

/** From now on a rollback fails as on a disk with I/O errors, until the returned function is called. */
function breakRollbacks(): () => void {
  const exec = Reflect.get(DatabaseSync.prototype, 'exec');
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function run(
    this: DatabaseSync,
    sql,
  ) {
    if (sql === 'ROLLBACK') {
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
    }
    exec.call(this, sql);
  });
  return () => spy.mockRestore();
}

const namesOf = (connection: Connection): unknown[] =>
  connection.all('SELECT name FROM things').map(({ name }) => name);

describe('a rollback that the disk refuses', () => {
  it.each([
    [
      'leaves an error of ours unchanged',
      new RetryError('storage-failed', 'The disk is full.'),
      'The disk is full.',
    ],
    [
      'throws an error of ours when the work failed with a foreign one',
      new TypeError('a mistake'),
      RetryError,
    ],
  ])('%s', (_case, error, thrown) => {
    const connection = open();
    breakRollbacks();
    const work = (): never => {
      throw error;
    };
    expect(() => connection.transaction(work)).toThrow(thrown);
  });

  it('is repeated before the next transaction, which does not store the given-up rows', () => {
    const connection = open();
    const mend = breakRollbacks();
    const insert = (name: string): void => {
      connection.run('INSERT INTO things VALUES (?)', name);
    };
    expect(() =>
      connection.transaction(() => {
        insert('given up');
        throw new RetryError('storage-failed', 'The disk is full.');
      }),
    ).toThrow('The disk is full.');
    expect(() => {
      connection.transaction(() => {
        insert('early');
      });
    }).toThrow(RetryError);
    mend();
    connection.transaction(() => {
      insert('kept');
    });
    expect(namesOf(connection)).toEqual(['kept']);
  });
});
