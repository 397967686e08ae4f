// Short ids that begin with the time at which they are made, so that none comes twice.

const RADIX = 36;

/** An id that comes after all of these, and after this time in milliseconds. */
export function nextId(known: readonly string[], now: number): string {
  const after = known.map((id) => (Number.parseInt(id, RADIX) || 0) + 1);
  return Math.max(Math.round(now), ...after).toString(RADIX);
}
