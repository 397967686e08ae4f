// Features in the account: each is opened with it, acts for pages and other processes, and is closed with it.
import type { PartnerConfig } from '../config/config.ts';
import type { ServiceCheck, ServiceCheckup } from '../domain/account/service-check.ts';
import type { Storage } from '../storage/storage.ts';
import { Additions, joined } from '../support/additions.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';

/** What a feature may use of its account. */
export interface FeatureAccount {
  readonly partner: PartnerConfig;
  /** Throws final (`bad-configuration`) while there are none. */
  readonly subscriptionKeys: () => readonly string[];
  readonly storage: Pick<Storage, 'secrets' | 'own'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A feature of one account. Its operations act on it. */
export interface OpenFeature {
  /** What it adds to a check of the service. Never rejects. */
  check(): Promise<Partial<ServiceCheck>>;
  close(): Promise<void>;
}

export const features = new Additions<(account: FeatureAccount) => OpenFeature>();

export function openFeatures(account: FeatureAccount): ReadonlyMap<string, OpenFeature> {
  return new Map(features.named.map(([name, open]) => [name, open(account)]));
}

/** The check of the service, and of what features have to do with it. */
export function withFeatures(
  checkup: ServiceCheckup,
  opened: ReadonlyMap<string, OpenFeature>,
): ServiceCheckup {
  return {
    check: async () => {
      const check = await checkup.check();
      const more = await Promise.all([...opened.values()].map(async (feature) => feature.check()));
      return joined(check, more);
    },
  };
}
