// The partner applications known to the service: what a partner gets after approval, and how two of them are made up.
import type { SecretMint } from './secret-mint.ts';

/** One approved partner application (specification, Credentials a partner holds). */
export interface PartnerClient {
  /** What the consent page calls the application. */
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Compared character by character with the `redirect_uri` of a request. */
  readonly redirectUris: readonly string[];
  /** Two are issued; either works. */
  readonly subscriptionKeys: readonly [string, string];
  /** Grants the client may use; a grant that is missing here answers `unauthorized_client`. */
  readonly grants: readonly Grant[];
}

export type Grant = 'authorization_code' | 'refresh_token';

/** What a scenario or a caller says of a client; everything left out is made up from the seed. */
export interface PartnerClientRequest {
  readonly name?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly redirectUris?: readonly string[] | undefined;
  readonly subscriptionKeys?: readonly [string, string] | undefined;
  readonly grants?: readonly Grant[] | undefined;
}

/** Registered for a client that names none: where this project's own linking listener and its pages wait. */
const DEFAULT_REDIRECT_URIS = ['http://127.0.0.1:8765/callback', 'http://localhost:8765/callback'] as const;

/** Two clients, so that a test can show that one never sees what the other linked. */
export const DEFAULT_CLIENT_REQUESTS: readonly PartnerClientRequest[] = [
  { name: 'Homebridge Latchkey' },
  { name: 'Other partner' },
];

/** Fills a wish up with names and secrets from the mint. */
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
