// The account's link state in this process: "other-process" while another one owns it, "unlinked" without credentials of a link.
import type { RuntimeLinkState } from '../domain/account/account.ts';
import { message } from '../domain/language/message.ts';
import type { AccountLink } from '../domain/ports.ts';
import type { Instant } from '../domain/time/instant.ts';
import { Emitter } from '../support/emitter.ts';
import { FinalError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

export class OwnedLink implements AccountLink {
  readonly #parts;
  readonly #changes: Emitter<RuntimeLinkState>;
  readonly #unsubscribe: () => void;
  #owned = false;
  /** The state that listeners know. */
  #reported: RuntimeLinkState = 'other-process';

  constructor(parts: {
    readonly link: Omit<AccountLink, 'signOfLife'>;
    /** Whether there is everything that a call needs. */
    readonly isCallable: () => boolean;
    readonly onSignOfLife: () => void;
    readonly log: Log;
  }) {
    this.#parts = parts;
    this.#changes = new Emitter(parts.log);
    this.#unsubscribe = parts.link.subscribe(() => this.report());
  }

  state(): RuntimeLinkState {
    if (!this.#owned) {
      return 'other-process';
    }
    return this.#parts.isCallable() ? this.#parts.link.state() : 'unlinked';
  }

  subscribe(listener: (state: RuntimeLinkState) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  signedOut(userId: string | null, at: Instant): boolean {
    return this.#parts.link.signedOut(userId, at);
  }

  signOfLife(): void {
    this.#parts.onSignOfLife();
  }

  /** The account became ours. */
  becomeOwner(): void {
    this.#owned = true;
    this.report();
  }

  /** Something that the state depends on may have changed. */
  report(): void {
    const state = this.state();
    if (state !== this.#reported) {
      this.#reported = state;
      this.#changes.emit(state);
    }
  }

  /** Throws `not-owner` unless this process owns the account. */
  assertOwned(): void {
    if (!this.#owned) {
      throw new FinalError('not-owner', message('Another process owns the account at the moment.'));
    }
  }

  close(): void {
    this.#unsubscribe();
  }
}
