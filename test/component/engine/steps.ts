// Steps of random sequences: what may happen to a lock, as values that are drawn at random.
import fc from 'fast-check';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';

/** The values that are drawn. */
export type Value<Drawn> = Drawn extends fc.Arbitrary<infer T> ? T : never;

/** One kind of step or mishap, with its members. */
export function drawn<const Kind extends string, Members extends object>(
  kind: Kind,
  members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> },
): fc.Arbitrary<{ readonly kind: Kind } & Readonly<Members>> {
  return fc.record({ kind: fc.constant(kind), ...members }) as fc.Arbitrary<
    { readonly kind: Kind } & Readonly<Members>
  >;
}

export function within(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min, max });
}

export const anyRest = fc.constantFrom<BoltPosition>('secured', 'unsecured');

export const anyRefusedToken = drawn('refused-token', {
  forMs: within(0, 30_000),
  renewal: fc.constantFrom('renewed' as const, 'failed' as const, 'revoked' as const),
});

export const anyBusyLock = drawn('busy', { forMs: within(100, 20_000) });
