// Linking as this process offers it: the session, the ways back to it, and the question whether it is the same account.
import type { LinkDesk, LinkFinishView, LinkStartView, LinkView } from '../panel/link-view.ts';
import type { AccountWatch } from '../setup/account-watch.ts';
import { type LinkCallback, linkCallback } from '../setup/link-callback.ts';
import type { LinkSession } from '../setup/link-session.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, type LatchkeyError, messageOf, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { House } from '../sync/house.ts';
import { LocalCallback } from './local-callback.ts';
import type { OwnedLink } from './owned-link.ts';

export interface LinkingParts {
  readonly redirectUri: string;
  readonly session: LinkSession;
  readonly watch: AccountWatch;
  readonly house: Pick<House, 'refresh' | 'forget' | 'linkState'>;
  readonly link: Pick<OwnedLink, 'assertOwned'>;
  /** Ends the link from our side. */
  readonly unlink: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

export class Linking implements LinkDesk {
  /** For whoever serves the registered redirect URI. */
  readonly callback: LinkCallback;
  readonly #parts: LinkingParts;
  readonly #local: LocalCallback;
  /** How many serve the registered redirect URI at the moment. */
  #serving = 0;

  constructor(parts: LinkingParts) {
    const { redirectUri, clock, log } = parts;
    this.#parts = parts;
    this.callback = linkCallback(redirectUri, async (redirectedUrl) => this.#exchange(redirectedUrl));
    this.#local = new LocalCallback({ callback: this.callback, clock, log });
  }

  /** From now on somebody serves the redirect URI with `callback`, until the returned function is called. */
  served(): () => void {
    this.#serving += 1;
    let ended = false;
    return () => {
      this.#serving -= ended ? 0 : 1;
      ended = true;
    };
  }

  show(): LinkView {
    const { session, watch, house } = this.#parts;
    const expiresInMs = session.waitsForMs;
    return {
      state: house.linkState(),
      waiting: expiresInMs === null ? null : { expiresInMs },
      ended: session.ended,
      accountChange: watch.change,
    };
  }

  async start(): Promise<LinkStartView> {
    const { session, link } = this.#parts;
    link.assertOwned();
    const started = session.start();
    const answered = this.#serving > 0 || (await this.#local.open());
    return { ...started, wayBack: answered ? 'by-itself' : 'paste' };
  }

  /** Takes up the linking that waits, begun by whoever owned the account before. */
  resume(): void {
    this.#parts.session.resume();
  }

  /** Opens its way back, once everybody who may serve it has had the time to. */
  async reopen(): Promise<void> {
    if (this.#parts.session.waitsForMs !== null && this.#serving === 0) {
      await this.#local.open();
    }
  }

  async finish(redirectedUrl: string): Promise<LinkFinishView> {
    await this.#exchange(redirectedUrl);
    const failure = await this.#list();
    const { watch, house } = this.#parts;
    return {
      link: house.linkState(),
      accountChange: watch.change,
      unanswered: failure?.message ?? null,
    };
  }

  async confirm(keep: boolean): Promise<LinkView> {
    const { watch, link } = this.#parts;
    link.assertOwned();
    if (watch.change === null) {
      throw new FinalError('bad-request', 'No other account waits to be confirmed.');
    }
    if (keep) {
      await this.#keep();
    } else {
      this.unlink();
    }
    return this.show();
  }

  unlink(): void {
    const { session, watch, unlink, link } = this.#parts;
    link.assertOwned();
    session.giveUp();
    unlink();
    watch.unlinked();
  }

  /** The session has begun or ended to wait: once it has ended, its page is still there for a moment. */
  changed(): void {
    const { session, log } = this.#parts;
    if (session.waitsForMs === null) {
      this.#local.ended();
    }
    if (session.ended?.outcome === 'linked') {
      log.info(session.ended.message);
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
    } catch (error) {
      log.debug(`A way back from linking led nowhere: ${messageOf(error)}`);
      throw error;
    }
  }

  /** A listing that was asked for before the link was made says nothing of it: then another one follows. */
  async #list(): Promise<LatchkeyError | null> {
    const { house, watch } = this.#parts;
    const failure = await house.refresh();
    return watch.isUnjudged ? house.refresh() : failure;
  }

  async #keep(): Promise<void> {
    const { watch, house, link } = this.#parts;
    // No more than what the person has seen, and no less than what the account says now.
    const asked = watch.missing;
    const failure = await house.refresh();
    if (failure !== null) {
      throw failure;
    }
    link.assertOwned();
    const stay = watch.absent(asked).filter((id) => !house.forget(id));
    if (stay.length > 0) {
      throw new RetryError('aborted', 'A lock of the former account was heard of just now. Try again.');
    }
    watch.keep();
    // Its own locks come in now.
    await house.refresh();
  }
}
