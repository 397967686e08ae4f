// Keys by Node's own functions: what the package for them says, whose texts and signatures the nodes take.

import {
  createAccount,
  createOperator,
  createUser,
  fromPublic,
  fromSeed as packageFromSeed,
} from '@nats-io/nkeys';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSeed, jwtAuthenticator } from '../../../src/nats/node-keys.ts';

const MAKERS = [createAccount, createOperator, createUser] as const;

describe('a key of a login, an account or an operator', () => {
  it('has the name of the package, and signs as it does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MAKERS), fc.uint8Array({ maxLength: 300 }), (make, input) => {
        const seed = make().getSeed();
        const [ours, theirs] = [fromSeed(seed), packageFromSeed(seed)];
        expect(ours.getPublicKey()).toBe(theirs.getPublicKey());
        expect(Buffer.from(ours.sign(input))).toStrictEqual(Buffer.from(theirs.sign(input)));
        expect(ours.getSeed()).toStrictEqual(seed);
      }),
      { numRuns: 20 },
    );
  });

  it('is refused when its seed has a letter wrong', () => {
    const seed = createUser().getSeed();
    seed[20] = seed[20] === 65 ? 66 : 65;
    expect(() => fromSeed(seed)).toThrow(/checksum/iu);
  });
});

describe('a login', () => {
  it('answers what the node asks, so that the public key proves it', () => {
    const user = createUser();
    const { jwt, nkey, sig } = jwtAuthenticator('a paper', user.getSeed())('a question') as {
      readonly jwt: string;
      readonly nkey: string;
      readonly sig: string;
    };
    expect({ jwt, nkey }).toEqual({ jwt: 'a paper', nkey: user.getPublicKey() });
    expect(fromPublic(nkey).verify(Buffer.from('a question'), Buffer.from(sig, 'base64'))).toBe(true);
  });
});
