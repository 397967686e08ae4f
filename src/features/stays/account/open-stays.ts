// Stays of one account: opened with it, and joined to its runtime.

import type { FeatureAccount, OpenFeature } from '../../../app/features.ts';
import type { GuestSource } from '../../../engine/codes/guest-source.ts';
import type { Join } from '../../../engine/joined-feature.ts';
import { secureDigits } from '../../../support/secure-digits.ts';
import type { Cleaners } from '../keeping/cleaners.ts';
import { Stays } from '../keeping/stays.ts';
import type { StaysApi, StaysFeature } from '../panel/views.ts';
import { KeptStayStore } from '../tables/stay-store.ts';
import { AccountStays } from './account-stays.ts';
import { KeptCalendars } from './kept-calendars.ts';
import { KeptFeeds } from './kept-feeds.ts';
import { LazyCalendar } from './open-calendar.ts';
import { StaySource } from './stay-source.ts';

interface Joined {
  readonly stays: Stays;
  readonly api: StaysApi;
  readonly source: GuestSource;
}

export class OpenStays implements OpenFeature, StaysFeature {
  readonly #account: FeatureAccount;
  readonly #calendars: KeptCalendars;
  readonly #reader: LazyCalendar;
  #joined: Joined | null = null;

  /** Throws storage errors. */
  constructor(account: FeatureAccount) {
    const { config, storage, clock } = account;
    this.#account = account;
    this.#calendars = new KeptCalendars({ ...storage, config });
    this.#reader = new LazyCalendar({ clock, allowed: config.calendarPermissions });
  }

  readonly join: Join = (parts) => {
    const { storage, clock, now, assertOwned, emit } = this.#account;
    const calendars = this.#calendars;
    const stays = new Stays({
      ...parts,
      gateway: this.#reader,
      stayStore: storage.openFeature(() => new KeptStayStore(storage.secrets)),
      setup: calendars,
      randomDigits: secureDigits,
    });
    stays.subscribe(() => emit({ type: 'stays' }));
    const runtime = { stays, lock: parts.store.get.bind(parts.store) };
    const feeds = new KeptFeeds(storage.secrets, clock);
    const api = new AccountStays({ runtime, calendars, feeds, now, assertOwned });
    this.#joined = { stays, api, source: new StaySource(stays, calendars, api) };
    return stays;
  };

  get api(): StaysApi {
    return this.#opened.api;
  }

  get cleaners(): Cleaners {
    this.#account.assertOwned();
    return this.#opened.stays.cleaners;
  }

  get source(): GuestSource {
    return this.#opened.source;
  }

  reload(): void {
    this.#calendars.reload();
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  get #opened(): Joined {
    if (this.#joined === null) {
      throw new Error('Stays are asked before they have joined the runtime.');
    }
    return this.#joined;
  }
}
