// The account's link as a page shows it.
import type { HouseLink } from '../domain/account.ts';

/** The linked account seems to be another one than before: nothing is removed until a person confirms it. */
export interface AccountChange {
  /** Names of the locks that the former account had and this one does not list. */
  readonly missing: readonly string[];
  /** Names of the locks that only this account lists. */
  readonly added: readonly string[];
}

export interface LinkView {
  readonly state: HouseLink;
  /** A linking is under way: for how long its way back is still open, in milliseconds. */
  readonly waiting: { readonly expiresInMs: number } | null;
  readonly accountChange: AccountChange | null;
}
