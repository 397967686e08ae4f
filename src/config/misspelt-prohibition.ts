// Forbids what unknown options may be meant to forbid: what is not understood counts as forbidden.
import { type Message, message } from '../domain/language/message.ts';
import { isObject, memberOf } from '../support/text/foreign-json.ts';
import { optionsOfFeatures } from './options/feature-config.ts';
import { lockRow } from './options/option-table.ts';
import { optionPath } from './options/problem-line.ts';

const PROHIBITIONS: ReadonlySet<string> = new Set(['remoteUnlock', 'adminOnly']);

const FORBIDS_UNLOCKING = message(
  'is not an option, and may be meant to forbid: the lock cannot be unlocked remotely until then; correct or remove it',
);

/** An option of a block that is not known there. */
export interface UnknownOption {
  readonly path: readonly PropertyKey[];
  readonly key: string;
  /** Its block, of the copy that is read. */
  readonly node: object;
}

/**
 * Forbids it in the copy, and returns what is said of it; null where it is like no prohibition. Its value does not count, because
 * it may be misspelt as well. `known`: the options at the top.
 */
export function forbidding({ path, key, node }: UnknownOption, known: readonly string[]): Message | null {
  if (path[0] === 'locks') {
    return mayForbid(key) ? unlockingForbidden(node) : null;
  }
  if (path.length === 0 && nearestOption(key, known) === 'locks') {
    return rowsForbidden(node, Reflect.get(node, key)) ? FORBIDS_UNLOCKING : null;
  }
  const rule = optionsOfFeatures.all.find(({ forbids }) => forbids?.block === optionPath(path))?.forbids;
  if (rule === undefined || nearestOption(key, rule.names()) !== rule.option) {
    return null;
  }
  Reflect.set(node, rule.option, rule.meanwhile);
  return rule.fault;
}

/** From this likeness on, an option at the top may be meant (our choice): words of any kind stand there. */
const LIKE = 0.5;

/** Whether an unknown option at the top may be meant as `remotePin`. */
export function mayBePin(unknownOption: string): boolean {
  return /pin$/iu.test(unknownOption) || likeness(unknownOption, 'remotePin') >= LIKE;
}

function mayForbid(option: string): boolean {
  return PROHIBITIONS.has(nearestOption(option, Object.keys(lockRow().shape)));
}

function unlockingForbidden(row: object): Message {
  Reflect.set(row, 'remoteUnlock', false);
  return FORBIDS_UNLOCKING;
}

/** The rows of a misspelt list of locks: those that forbid something do so. False without one. */
function rowsForbidden(block: object, list: unknown): boolean {
  const rows = rowsIn(list).filter((row) => Object.keys(row).some(mayForbid));
  const known = rowsIn(memberOf(block, 'locks'));
  const forbidden = rows.map(({ id }) => ({
    ...known.find((row) => row['id'] === id),
    id,
    remoteUnlock: false,
  }));
  const others = known.filter(({ id }) => !rows.some((row) => row['id'] === id));
  Reflect.set(block, 'locks', [...others, ...forbidden]);
  return rows.length > 0;
}

function rowsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  const rows: readonly unknown[] = Array.isArray(list) ? list : [];
  return rows.filter(isObject);
}

/** The known option that has most pairs of letters in common, in relation to its length. */
function nearestOption(key: string, known: readonly string[]): string {
  const scores = known.map((name) => ({ name, score: likeness(key, name) }));
  return scores.reduce((best, other) => (other.score > best.score ? other : best)).name;
}

/** Similarity from 0 to 1: twice the common pairs of all pairs (Dice); case and punctuation do not count. */
function likeness(one: string, other: string): number {
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  return (2 * pairs.filter((pair) => others.includes(pair)).length) / (pairs.length + others.length || 1);
}

function pairsOf(text: string): readonly string[] {
  const letters = text.toLowerCase().replaceAll(/[^a-z]/gu, '');
  return Array.from({ length: Math.max(letters.length - 1, 0) }, (_, at) => letters.slice(at, at + 2));
}
