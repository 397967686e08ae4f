// Features in the account: each is opened with it, acts for pages and other processes, and is closed with it.
import type { PartnerConfig } from '../config/config.ts';
import type { ServiceCheck, ServiceCheckup } from '../domain/account/service-check.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { SourcedValues } from '../domain/locks/settings.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { Storage } from '../storage/storage.ts';
import { Additions, joined } from '../support/additions.ts';
import type { Metric } from '../support/server/prometheus.ts';
import type { AccountRuntime } from '../sync/account-runtime.ts';
import type { HeldOutside } from './account/account-ending.ts';
import type { ComposeParts } from './account/compose-parts.ts';

/** What a feature may use of its account. */
export interface FeatureAccount extends ComposeParts {
  readonly partner: PartnerConfig;
  /** Throws final (`bad-configuration`) while there are none. */
  readonly subscriptionKeys: () => readonly string[];
  readonly storage: Pick<Storage, 'secrets' | 'settings' | 'knownLocks' | 'own'>;
  /** Throws `not-owner` unless this process owns the account. */
  readonly assertOwned: () => void;
  /** For pages and other processes. */
  readonly emit: (event: PanelEvent) => void;
}

/** The account while this process owns it and stays. */
export interface ServedAccount {
  readonly runtime: AccountRuntime;
  /** The options in force for one lock. */
  readonly lockOptions: (id: LockId) => SourcedValues;
  /** Calls `listener` with every event of the account, until the returned function is called. */
  readonly subscribe: (listener: (event: PanelEvent) => void) => () => void;
  /** The address of the account's pages; null without them. */
  readonly pagesUrl: () => string | null;
}

/** A feature of one account. Its operations act on it. */
export interface OpenFeature extends HeldOutside {
  /** What it adds to a check of the service. Never rejects. */
  check?(): Promise<Partial<ServiceCheck>>;
  /** A sign-in is about to be adopted. Never throws. */
  linking?(): void;
  /** Begins to act for the account; called again, it goes on. */
  serve?(account: ServedAccount): void;
  metrics?(): readonly Metric[];
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
      const more = await Promise.all([...opened.values()].map(async (feature) => feature.check?.() ?? {}));
      return joined(check, more);
    },
  };
}
