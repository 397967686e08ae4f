// Finds unknown options of a lock that read like one that forbids: what is not understood counts as forbidden.
import { lockRow } from './options/option-table.ts';

const PROHIBITIONS: ReadonlySet<string> = new Set(['remoteUnlock', 'adminOnly']);

/** The value of the option does not count, because it may be misspelt as well. */
export function mayForbid(unknownOption: string): boolean {
  return PROHIBITIONS.has(nearestOption(unknownOption));
}

/** The option of a lock that has most pairs of letters in common, in relation to its length. */
function nearestOption(key: string): string {
  const scores = Object.keys(lockRow().shape).map((name) => ({ name, score: likeness(key, name) }));
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
