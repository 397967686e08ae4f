// Which stored account a block continues: single edits of config.json, and a property over many of them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountIdentity,
  assignFolders,
  type StoredAccount,
} from '../../../src/installation/identity.ts';

const MAIN = null;
const CHILD = '0E:11:22:33:44:55';
const OTHER = '0E:66:77:88:99:AA';

const place = (folder: string, name: string, bridge: string | null, openedAt = 1): StoredAccount => ({
  folder,
  name,
  bridge,
  openedAt,
});
const block = (name: string, bridge: string | null): AccountIdentity => ({ name, bridge });

function folders(blocks: readonly AccountIdentity[], stored: readonly StoredAccount[]): readonly unknown[] {
  const assigned = assignFolders(blocks, stored);
  return blocks.map((each) => assigned.get(each)?.folder ?? null);
}

const TWO = [place('a', 'Home', MAIN), place('b', 'Cabin', CHILD)];

describe('the account of a block (faults#93)', () => {
  it.each([
    ['nothing was edited', [block('Home', MAIN), block('Cabin', CHILD)], TWO, ['a', 'b']],
    ['one took the name of the other', [block('Cabin', MAIN), block('Hut', CHILD)], TWO, ['a', 'b']],
    ['one moved to a child bridge', [block('Home', OTHER), block('Cabin', CHILD)], TWO, ['a', 'b']],
    ['bridges went round', [block('Home', OTHER), block('Cabin', MAIN)], TWO, ['a', 'b']],
    [
      'a new one came',
      [block('Home', MAIN), block('New', OTHER), block('Cabin', CHILD)],
      TWO,
      ['a', null, 'b'],
    ],
    ['a new one came on the same bridge', [block('Home', MAIN), block('New', MAIN)], TWO, ['a', null]],
    ['the other was taken out, and this one renamed', [block('Hut', CHILD)], TWO, ['b']],
    [
      'one was renamed to the name of an account that was taken out long ago',
      [block('Home', CHILD)],
      [place('a', 'Home', MAIN, 1), place('b', 'Cabin', CHILD, 2)],
      ['b'],
    ],
    [
      'one moved to the bridge of an account that was taken out long ago',
      [block('Cabin', MAIN)],
      [place('a', 'Home', MAIN, 1), place('b', 'Cabin', CHILD, 2)],
      ['b'],
    ],
  ] as const)('is the same when %s', (_, blocks, stored, expected) => {
    expect(folders(blocks, stored)).toEqual(expected);
  });

  it('is the same after any renamings, in whatever order the processes start', () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    const edit = fc.record({
      renamed: fc.shuffledSubarray(names, { minLength: 3, maxLength: 3 }),
      started: fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const bridges = [MAIN, CHILD, OTHER];
        let stored = bridges.map((bridge, index) => place(`folder-${index}`, names[index] ?? '', bridge));
        for (const [now, { renamed, started }] of edits.entries()) {
          const blocks = bridges.map((bridge, index) => block(renamed[index] ?? '', bridge));
          for (const index of started) {
            expect(folders(blocks, stored)[index]).toBe(`folder-${index}`);
            // Each process marks its own folder as it opens it.
            stored = stored.map((each, at) =>
              at === index ? place(each.folder, renamed[index] ?? '', bridges[index] ?? null, now + 2) : each,
            );
          }
        }
      }),
    );
  });
});
