// Links the account in this process: the session, the OAuth callbacks, and the check that it is the same account.

import { message } from '../domain/language/message.ts';
import type { TokenPair } from '../domain/ports.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import type { Clock } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import { FinalError, type LatchkeyError, messageOf, RetryError, wordsOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';
import type { AccountWatch } from './account-watch.ts';
import type { LinkApi, LinkFinishView, LinkStartView, LinkView } from './link-api.ts';
import { type LinkCallback, linkCallback } from './link-callback.ts';
import type { LinkSession } from './link-session.ts';
import { LocalCallback } from './local-callback.ts';
import type { OwnedLink } from './owned-link.ts';

export class Linking implements LinkApi {
  /** The receiver of the browser at the registered redirect URI. */
  readonly callback: LinkCallback;
  readonly #parts;
  readonly #local: LocalCallback;
  readonly #replacements: Emitter<null>;
  /** How many serve the registered redirect URI at the moment. */
  #serving = 0;
  /** Removes the subscriptions of a replaced link. Never rejects. */
  #leaving: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly redirectUri: string;
    readonly session: LinkSession;
    readonly watch: AccountWatch;
    readonly runtime: Pick<AccountRuntime, 'refresh' | 'forget' | 'linkState' | 'forgetGuests' | 'goOn'>;
    readonly link: Pick<OwnedLink, 'assertOwned'>;
    readonly tokens: {
      /** The access token of the link; null without one. */
      readonly heldToken: string | null;
      /** The link has ended, and its sign-in is kept. */
      readonly isRevivable: boolean;
      adopt(tokens: TokenPair): void;
      unlink(): void;
    };
    /** Removes the subscriptions of the link of this access token. Never rejects. */
    readonly removeSubscriptions: (accessToken: string, how: { readonly replaced: boolean }) => Promise<void>;
    /** Whether a link is kept that another service made. */
    readonly isSetAside: () => boolean;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    const { redirectUri, clock, log } = parts;
    this.#parts = parts;
    this.#replacements = new Emitter(log);
    this.callback = linkCallback(redirectUri, async (redirectedUrl) => this.#exchange(redirectedUrl));
    this.#local = new LocalCallback({ callback: this.callback, clock, log });
  }

  /** Marks the redirect URI as served with `callback`, until the returned function is called. */
  served(): () => void {
    this.#serving += 1;
    let ended = false;
    return () => {
      this.#serving -= ended ? 0 : 1;
      ended = true;
    };
  }

  /** Calls `listener` whenever a link was made in the place of another one, until the returned function is called. */
  onReplaced(listener: () => void): () => void {
    return this.#replacements.subscribe(listener);
  }

  /** Takes the tokens of a new link. Throws `not-owner` when the account has gone to a process that has a link of its own. */
  adopt(tokens: TokenPair): void {
    const { link, watch, tokens: held } = this.#parts;
    link.assertOwned();
    watch.linking();
    const former = held.heldToken;
    // First of all, because the new tokens exist nowhere else.
    held.adopt(tokens);
    this.#parts.runtime.goOn();
    if (former !== null) {
      this.#leaving = this.#replace(former);
    }
  }

  show(): LinkView {
    const { session, watch, runtime } = this.#parts;
    const expiresInMs = session.waitsForMs;
    return {
      state: runtime.linkState(),
      waiting: expiresInMs === null ? null : { expiresInMs },
      ended: session.ended,
      accountChange: watch.change,
      setAside: this.#parts.isSetAside(),
      isRevivable: this.#parts.tokens.isRevivable,
    };
  }

  async start(): Promise<LinkStartView> {
    const { session, link } = this.#parts;
    link.assertOwned();
    const started = session.start();
    const answered = this.#serving > 0 || (await this.#local.open());
    return { ...started, callbackMode: answered ? 'by-itself' : 'paste' };
  }

  /** Resumes a pending link attempt that the former owner began. */
  resume(): void {
    this.#parts.session.resume();
  }

  /** Opens the OAuth callback after the other servers that may serve it had time to open. */
  async reopen(): Promise<void> {
    if (this.#parts.session.waitsForMs !== null && this.#serving === 0) {
      await this.#local.open();
    }
  }

  async finish(redirectedUrl: string): Promise<LinkFinishView> {
    await this.#exchange(redirectedUrl);
    const failure = await this.#list();
    const { watch, runtime } = this.#parts;
    return {
      link: runtime.linkState(),
      accountChange: watch.change,
      unanswered: failure === null ? null : wordsOf(failure),
    };
  }

  async confirm(keep: boolean): Promise<LinkView> {
    const { watch, link } = this.#parts;
    link.assertOwned();
    if (watch.change === null) {
      throw new FinalError('bad-request', message('No other account waits to be confirmed.'));
    }
    if (keep) {
      await this.#confirmAccount();
    } else {
      await this.unlink();
    }
    return this.show();
  }

  async unlink(): Promise<void> {
    const { session, watch, tokens, link, removeSubscriptions } = this.#parts;
    link.assertOwned();
    session.giveUp();
    const former = tokens.heldToken;
    tokens.unlink();
    watch.unlinked();
    if (former !== null) {
      await removeSubscriptions(former, { replaced: false });
    }
  }

  /** The session began or ended waiting: after the end, its page stays available for a moment. */
  changed(): void {
    const { session, log } = this.#parts;
    if (session.waitsForMs === null) {
      this.#local.ended();
    }
    if (session.ended?.outcome === 'linked') {
      log.info(t(session.ended.message));
    }
  }

  async close(): Promise<void> {
    await this.#local.close();
  }

  async #exchange(redirectedUrl: string): Promise<void> {
    const { link, session, log } = this.#parts;
    link.assertOwned();
    try {
      await session.finish(redirectedUrl);
      await this.#leaving;
    } catch (error) {
      log.debug(`The OAuth callback of a link attempt failed: ${messageOf(error)}`);
      throw error;
    }
  }

  async #replace(former: string): Promise<void> {
    await this.#parts.removeSubscriptions(former, { replaced: true });
    this.#replacements.emit(null);
  }

  /** A listing requested before the link was made is no evidence about it, so another one follows. */
  async #list(): Promise<LatchkeyError | null> {
    const { runtime, watch } = this.#parts;
    const failure = await runtime.refresh();
    return watch.isUnjudged ? runtime.refresh() : failure;
  }

  async #confirmAccount(): Promise<void> {
    const { watch, runtime, link } = this.#parts;
    // Only locks that the person has seen, and that the account still does not list, are removed.
    const asked = watch.missing;
    const failure = await runtime.refresh();
    if (failure !== null) {
      throw failure;
    }
    link.assertOwned();
    const stay = watch.absent(asked).filter((id) => !runtime.forget(id));
    if (stay.length > 0) {
      throw new RetryError('aborted', 'A lock of the former account was reported just now. Try again.');
    }
    runtime.forgetGuests();
    watch.confirm();
    // Lists the confirmed account's own locks.
    await runtime.refresh();
  }
}
