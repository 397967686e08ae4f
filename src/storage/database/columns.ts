// Reads columns of a row as typed values. STRICT tables guarantee the types; this file proves them to the compiler.
import { FinalError } from '../../support/errors.ts';
import type { Row } from './connection.ts';

export function text(row: Row, column: string): string {
  return textOrNull(row, column) ?? unexpected(column);
}

export function integer(row: Row, column: string): number {
  return integerOrNull(row, column) ?? unexpected(column);
}

export function textOrNull(row: Row, column: string): string | null {
  const value = row[column];
  return value === null || typeof value === 'string' ? value : unexpected(column);
}

export function integerOrNull(row: Row, column: string): number | null {
  const value = row[column];
  return value === null || typeof value === 'number' ? value : unexpected(column);
}

/** A word of a closed set; an unknown one reads as `other` where that is given. */
export function word<T extends string>(row: Row, column: string, words: readonly T[], other?: T): T {
  const value = text(row, column);
  return words.find((known) => known === value) ?? other ?? unexpected(column);
}

function unexpected(column: string): never {
  throw new FinalError(
    'bad-configuration',
    `The stored column ${column} holds what this version never writes; restore a backup, or connect the account again.`,
  );
}
