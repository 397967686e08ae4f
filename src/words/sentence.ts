// What all words share: a capital letter, a full stop, a number beside its noun, and how serious a line is.
import { comma, languageCode, listFormat } from './translate.ts';

/** How serious a line is, for surfaces that show it. */
export type Tone = 'good' | 'plain' | 'warning' | 'bad';

export interface TonedWords {
  readonly tone: Tone;
  readonly words: string;
}

/** "Front door and Garage", as the reader's language joins names. */
export function listWords(names: readonly string[]): string {
  return listFormat().format(names);
}

/** "2 new, 1 moved": facts one after the other, with the comma of the reader's language. */
export function seriesWords(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join(comma());
}

/** "Already locked", of "already locked". */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "already locked.", of "already locked". */
export function closed(words: string): string {
  return `${unclosed(words)}${languageCode() === 'ja' ? '。' : '.'}`;
}

/** "already locked", of "already locked." */
export function unclosed(words: string): string {
  return words.replace(/[.。]$/u, '');
}

/** "Already locked.", of "already locked". */
export function sentence(words: string): string {
  return capital(closed(words));
}
