// Prints values as JSON that is safe for a terminal: control and direction characters are escaped, nothing is lost.
import { isMessage } from '../../domain/language/message.ts';
import { inEnglish, t } from '../../words/translate.ts';

/** Control characters, bidirectional marks and other invisible formatting, and line separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `indent`: spaces for each level; without it, all is on one line. */
export function jsonText(value: unknown, indent?: number): string {
  return inEnglish(() => JSON.stringify(value, plainly, indent)).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

/** Sentences are text for programs, in English. The names of a credential's attributes are its owner's, "text" included. */
function plainly(name: string, value: unknown): unknown {
  return name !== 'attributes' && isMessage(value) ? t(value) : value;
}

/** Characters outside the BMP take two UTF-16 units, each with its own escape. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
