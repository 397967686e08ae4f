// What a sound row is, by the columns of its table: a table without rules of its own has those of its types and names.
import { LINK_STATES } from '../../domain/account/account.ts';
import { LATEST_INSTANT } from './columns.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Longer texts are written by no version (our choice): tokens and stays have some kilobytes. */
const LONGEST_TEXT_BYTES = 1_048_576;

const LONGEST_OFFSET_MINUTES = 1_440n;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const oneOf =
  (...words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text);

/** Columns whose text has a form: JSON, or a word of a closed set. */
const TEXT_RULES: Readonly<Record<string, (text: string) => boolean>> = {
  'link.state': oneOf(...LINK_STATES),
  'command.target': oneOf('secured', 'unsecured'),
  'known_lock.role': oneOf('owner', 'guest', 'reader'),
  'setting.value': isJson,
  'secret.value': isJson,
  'received_event.event': isJson,
  'rate_window.state': isRateState,
};

/** The names of the columns of a row that hold what no version writes. */
export function unsoundColumns(
  table: string,
  columns: readonly Column[],
  row: Readonly<Record<string, unknown>>,
): readonly string[] {
  return columns.filter((column) => !isSound(table, column, row[column.name])).map(({ name }) => name);
}

function isSound(table: string, { name, type, isRequired }: Column, value: unknown): boolean {
  if (value === null) {
    return !isRequired;
  }
  switch (type) {
    case 'INTEGER':
      return typeof value === 'bigint' && isPlausible(name, value);
    case 'TEXT':
      return typeof value === 'string' && isWhole(value) && (TEXT_RULES[`${table}.${name}`]?.(value) ?? true);
    default:
      return value instanceof Uint8Array;
  }
}

function isPlausible(name: string, value: bigint): boolean {
  if (name.endsWith('_minutes')) {
    return value >= -LONGEST_OFFSET_MINUTES && value <= LONGEST_OFFSET_MINUTES;
  }
  const isInstant = name.endsWith('_at') || name.endsWith('_since');
  return value >= 0n && value <= BigInt(isInstant ? LATEST_INSTANT : Number.MAX_SAFE_INTEGER);
}

function isWhole(text: string): boolean {
  return text.length <= LONGEST_TEXT_BYTES;
}

/** The text of these bytes; null where they are no UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function isJson(text: string): boolean {
  return parsed(text) !== undefined;
}

function isRateState(text: string): boolean {
  const state = parsed(text);
  return (
    typeof state === 'object' &&
    state !== null &&
    ['limit', 'lastId', 'blockedUntil', 'seenAt'].every(
      (name) => typeof Reflect.get(state, name) === 'number',
    ) &&
    Array.isArray(Reflect.get(state, 'slots'))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
