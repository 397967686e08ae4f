// Loaded into a process before anything else (`--import`): every commit of its databases takes 50 ms longer.
import { appendFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges, StatementSync } from 'node:sqlite';

const COMMIT_MS = 50;
/** The file that gets a byte for each commit, so that a test sees how many there were. */
const counted = process.env['LATCHKEY_TEST_COMMITS'] ?? '';

const databaseOf = new WeakMap<StatementSync, DatabaseSync>();
const idle = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the process, as a synchronous write to a slow card does. */
function commitSlowly(): void {
  Atomics.wait(idle, 0, 0, COMMIT_MS);
  if (counted !== '') {
    appendFileSync(counted, '.');
  }
}

const prepare = Reflect.get(DatabaseSync.prototype, 'prepare');
DatabaseSync.prototype.prepare = function prepareAndRemember(this: DatabaseSync, sql: string): StatementSync {
  const statement = prepare.call(this, sql);
  databaseOf.set(statement, this);
  return statement;
};

const exec = Reflect.get(DatabaseSync.prototype, 'exec');
DatabaseSync.prototype.exec = function execSlowly(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (sql === 'COMMIT') {
    commitSlowly();
  }
};

const run: (...values: SQLInputValue[]) => StatementResultingChanges = Reflect.get(
  StatementSync.prototype,
  'run',
);
StatementSync.prototype.run = function runSlowly(
  this: StatementSync,
  ...values: unknown[]
): StatementResultingChanges {
  const result = run.apply(this, values as SQLInputValue[]);
  // Within a transaction nothing is committed yet.
  if (databaseOf.get(this)?.isTransaction === false) {
    commitSlowly();
  }
  return result;
};
