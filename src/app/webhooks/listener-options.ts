// Builds the listener's options: signature keys, TLS, and whether it serves the OAuth callback.
import { writtenKeys } from '../../cloud/signing-keys.ts';
import type { WebhooksConfig } from '../../config/config.ts';
import type { SigningKeys } from '../../domain/webhooks/ports.ts';
import type { LinkCallback } from '../../linking/link-callback.ts';
import type { Linking } from '../../linking/linking.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Clock } from '../../support/clock.ts';
import { readOptionFile } from '../../support/files/option-file.ts';
import type { Log } from '../../support/log.ts';
import { readCertificate } from '../../support/server/certificate.ts';
import type { ListenerParts } from '../../webhook/listener.ts';
import type { SignatureMethod } from '../../webhook/verify-signature.ts';
import type { CloudClients } from '../partner/cloud-clients.ts';

export interface ListenerContext {
  readonly webhooks: WebhooksConfig;
  readonly clients: Pick<CloudClients, 'signingKeys' | 'serviceTime'>;
  readonly storage: Pick<Storage, 'ledger'>;
  readonly linking: Pick<Linking, 'callback'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Throws `bad-configuration` for a malformed key, and for a file of keys that cannot be read. */
export function listenerParts(context: ListenerContext, path: string): ListenerParts {
  const { webhooks, storage, clients, linking, clock, log } = context;
  return {
    host: webhooks.host,
    port: webhooks.port,
    path,
    tls: tlsOf(webhooks),
    method: methodOf(webhooks),
    signatureHeader: webhooks.signatureHeader,
    keys: keysOf(webhooks, clients.signingKeys),
    ledger: storage.ledger,
    serviceClock: clients.serviceTime,
    clock,
    log,
    callback: callbackOf(webhooks, linking),
  };
}

/** The OAuth callback; null unless the registered redirect URI begins as the public address does. */
export function callbackOf(
  { publicUrl, relay }: WebhooksConfig,
  { callback }: Pick<Linking, 'callback'>,
): LinkCallback | null {
  const leadsHere =
    relay === null &&
    publicUrl !== null &&
    new URL(publicUrl).origin === new URL(callback.redirectUri).origin;
  return leadsHere ? callback : null;
}

/** Reads the keys of events without opening the listener. Throws `bad-configuration` for an invalid key or an unreadable file. */
export function assertKeys(webhooks: WebhooksConfig): void {
  keysOf(webhooks, null);
}

/** The configured keys, else those that the service hands out. Throws `bad-configuration` for an invalid key. */
function keysOf<T extends SigningKeys | null>({ keys }: WebhooksConfig, fetched: T): SigningKeys | T {
  return keys.length === 0
    ? fetched
    : writtenKeys(
        keys.map((source) =>
          source.kind === 'inline' ? source.text : readOptionFile(source.path, 'webhooks.keys'),
        ),
      );
}

/** Null: nothing is signed. */
function methodOf({ signature, jwsAlgorithm }: WebhooksConfig): SignatureMethod | null {
  if (signature === 'none') {
    return null;
  }
  return signature === 'jws-detached'
    ? { scheme: signature, algorithm: jwsAlgorithm }
    : { scheme: signature };
}

/** Null: a proxy or tunnel speaks TLS for us. */
function tlsOf({ tls }: WebhooksConfig): ListenerParts['tls'] {
  return tls === null ? null : () => readCertificate(tls, 'webhooks.tls');
}
