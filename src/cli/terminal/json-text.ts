// Prints values as JSON that is safe for a terminal: control and direction characters are escaped, nothing is lost.

/** Control characters, bidirectional marks and other invisible formatting, and line separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `indent`: spaces for each level; without it, all is on one line. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

/** Characters outside the BMP take two UTF-16 units, each with its own escape. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
