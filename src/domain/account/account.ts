// Whether the account is linked, and if not, the reason.

/**
 * `unlinked`: never linked, or unlinked here. `revoked`: the user ended it, or the service no longer takes the token.
 * `expired`: the refresh token is past its life. `signed-out`: the user signed out everywhere. `used-elsewhere`: the service
 * refused to renew a connection that it had not ended, as after another computer renewed it. `moved`: a backup took it along.
 */
export const LINK_STATES = [
  'unlinked',
  'linked',
  'revoked',
  'expired',
  'signed-out',
  'used-elsewhere',
  'moved',
] as const;

export type LinkState = (typeof LINK_STATES)[number];

/** The link as the account runtime sees it. `other-process`: another process owns the account and reports for it. */
export type RuntimeLinkState = LinkState | 'other-process';
