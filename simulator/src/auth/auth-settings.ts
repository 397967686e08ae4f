// The switches of the authorization server: lifetimes, and the ways in which real servers are known to differ.
import { z } from 'zod';

const lifetimeMs = z.int().min(0);

/** Any of the switches, as the control API takes them. */
export const authSettingsSchema = z.strictObject({
  /** The user in whose name consent is given without a page; null shows the page. */
  autoApproveUserId: z.string().min(1).nullable().exactOptional(),
  /**
   * How the server treats PKCE (RFC 7636), which the specification does not mention.
   * `ignore` drops the members, as a server that does not know them; `accept` verifies a challenge that was given;
   * `refuse` answers `invalid_request` to one; `require` answers `invalid_request` without one.
   */
  pkce: z.enum(['ignore', 'accept', 'refuse', 'require']).exactOptional(),
  /**
   * The form of tokens from now on, on which the specification is silent; issued ones stay valid in theirs.
   * `opaque`: a random text. `jwt`: a JSON Web Token (RFC 9068) with the user's id as `sub`.
   */
  accessTokenForm: z.enum(['opaque', 'jwt']).exactOptional(),
  /** How long a spent refresh token still yields a fresh pair. 0: it dies at once (wire contract 10.4). */
  refreshGraceMs: lifetimeMs.exactOptional(),
  codeLifetimeMs: lifetimeMs.exactOptional(),
  accessTokenLifetimeMs: lifetimeMs.exactOptional(),
  refreshTokenLifetimeMs: lifetimeMs.exactOptional(),
});

export type AuthSettings = Readonly<Required<z.infer<typeof authSettingsSchema>>>;
export type PkceMode = AuthSettings['pkce'];

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
