// The one place where chance comes from that is not for secrets; everything else is handed a source.

/** A number from 0 up to 1. */
export function systemRandom(): number {
  // oxlint-disable-next-line no-restricted-properties -- the source that the others are handed
  return Math.random();
}
