// Ends an account: undoes what the plugin did outside of this computer, in the order in which each step still has its means.
import { message } from '../domain/language/message.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import type { GuestSource } from '../engine/codes/guest-source.ts';
import type { RegisteredAddresses } from '../engine/webhooks/subscription-keeper.ts';
import { joined } from '../support/additions.ts';
import { FinalError } from '../support/errors.ts';
import { nameOf } from '../words/locks.ts';
import { t } from '../words/translate.ts';
import type { CodeLeft, EndingApi, EndingReport, EndingView } from './views/ending.ts';

/** What a feature has outside of this computer. */
export interface HeldOutside {
  /** As a person sees it who ends the account. */
  ending?(): Partial<EndingView>;
  /** Takes it back, and says what is left. */
  end?(): Promise<Partial<EndingReport>>;
}

export class AccountEnding implements EndingApi {
  readonly #parts;

  constructor(parts: {
    readonly account: string;
    readonly runtime: Pick<AccountRuntime, 'guests' | 'linkState' | 'locks'>;
    readonly sources: readonly Pick<GuestSource, 'calendars' | 'skipAll' | 'removeCalendars'>[];
    readonly registered: Pick<RegisteredAddresses, 'read'>;
    readonly features: readonly HeldOutside[];
    readonly unlink: () => Promise<void>;
    /** Throws `not-owner` unless this process owns the account. */
    readonly assertOwned: () => void;
    /** Nothing of the account is used any more: its files can go. */
    readonly onEnded: () => void;
  }) {
    this.#parts = parts;
  }

  show(): EndingView {
    const { account, runtime, sources, registered, features, assertOwned } = this.#parts;
    assertOwned();
    const view: EndingView = {
      account,
      codes: this.#codes(),
      calendars: sources.flatMap((source) => source.calendars()),
      webhooks: registered.read().length > 0,
      broker: null,
      isConnected: runtime.linkState() === 'linked',
    };
    return joined(
      view,
      features.map((feature) => feature.ending?.() ?? {}),
    );
  }

  begin(): EndingView {
    const { runtime, sources, assertOwned } = this.#parts;
    assertOwned();
    // Stays first: a calendar that is read meanwhile would give a removed guest a code again.
    for (const source of sources) {
      source.skipAll();
    }
    for (const { id, isLeaving } of runtime.guests.list()) {
      if (!isLeaving) {
        runtime.guests.remove(id);
      }
    }
    for (const source of sources) {
      source.removeCalendars();
    }
    return this.show();
  }

  async finish(leaveCodes: boolean): Promise<EndingReport> {
    const { registered, features, unlink, assertOwned, onEnded } = this.#parts;
    assertOwned();
    const codes = this.#codes();
    const [first] = codes;
    if (first !== undefined && !leaveCodes) {
      throw new FinalError(
        'refused',
        message(
          'The code of {name} may still open {lock}. Take it off first, or end the account without that.',
          {
            name: first.name,
            lock: first.locks[0] ?? '',
          },
        ),
      );
    }
    const left = await Promise.all(features.map(async (feature) => feature.end?.() ?? {}));
    // The service takes the registrations back from a connected account alone.
    await unlink();
    onEnded();
    const report: EndingReport = { codes, webhooks: registered.read().length > 0, broker: null };
    return joined(report, left);
  }

  #codes(): readonly CodeLeft[] {
    const { guests } = this.#parts.runtime;
    // It is not known which locks have the code of a guest who cannot be read, so all of them are named.
    const unread = Array.from({ length: guests.unreadCount }, () => ({
      name: t('a guest who cannot be read'),
      locks: this.#parts.runtime.locks().map(nameOf),
    }));
    const known = guests
      .list()
      .map(({ name, onLocks }) => ({ name, locks: onLocks.map(({ lockName }) => lockName) }));
    return [...known, ...unread].filter(({ locks }) => locks.length > 0);
  }
}
