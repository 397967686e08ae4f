// Where the calls of the device interface get their access tokens from.

/** Where access tokens come from. */
export interface AccessTokens {
  /** A token to use now. Rejects with retry, wait, relink or final. */
  accessToken(): Promise<string>;
  /** The service refused this token: it is renewed, unless that was just tried. */
  invalidate(token: string): void;
  accepted(token: string): void;
}
