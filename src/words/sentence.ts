// What all words share: a capital letter, a full stop, a number beside its noun, and how serious a line is.

/** How serious a line is, for surfaces that show it. */
export type Tone = 'good' | 'plain' | 'warning' | 'bad';

export interface TonedWords {
  readonly tone: Tone;
  readonly words: string;
}

/** "Already locked", of "already locked". */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "Already locked.", of "already locked". */
export function sentence(words: string): string {
  return `${capital(words).replace(/\.$/u, '')}.`;
}

/** "1 stay", "5 stays". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${String(count)} ${count === 1 ? one : many}`;
}

/** "2 new, 1 moved", without what there is none of. */
export function countedParts(parts: readonly (readonly [number, string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${String(count)} ${words}`)
    .join(', ');
}
