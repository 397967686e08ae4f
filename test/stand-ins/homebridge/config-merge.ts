// The merge of the Homebridge UI: it lays the blocks of a page over its own, so that options which are left out stay.
export type Blocks = readonly Readonly<Record<string, unknown>>[];

/** `window-rules.ts` holds this and the real one. */
export function mergedBlocks(held: Blocks, given: Blocks): Blocks {
  return given.map((block, place) => ({ ...held[place], ...block, platform: 'Latchkey' }));
}
