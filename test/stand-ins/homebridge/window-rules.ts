// What a settings window of the Homebridge UI makes of the blocks that a page gives it: held against the stand-in and the real one.
import type { Blocks } from './config-merge.ts';

const BLOCK = { platform: 'Latchkey', name: 'Latchkey' };
const OTHER = { platform: 'Latchkey', name: 'Other', offline: 'unknown' };

/** What is given, one after the other, and what the window holds then: it lays blocks over its own by their place. */
const MERGES: readonly { readonly given: Blocks; readonly held: Blocks }[] = [
  {
    given: [{ ...BLOCK, debug: true, panel: { enabled: true, port: 1 } }],
    held: [{ ...BLOCK, debug: true, panel: { enabled: true, port: 1 } }],
  },
  {
    given: [{ name: 'Latchkey', panel: { enabled: false } }],
    held: [{ ...BLOCK, debug: true, panel: { enabled: false } }],
  },
  {
    given: [
      { name: 'Latchkey', debug: null },
      { name: 'Other', offline: 'unknown' },
    ],
    held: [{ ...BLOCK, debug: null, panel: { enabled: false } }, OTHER],
  },
  { given: [BLOCK], held: [{ ...BLOCK, debug: null, panel: { enabled: false } }] },
  { given: [], held: [] },
  { given: [BLOCK], held: [BLOCK] },
];

export interface SettingsBlocks {
  readonly give: (blocks: Blocks) => Promise<void>;
  readonly held: () => Promise<unknown>;
}

/** What the window holds after each of the merges, beside what it has to. */
export async function mergedBy(window: SettingsBlocks): Promise<readonly (readonly [unknown, Blocks])[]> {
  const found: (readonly [unknown, Blocks])[] = [];
  for (const { given, held } of MERGES) {
    await window.give(given);
    found.push([await window.held(), held]);
  }
  return found;
}
