// The blocks of config.json as the pages change them in the Homebridge UI.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressesOf,
  placeOf,
  withAddresses,
  withBlockAt,
  withDemo,
  withForm,
  withNulls,
  withoutNulls,
} from '../../../web/panel/state/config-blocks.ts';
import { mergedBlocks } from '../../stand-ins/homebridge/config-merge.ts';

const ONE = { platform: 'Latchkey', name: 'Latchkey', partner: { clientSecret: 'one' } };
const TWO = {
  platform: 'Latchkey',
  name: 'Summer house',
  partner: { clientSecret: 'two' },
  _bridge: { port: 1 },
};
const KNOWN = new Set(['name', 'partner', 'debug', 'locks']);

describe('the blocks of config.json in the Homebridge UI', () => {
  it('keep the other account with any name that is typed on the way', () => {
    const place = placeOf([ONE, TWO], 'Summer house');
    let blocks: readonly object[] = [ONE, TWO];
    for (const name of ['Summer', '', 'Latchkey', 'Beach house']) {
      blocks = withBlockAt(
        blocks as (typeof ONE)[],
        place,
        withForm(TWO, KNOWN, { name, partner: TWO.partner }),
      );
      expect(blocks).toHaveLength(2);
      expect(blocks[0]).toEqual(ONE);
    }
    expect(blocks[1]).toEqual({ ...TWO, name: 'Beach house' });
  });

  it('gain and lose the demo, and keep everything else', () => {
    const on = withDemo(TWO, true);
    expect(on).toEqual({ ...TWO, demo: true });
    expect(withDemo(on, false)).toEqual({ ...TWO, demo: false });
  });

  it('change at one place alone, for any blocks and any place', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name: fc.string() })), fc.nat(12), (blocks, target) => {
        const place = Math.min(target, blocks.length);
        const after = withBlockAt(blocks, place, { name: 'changed' });
        expect(after[place]).toEqual({ name: 'changed' });
        expect(after.filter((_, index) => index !== place)).toEqual(
          blocks.filter((_, index) => index !== place),
        );
      }),
    );
  });

  it('get a block at the end for an account without one, and an absent name means the default', () => {
    expect(placeOf([ONE, TWO], 'Third')).toBe(2);
    expect(placeOf([TWO, { platform: 'Latchkey' }], 'Latchkey')).toBe(1);
  });

  it('lose the known options that the form leaves out, and keep unknown ones', () => {
    const block = { ...TWO, debug: true, locks: [{ id: 'a', hide: true }] };
    expect(withForm(block, KNOWN, { name: 'Summer house', partner: TWO.partner })).toEqual(TWO);
  });

  it('are read as if options that were left out had never been written, though the window keeps them', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string()), fc.constant(null));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (former, changed) => {
        const [kept = {}] = mergedBlocks([former], [withNulls(former, changed)]);
        expect(withoutNulls(kept)).toEqual(withoutNulls({ ...changed, platform: 'Latchkey' }));
      }),
    );
  });

  it('get other addresses, trimmed, beside all other options', () => {
    const addresses = { ...addressesOf(ONE), authUrl: ' https://auth.partner.example ' };
    expect(withAddresses(ONE, addresses)).toEqual({
      ...ONE,
      partner: { clientSecret: 'one', authUrl: 'https://auth.partner.example', baseUrl: '', redirectUri: '' },
    });
  });
});
