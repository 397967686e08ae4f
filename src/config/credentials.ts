// What proves us to the service, put together from config.json and from the vault; config.json wins.
import type { WrittenCredentials } from './config.ts';

/** Everything a call needs. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** One or two; the second is tried when the first is refused. */
  readonly subscriptionKeys: readonly [string, ...string[]];
}

export type CredentialsReading =
  | { readonly ok: true; readonly credentials: Credentials }
  /** The options that neither config.json nor the vault holds, such as "partner.clientId". */
  | { readonly ok: false; readonly missing: readonly string[] };

/**
 * Completes what config.json says by what the vault holds, credential by credential. The keys are one credential:
 * a key of config.json is never mixed with one of the vault, which may belong to another agreement.
 */
export function completeCredentials(
  written: WrittenCredentials,
  stored: WrittenCredentials,
): CredentialsReading {
  const clientId = written.clientId ?? stored.clientId;
  const clientSecret = written.clientSecret ?? stored.clientSecret;
  const [first, ...others] =
    written.subscriptionKeys.length > 0 ? written.subscriptionKeys : stored.subscriptionKeys;
  if (clientId === null || clientSecret === null || first === undefined) {
    const missing = {
      'partner.clientId': clientId === null,
      'partner.clientSecret': clientSecret === null,
      'partner.subscriptionKeys': first === undefined,
    };
    return {
      ok: false,
      missing: Object.entries(missing).flatMap(([path, isMissing]) => (isMissing ? [path] : [])),
    };
  }
  return { ok: true, credentials: { clientId, clientSecret, subscriptionKeys: [first, ...others] } };
}
