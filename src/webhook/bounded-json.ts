// Parses JSON of strangers only when it is valid UTF-8 and not nested too deep.

/** Deeper than any event (the deepest has five levels), and far below a depth that could harm a reader (faults#50). */
const DEEPEST = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value in these bytes; undefined when they are no JSON, no UTF-8 or too deep. A `__proto__` stays a plain name. */
export function boundedJson(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return isDeeper(value, DEEPEST) ? undefined : value;
  } catch {
    // The caller reports the fault: the text itself appears in no message.
    return undefined;
  }
}

/** Whether objects and lists are nested more than `levels` deep. It looks no deeper than that. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
