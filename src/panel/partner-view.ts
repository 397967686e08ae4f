// What proves us to the service, as a page may know it: what is there and where it came from, never a secret itself.

/** `config`: written in config.json, which wins. `page`: kept in the vault. Null: missing. */
export type KeptFrom = 'config' | 'page' | null;

export interface PartnerView {
  /** The addresses that are called. Only config.json names them, never a page. */
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly credentialsUrl: string | null;
  /** Letter by letter as it must be registered with the service. */
  readonly redirectUri: string;
  /** The service is a simulator on this machine. */
  readonly simulated: boolean;
  /** No secret: it stands in the address of every consent page. */
  readonly clientId: { readonly from: KeptFrom; readonly value: string | null };
  readonly clientSecret: { readonly from: KeptFrom };
  readonly subscriptionKeys: { readonly from: KeptFrom; readonly count: number };
  /** What is still needed before an account can be linked, by the option's path, such as `partner.clientId`. */
  readonly missing: readonly string[];
}
