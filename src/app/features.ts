// Features in the account: each is opened with it, acts for pages and other processes, and is closed with it.
import type { PartnerConfig } from '../config/config.ts';
import type { ServiceCheck, ServiceCheckup } from '../domain/account/service-check.ts';
import type { BookedStays } from '../domain/codes/booked-stays.ts';
import { message } from '../domain/language/message.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { SourcedValues } from '../domain/locks/settings.ts';
import type { Instant } from '../domain/time/instant.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import type { BookedGuest, GuestSource } from '../engine/codes/guest-source.ts';
import type { Join } from '../engine/joined-feature.ts';
import type { HeldOutside } from '../panel/account-ending.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import type { Storage } from '../storage/storage.ts';
import { Additions, joined } from '../support/additions.ts';
import { FinalError } from '../support/errors.ts';
import type { Metric } from '../support/server/prometheus.ts';
import type { ComposeParts } from './compose-parts.ts';

/** What a feature may use of its account. */
export interface FeatureAccount extends ComposeParts {
  readonly partner: PartnerConfig;
  /** Throws final (`bad-configuration`) while there are none. */
  readonly subscriptionKeys: () => readonly string[];
  readonly storage: Pick<Storage, 'secrets' | 'settings' | 'knownLocks' | 'openFeature'>;
  /** The service's time. */
  readonly now: () => Instant;
  /** Throws `not-owner` unless this process owns the account. */
  readonly assertOwned: () => void;
  /** For pages and other processes. */
  readonly emit: (event: PanelEvent) => void;
}

/** The account while this process owns it and stays. */
export interface ServedAccount {
  readonly runtime: AccountRuntime;
  /** Stays of all calendars, for who shows flats. */
  readonly booked: BookedStays;
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
  /** Its module in the account's runtime. */
  readonly join?: Join;
  /** Codes that it gives guests. */
  readonly source?: GuestSource;
  /** Reads what another process stored while it owned the account. Throws storage errors. */
  reload?(): void;
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

/** What the opened features bring to one place of the account. */
export function broughtBy<Part extends 'join' | 'source'>(
  opened: ReadonlyMap<string, OpenFeature>,
  part: Part,
): readonly NonNullable<OpenFeature[Part]>[] {
  return [...opened.values()].flatMap((feature) => {
    const brought = feature[part];
    return brought === undefined ? [] : [brought];
  });
}

/** Those of all sources, for who shows flats. */
export function bookedIn(opened: ReadonlyMap<string, OpenFeature>): BookedStays {
  const all = broughtBy(opened, 'source').map(({ booked }) => booked);
  return {
    calendars: () => all.flatMap((booked) => booked.calendars()),
    list: () => all.flatMap((booked) => booked.list()),
    subscribe: (listener) => {
      const ends = all.map((booked) => booked.subscribe(listener));
      return () => {
        for (const end of ends) {
          end();
        }
      };
    },
  };
}

/** Throws final where no feature knows the stay. */
export function guestIn(opened: ReadonlyMap<string, OpenFeature>, stay: string): BookedGuest {
  const [source] = broughtBy(opened, 'source');
  if (source === undefined) {
    throw new FinalError('not-found', message('There is no such stay. Look at the list again.'));
  }
  return source.guestOf(stay);
}
