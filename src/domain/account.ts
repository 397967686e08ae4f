// Whether the account is linked, and if not, the reason.

/**
 * `unlinked`: never linked, or unlinked here. `revoked`: the user ended it, or the service no longer takes the token.
 * `expired`: the refresh token is past its life. `signed-out`: the user signed out everywhere.
 */
export type LinkState = 'unlinked' | 'linked' | 'revoked' | 'expired' | 'signed-out';

/** The link as the account runtime sees it. `other-process`: another process owns the account and reports for it. */
export type RuntimeLinkState = LinkState | 'other-process';

/** Why nothing can be asked, for a person. */
export const RELINK_WORDS: Readonly<Record<Exclude<LinkState, 'linked'>, string>> = {
  unlinked: 'No lock account is linked.',
  revoked: 'The lock account no longer accepts the link. Link the account again.',
  expired: 'The link to the lock account has expired. Link the account again.',
  'signed-out': 'The account was signed out everywhere. Link the account again.',
};

/** The same, where an earlier process has spent the refresh token and never received its successor. */
export const INTERRUPTED_WORDS =
  'The lock account no longer accepts the connection: the plugin was stopped while it was being renewed. Connect the account again.';
