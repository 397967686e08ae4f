// Addresses of homes: one relay mints them, every relay with the same secret reads them, and no other can make one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mintToken, readToken } from '../../src/home-token.ts';

const SECRET = 'the secret of all relays behind one balancer';
const claims = fc.record({
  home: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
  generation: fc.integer({ min: 1, max: 0xffff_ffff }),
  publicKey: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('base64url')),
});

describe('the token of a home', () => {
  it('has the home, generation and key for which it was minted, at any relay with the secret', () => {
    fc.assert(
      fc.property(claims, (claim) => {
        const token = mintToken(claim, SECRET);
        expect(token).toMatch(/^[\w-]{71}$/);
        expect(readToken(claim.home, token, ['another, newer secret of the relays', SECRET])).toEqual(claim);
      }),
      { numRuns: 50 },
    );
  });

  it('is refused for another home, with another secret, and with any bit changed', () => {
    fc.assert(
      fc.property(claims, fc.nat(70), fc.nat(63), (claim, at, to) => {
        const token = mintToken(claim, SECRET);
        const letter = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[to] ?? '';
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        expect(readToken(`${claim.home}x`, token, [SECRET])).toBeNull();
        expect(readToken(claim.home, token, ['the secret of a stranger, as long as ours'])).toBeNull();
        expect(readToken(claim.home, changed, [SECRET])).toEqual(changed === token ? claim : null);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['', 'x', 'A'.repeat(71), 'A'.repeat(72), '/'.repeat(71)])('is not read from: %j', (text) => {
    expect(readToken('blue', text, [SECRET])).toBeNull();
  });
});
