// The operations on the account's link, and what they show.
import type { RuntimeLinkState } from '../domain/account/account.ts';
import type { Message } from '../domain/language/message.ts';
import type { AccountChange } from './account-watch.ts';
import type { LinkEnd, LinkStart } from './link-session.ts';

export interface LinkView {
  readonly state: RuntimeLinkState;
  /** A link attempt is open: how long its callback stays valid, in milliseconds. */
  readonly waiting: { readonly expiresInMs: number } | null;
  /** How the newest linking of this process ended; null before it has, and while a newer one waits. */
  readonly ended: LinkEnd | null;
  /** Null: nothing waits to be confirmed. */
  readonly accountChange: AccountChange | null;
  /** A link with a former service is kept: it is in use again when config.json names that one's addresses. */
  readonly setAside: boolean;
  /** The link has ended, and its sign-in is kept: it can be tried once more. */
  readonly isRevivable: boolean;
}

/**
 * How the browser comes back. `by-itself`: something here answers the redirect URI; one that leads to this machine
 * answers only a browser of this machine, so pasting must be offered as well. `paste`: nothing does.
 */
export type CallbackMode = 'by-itself' | 'paste';

export interface LinkStartView extends LinkStart {
  readonly callbackMode: CallbackMode;
}

export interface LinkFinishView {
  readonly link: RuntimeLinkState;
  readonly accountChange: AccountChange | null;
  /** Why the account, linked now, could not list its locks, for a person; null when it did. */
  readonly unanswered: Message | null;
}

/** Operations on the link. Rejects with the errors of `support/errors.ts`; `not-owner` where another process owns the account. */
export interface LinkApi {
  show(): LinkView;
  /** Begins a linking; an older one is void. Rejects with `bad-configuration`, which names the credentials that are missing. */
  start(): Promise<LinkStartView>;
  /**
   * Ends it with the address that the browser was sent to, and resolves when the locks were listed once, or could not
   * be. Rejects with `bad-request` for an address that cannot be taken; its `reason` is the outcome. The same address
   * again gives the same answer.
   */
  finish(redirectedUrl: string): Promise<LinkFinishView>;
  /**
   * Answers an account change. True: confirms this account, and removes locks of the former one that it does not list.
   * False: unlinks it again, and removes nothing. Rejects with `bad-request` without an open question, with the error of
   * the listing, or with retry when the listing is incomplete: then the question stays open.
   */
  confirm(keep: boolean): Promise<LinkView>;
  /** Ends the link at once; resolves a few seconds later at the most, when its webhook registration is removed or left over. */
  unlink(): Promise<void>;
}
