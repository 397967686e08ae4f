// The steps of a random sequence: what may happen, with which details, and how often beside the others.
import fc from 'fast-check';

type Details = Readonly<Record<string, fc.Arbitrary<unknown>>>;

type StepOf<Kind extends string, Some extends Details> = { readonly kind: Kind } & {
  readonly [Name in keyof Some]: Some[Name] extends fc.Arbitrary<infer Value> ? Value : never;
};

/** One kind of step, for `fc.oneof`. */
export function stepOf<Kind extends string, Some extends Details>(
  weight: number,
  kind: Kind,
  details: Some,
): { readonly weight: number; readonly arbitrary: fc.Arbitrary<StepOf<Kind, Some>> } {
  const arbitrary = fc.record({ kind: fc.constant(kind), ...details }) as unknown;
  return { weight, arbitrary: arbitrary as fc.Arbitrary<StepOf<Kind, Some>> };
}

/** What an arbitrary makes. */
export type ValueOf<Made> = Made extends fc.Arbitrary<infer Value> ? Value : never;
