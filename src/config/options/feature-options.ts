// Options that features bring: rows of an account, of one lock, and of the section `partner`.
import type { z } from 'zod';
import { Additions, gathered, joined } from '../../support/additions.ts';
import { withoutTrailingSlash } from './address.ts';

/** Each feature declares its rows here, so that they are typed as all others. */
export interface FeatureRows {}
export interface FeatureLockRows {}

/** The values of these options that are written in `partner`, by name. */
export type FeatureValues = Readonly<Record<string, unknown>>;

/** Rows of the option table, built when a configuration is read. */
export interface FeatureOptions {
  readonly rows?: () => Partial<FeatureRows>;
  readonly lockRows?: () => Partial<FeatureLockRows>;
  readonly partnerRows?: () => Readonly<Record<string, z.ZodType>>;
  /** Those of `partner` that are addresses of the service: checked, shown and compared as its others are. */
  readonly addresses?: readonly string[];
}

export const featureOptions = new Additions<FeatureOptions>();

export function featureRows(): FeatureRows {
  return gathered<FeatureRows>(featureOptions.all.map(({ rows }) => rows?.() ?? {}));
}

export function featureLockRows(): FeatureLockRows {
  return gathered<FeatureLockRows>(featureOptions.all.map(({ lockRows }) => lockRows?.() ?? {}));
}

/** Typed as empty: only the feature itself knows its rows. */
export function featurePartnerRows(): object {
  return joined<object>(
    {},
    featureOptions.all.map(({ partnerRows }) => partnerRows?.() ?? {}),
  );
}

/** Addresses have no trailing slash. */
export function featureValues(partner: object): FeatureValues {
  return Object.fromEntries(
    Object.keys(featurePartnerRows()).flatMap((name) => {
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
  return featureOptions.all.flatMap(({ addresses = [] }) => addresses);
}
