// Unfolds the lines of a calendar (RFC 5545, 3.1), each up to a length.

/** A longer line is cut. The limit has room for 6,000 excluded dates, and texts are shown in part only. */
export const LONGEST_LINE_CHARACTERS = 100_000;

/** Lines without their ends, blank ones left out. Accepts CRLF, as the standard demands, and LF, as some programs write. */
export function* unfoldedLines(text: string): Generator<string> {
  let line = '';
  for (const physical of physicalLines(text)) {
    if (physical.startsWith(' ') || physical.startsWith('\t')) {
      if (line.length < LONGEST_LINE_CHARACTERS) {
        line += physical.slice(1, 1 + LONGEST_LINE_CHARACTERS - line.length);
      }
      continue;
    }
    if (line.trim() !== '') {
      yield line;
    }
    line = physical.slice(0, LONGEST_LINE_CHARACTERS);
  }
  if (line.trim() !== '') {
    yield line;
  }
}

function* physicalLines(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    yield text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end);
    from = end + 1;
  }
}
