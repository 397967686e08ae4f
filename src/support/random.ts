// The only source of randomness that is not for secrets; everything else receives a source.

/** A number from 0 up to 1. */
export function systemRandom(): number {
  // oxlint-disable-next-line no-restricted-properties -- the one source that everything else receives
  return Math.random();
}
