// Options that features bring into the section `partner`.
import type { z } from 'zod';
import type { Message } from '../../domain/language/message.ts';
import { Additions, joined } from '../../support/additions.ts';
import { withoutTrailingSlash } from './address.ts';

/** The values of these options that are written, by name. */
export type FeatureValues = Readonly<Record<string, unknown>>;

export interface FeatureOptions {
  /** Rows of the option table, built when a configuration is read. */
  readonly rows: () => Readonly<Record<string, z.ZodType>>;
  /** Those that are addresses of the service: checked, shown and compared as its others are. */
  readonly addresses: readonly string[];
  /** Faults between these options. */
  readonly problems: (values: FeatureValues) => readonly Message[];
}

export const featureOptions = new Additions<FeatureOptions>();

/** Typed as empty: only the feature itself knows its rows. */
export function featureRows(): object {
  return joined<object>(
    {},
    featureOptions.all.map(({ rows }) => rows()),
  );
}

/** Addresses have no trailing slash. */
export function featureValues(partner: object): FeatureValues {
  return Object.fromEntries(
    Object.keys(featureRows()).flatMap((name) => {
      const value: unknown = Reflect.get(partner, name);
      if (value === undefined) {
        return [];
      }
      const isAddress = typeof value === 'string' && addressNames().includes(name);
      return [[name, isAddress ? withoutTrailingSlash(value) : value]];
    }),
  );
}

/** The addresses that features bring, by name; null where one is not written. */
export function featureAddresses(values: FeatureValues): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    addressNames().map((name) => {
      const value = values[name];
      return [name, typeof value === 'string' ? value : null];
    }),
  );
}

function addressNames(): readonly string[] {
  return featureOptions.all.flatMap(({ addresses }) => addresses);
}
