// What a program reads of an answer: its messages as English sentences.
import { jsonText } from '../../src/cli/terminal/json-text.ts';

export function inWords(answer: unknown): unknown {
  return JSON.parse(jsonText(answer));
}
