// Unfolds the lines of a calendar (RFC 5545, 3.1), each up to a length.

/** A longer line is cut. The limit has room for 6,000 excluded dates, and texts are shown in part only. */
export const LONGEST_LINE_CHARACTERS = 100_000;

/** Lines without their ends, blank ones left out. Accepts CRLF, as the standard demands, and LF or CR, as some programs write. */
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
  const ends = /\r\n|\n|\r/g;
  let from = 0;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(from, end.index);
    from = end.index + end[0].length;
  }
  yield text.slice(from);
}
