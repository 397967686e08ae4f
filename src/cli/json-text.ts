// Values as JSON that a terminal can show: what would move its cursor or turn its text around is escaped, and nothing is lost.

/** Control characters, bidirectional marks and other invisible formatting, and line separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `indent`: spaces for each level; left out, all is on one line. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : escaped(character),
  );
}

/** Some take two units, each with an escape of its own. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
