// What the Homebridge UI makes of the blocks that a page gives it: it lays them over its own, so what is left out stays.
export type Blocks = readonly Readonly<Record<string, unknown>>[];

/** `test/ui/config-merge.test.ts` holds this against the real one. */
export function mergedBlocks(held: Blocks, given: Blocks): Blocks {
  return given.map((block, place) => ({ ...held[place], ...block, platform: 'Latchkey' }));
}
