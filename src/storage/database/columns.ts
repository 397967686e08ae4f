// Reads columns of a row as typed values. STRICT tables guarantee the types; this file proves them to the compiler.
import type { Row } from './connection.ts';
import { DamagedRow } from './damaged-row.ts';

/** 2100: later instants are no times of a lock. */
export const LATEST_INSTANT = 4_102_444_800_000;

export function text(row: Row, column: string): string {
  return textOrNull(row, column) ?? unexpected(column);
}

export function integer(row: Row, column: string): number {
  return integerOrNull(row, column) ?? unexpected(column);
}

/** An instant that a lock can have: a damaged one would stand above all others for ever. */
export function instant(row: Row, column: string): number {
  const at = integer(row, column);
  return at >= 0 && at <= LATEST_INSTANT ? at : unexpected(column);
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

/** The JSON in a column. */
export function json(row: Row, column: string): unknown {
  try {
    return JSON.parse(text(row, column));
  } catch {
    return unexpected(column);
  }
}

function unexpected(column: string): never {
  throw new DamagedRow(`column ${column}`);
}
