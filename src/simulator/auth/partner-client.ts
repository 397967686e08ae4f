// The partner applications known to the service: their credentials, and two default ones.
import type { SecretMint } from './secret-mint.ts';

/** One approved partner application (specification, Credentials a partner holds). */
export interface PartnerClient {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The redirect URIs are compared character by character with the `redirect_uri` of a request. */
  readonly redirectUris: readonly string[];
  /** Two are issued; either works. */
  readonly subscriptionKeys: readonly [string, string];
  /** Grants the client may use; a grant that is missing here answers `unauthorized_client`. */
  readonly grants: readonly Grant[];
}

export type Grant = 'authorization_code' | 'refresh_token';

/** A client as a scenario or caller gives it; missing members are derived from the seed. */
export type PartnerClientRequest = Partial<PartnerClient>;

/** The redirect URI of a client without one: where this project's own linking listener and its pages wait. */
const DEFAULT_REDIRECT_URIS = ['http://127.0.0.1:8765/callback', 'http://localhost:8765/callback'] as const;

/** Two clients, so that a test can show that one never sees the other's links. */
export const DEFAULT_CLIENT_REQUESTS: readonly PartnerClientRequest[] = [
  { name: 'Homebridge Latchkey' },
  { name: 'Other partner' },
];

/** Adds names and secrets where the scenario gives none. */
export function issuePartnerClient(
  request: PartnerClientRequest,
  index: number,
  mint: SecretMint,
): PartnerClient {
  const ordinal = String(index + 1);
  return {
    name: request.name ?? `Partner ${ordinal}`,
    clientId: request.clientId ?? `client-${ordinal}`,
    clientSecret: request.clientSecret ?? mint.secret(`client-secret-${ordinal}`),
    redirectUris: request.redirectUris ?? DEFAULT_REDIRECT_URIS,
    subscriptionKeys: request.subscriptionKeys ?? [
      mint.hex(`subscription-key-${ordinal}`),
      mint.hex(`subscription-key-${ordinal}`),
    ],
    grants: request.grants ?? ['authorization_code', 'refresh_token'],
  };
}
