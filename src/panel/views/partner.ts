// Our credentials for the service as a page may see them: presence and origin, never a secret.

/** `config`: written in config.json, which wins. `page`: kept in the vault. Null: missing. */
export type KeptFrom = 'config' | 'page' | null;

/** Each feature adds the addresses that it brings. */
export interface PartnerView {
  /** The addresses that are called. Only config.json names them, never a page. */
  readonly authUrl: string;
  readonly baseUrl: string;
  /** Letter by letter as it must be registered with the service. */
  readonly redirectUri: string;
  /** The service is a simulator on this machine. */
  readonly simulated: boolean;
  /** No secret: it stands in the address of every consent page. */
  readonly clientId: { readonly from: KeptFrom; readonly value: string | null };
  readonly clientSecret: { readonly from: KeptFrom };
  readonly subscriptionKeys: { readonly from: KeptFrom; readonly count: number };
  /** The options still needed before an account can be linked, by path, such as `partner.clientId`. */
  readonly missing: readonly string[];
}

/** Operations on the partner. Rejects with the errors of `support/errors.ts`. */
export interface PartnerApi {
  show(): PartnerView;
  /**
   * Stores credentials that config.json does not fix, and uses them from now on. Members are `clientId`, `clientSecret`
   * and `subscriptionKeys`: null erases one, an omitted member stays. Throws `bad-request`, which names each invalid
   * member; then nothing is changed. Throws `not-owner` where another process owns the account.
   */
  save(change: Readonly<Record<string, unknown>>): PartnerView;
}
