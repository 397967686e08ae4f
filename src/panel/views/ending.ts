// The end of an account as people see it: what the plugin left outside of this computer, and what of it could not be undone.

export interface CodeLeft {
  /** The guest, or the stay. */
  readonly name: string;
  /** The names of the locks on which the code may still open. */
  readonly locks: readonly string[];
}

export interface EndingView {
  readonly account: string;
  /** Codes of guests and stays that are not known to be off every lock. */
  readonly codes: readonly CodeLeft[];
  /** The names of booking calendars; `config` ones are removed from config.json by hand. */
  readonly calendars: readonly { readonly name: string; readonly from: 'config' | 'page' }[];
  /** Whether the service may still send events to an address of this account. */
  readonly webhooks: boolean;
  /** The broker that has devices and topics of this account; null: none. */
  readonly broker: string | null;
  readonly isConnected: boolean;
}

/** What is left when the account has ended; everything empty and false: nothing. */
export interface EndingReport {
  readonly codes: readonly CodeLeft[];
  readonly webhooks: boolean;
  readonly broker: string | null;
}

/** Operations that end the account. Each rejects with `not-owner` in a process that does not own it. */
export interface EndingApi {
  show(): EndingView;
  /** Takes the codes of guests and stays off the locks, and the calendars away. What is removed is seen in `show`. */
  begin(): EndingView;
  /**
   * Removes devices at the broker, webhook registrations, the sign-in and at last the files. Rejects with `refused` while
   * codes are left, unless they are to stay.
   */
  finish(leaveCodes: boolean): Promise<EndingReport>;
}
