// Parses JSON of strangers only when it is valid UTF-8 and not nested too deep.

/** Deeper than any event (the deepest has five levels), and far below a depth that could harm a parser (faults#50). */
const DEEPEST = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value in these bytes; undefined when they are no JSON, no UTF-8 or too deep. A `__proto__` stays a plain name. */
export function boundedJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) {
    return undefined;
  }
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The caller reports the fault: the text itself appears in no message.
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{`, `]` and `}`. */
const OPENING = [0x5b, 0x7b] as const;
const CLOSING = [0x5d, 0x7d] as const;

/** Counts brackets outside of texts. No byte of another letter in UTF-8 equals a bracket or a quote. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) {
        at += 1;
      } else if (byte === QUOTE) {
        inText = false;
      }
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === OPENING[0] || byte === OPENING[1]) {
      depth += 1;
    } else if (byte === CLOSING[0] || byte === CLOSING[1]) {
      depth -= 1;
    }
    if (depth > DEEPEST) {
      return true;
    }
  }
  return false;
}
