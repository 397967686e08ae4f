// What the cache of accessories keeps of codes made in Home: their state, and those that version 1.0.0 knew by itself.
import { type AccessCodeId, accessCodeId } from '../../domain/codes/access-code.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { HIGHEST_IDENTIFIER } from './access-code-tlv.ts';

/** A code that version 1.0.0 made; it is a row of the book from now on. */
export interface HomeCode {
  readonly identifier: number;
  /** The name that it was given at first; the pages may change the code's own. */
  readonly name: string;
  /** Null until the lock has it. */
  readonly codeId: AccessCodeId | null;
}

/** The cached form of the table. It never holds a PIN. */
export interface HomeCodeTable {
  /** HAP's ConfigurationState: it changes with every change of the codes. */
  readonly state: number;
  /** Those of version 1.0.0 that are no rows of the book yet. */
  readonly codes: readonly HomeCode[];
}

export const NO_HOME_CODES: HomeCodeTable = { state: 0, codes: [] };

/** ConfigurationState is an unsigned 16-bit number. */
const STATES = 65_536;

/** The table in a cached value; an empty one when it has another form. */
export function homeCodeTableIn(cached: unknown): HomeCodeTable {
  if (!isObject(cached)) {
    return NO_HOME_CODES;
  }
  const { state, codes } = cached;
  const read = Array.isArray(codes) ? codes.map(codeIn) : [null];
  const known = read.filter((code) => code !== null);
  return isWithin(state, 0, STATES - 1) && known.length === read.length
    ? { state, codes: known }
    : NO_HOME_CODES;
}

function codeIn(cached: unknown): HomeCode | null {
  if (!isObject(cached)) {
    return null;
  }
  const { identifier, name, codeId } = cached;
  if (!isWithin(identifier, 1, HIGHEST_IDENTIFIER) || typeof name !== 'string') {
    return null;
  }
  if (codeId === null) {
    return { identifier, name, codeId };
  }
  return typeof codeId === 'string' ? { identifier, name, codeId: accessCodeId(codeId) } : null;
}

function isWithin(value: unknown, lowest: number, highest: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= lowest && value <= highest;
}

/** The state after any change: controllers read the codes again when it differs. */
export function nextState(state: number): number {
  return (state + 1) % STATES;
}

/** An identifier above all others, so that a removed one is used again as late as possible; null when all are in use. */
export function newIdentifier(identifiers: readonly number[]): number | null {
  const used = new Set(identifiers);
  const next = Math.max(0, ...used) + 1;
  const all = Array.from({ length: HIGHEST_IDENTIFIER }, (_, index) => index + 1);
  return next <= HIGHEST_IDENTIFIER ? next : (all.find((identifier) => !used.has(identifier)) ?? null);
}
