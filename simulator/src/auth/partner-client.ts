// The partner applications known to the service: their credentials, and two default ones.
import { z } from 'zod';
import type { SecretMint } from './secret-mint.ts';

const word = z.string().min(1);

/** An address that may be registered: absolute, and without a fragment (RFC 6749, 3.1.2). */
const redirectUriSchema = z
  .url('An absolute address such as "http://127.0.0.1:8765/callback"')
  .refine((address) => !address.includes('#'), 'A redirect address has no fragment');

/** A client as a scenario or caller gives it; missing members are derived from the seed. */
export const clientSchema = z.strictObject({
  name: word.exactOptional(),
  clientId: word.exactOptional(),
  clientSecret: word.exactOptional(),
  /** Compared character by character with the `redirect_uri` of a request. */
  redirectUris: z.array(redirectUriSchema).min(1).exactOptional(),
  /** Two are issued; either works. */
  subscriptionKeys: z.tuple([word, word]).exactOptional(),
  /** A grant that is missing here answers `unauthorized_client`. */
  grants: z.array(z.enum(['authorization_code', 'refresh_token'])).exactOptional(),
});
export type PartnerClientRequest = Readonly<z.infer<typeof clientSchema>>;

/** One approved partner application (specification, Credentials a partner holds). */
export type PartnerClient = Required<PartnerClientRequest>;
export type Grant = PartnerClient['grants'][number];

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
    redirectUris: request.redirectUris ?? [...DEFAULT_REDIRECT_URIS],
    subscriptionKeys: request.subscriptionKeys ?? [
      mint.hex(`subscription-key-${ordinal}`),
      mint.hex(`subscription-key-${ordinal}`),
    ],
    grants: request.grants ?? ['authorization_code', 'refresh_token'],
  };
}
