// The switches of the authorization server: lifetimes, and the ways in which real servers are known to differ.

/**
 * How the server treats PKCE (RFC 7636), which the specification does not mention.
 * `ignore` drops the members, as a server that does not know them; `accept` verifies a challenge that was given;
 * `refuse` answers `invalid_request` to one; `require` answers `invalid_request` without one.
 */
export type PkceMode = 'ignore' | 'accept' | 'refuse' | 'require';
export const PKCE_MODES = ['ignore', 'accept', 'refuse', 'require'] as const satisfies readonly PkceMode[];

/**
 * The form of an access token, on which the specification is silent. `opaque`: a random text. `jwt`: a JSON Web Token
 * (RFC 9068) with the user's id as `sub`.
 */
export type AccessTokenForm = 'opaque' | 'jwt';
export const ACCESS_TOKEN_FORMS = ['opaque', 'jwt'] as const satisfies readonly AccessTokenForm[];

export interface AuthSettings {
  /** The user in whose name consent is given without a page; null shows the page. */
  readonly autoApproveUserId: string | null;
  readonly pkce: PkceMode;
  /** Counts for tokens from now on; issued ones stay valid in their form. */
  readonly accessTokenForm: AccessTokenForm;
  /** How long a spent refresh token still yields a fresh pair. 0: it dies at once (wire contract 10.4). */
  readonly refreshGraceMs: number;
  readonly codeLifetimeMs: number;
  readonly accessTokenLifetimeMs: number;
  readonly refreshTokenLifetimeMs: number;
}

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

export const DEFAULT_AUTH_SETTINGS: AuthSettings = {
  autoApproveUserId: null,
  pkce: 'accept',
  accessTokenForm: 'opaque',
  refreshGraceMs: 0,
  // Wire contract 1: a code lives 300 s.
  codeLifetimeMs: 300 * SECOND_MS,
  // Specification, Flow 5: 3600 s and 3650 days.
  accessTokenLifetimeMs: 3600 * SECOND_MS,
  refreshTokenLifetimeMs: 3650 * DAY_MS,
};
