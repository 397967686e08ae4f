// Texts of an entry, safe to show: without control characters, and up to a length.

const LONGEST_SUMMARY = 200;
const LONGEST_DESCRIPTION = 2_000;

/** Characters that change the direction of a text, or end a line, beside the control characters themselves. */
const UNSEEN = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const LINE_ENDS = /\r\n|[\r\n\u0085\u2028\u2029]/gu;

export function oneLine(text: string): string {
  return cut(
    plain(text.slice(0, LONGEST_SUMMARY * 10).replace(LINE_ENDS, ' '))
      .replace(/ +/g, ' ')
      .trim(),
    LONGEST_SUMMARY,
  );
}

export function severalLines(text: string): string {
  const lines = text
    .slice(0, LONGEST_DESCRIPTION * 10)
    .replace(LINE_ENDS, '\n')
    .split('\n');
  return cut(
    lines
      .map((line) => plain(line).trimEnd())
      .join('\n')
      .trim(),
    LONGEST_DESCRIPTION,
  );
}

function plain(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replace(UNSEEN, '')
    .replace(/\p{Cc}/gu, '');
}

/** Cuts between characters, because half of a surrogate pair is no character. */
function cut(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, characters).replace(/[\uD800-\uDBFF]$/u, '');
}
