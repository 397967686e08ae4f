// The account's link as this process may use it: "elsewhere" while another process owns the account.
import type { HouseLink } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import type { AccountLink } from '../domain/ports.ts';
import { Broadcast } from '../support/broadcast.ts';
import { FinalError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

export class OwnedLink implements AccountLink {
  readonly #link: AccountLink;
  readonly #isHeld: () => boolean;
  readonly #changes: Broadcast<HouseLink>;
  readonly #unsubscribe: () => void;
  #owned = false;

  /** `isHeld`: whether this process may act right now, asked before every call of the service. */
  constructor(link: AccountLink, isHeld: () => boolean, log: Log) {
    this.#link = link;
    this.#isHeld = isHeld;
    this.#changes = new Broadcast(log);
    this.#unsubscribe = link.subscribe((state) => {
      if (this.#owned) {
        this.#changes.tell(state);
      }
    });
  }

  state(): HouseLink {
    return this.#owned ? this.#link.state() : 'elsewhere';
  }

  subscribe(listener: (state: HouseLink) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  signedOut(at: Instant): void {
    this.#link.signedOut(at);
  }

  /** The account became ours, or no longer is. */
  own(owned: boolean): void {
    if (owned !== this.#owned) {
      this.#owned = owned;
      this.#changes.tell(this.state());
    }
  }

  /** Throws unless this process owns the account at this very moment. */
  assertOwned(): void {
    if (!this.#owned) {
      throw new FinalError('not-owner', 'Another process owns the account at the moment.');
    }
    if (!this.#isHeld()) {
      throw new FinalError('not-owner', 'The ownership of the account could not be renewed for too long.');
    }
  }

  close(): void {
    this.#unsubscribe();
  }
}
