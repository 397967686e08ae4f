// What the listener needs of the configuration: how events are signed and by which keys, TLS, and where linking comes back.
import { readFileSync } from 'node:fs';
import { writtenKeys } from '../cloud/signing-keys.ts';
import type { WebhooksConfig } from '../config/config.ts';
import type { SigningKeys } from '../domain/ports.ts';
import { FinalError } from '../support/errors.ts';
import type { SignatureMethod } from '../webhook/verify-signature.ts';

/** The keys that were written down, else those that the service hands out. Throws `bad-configuration` for what is none. */
export function keysOf({ keys }: WebhooksConfig, fetched: SigningKeys): SigningKeys {
  return keys.length === 0
    ? fetched
    : writtenKeys(
        keys.map((source) =>
          source.kind === 'inline' ? source.text : readText(source.path, 'webhooks.keys'),
        ),
      );
}

/** Null: nothing is signed. */
export function methodOf({ signature, jwsAlgorithm }: WebhooksConfig): SignatureMethod | null {
  switch (signature) {
    case 'none':
      return null;
    case 'jws-detached':
      return { scheme: signature, algorithm: jwsAlgorithm };
    case 'pss-sha256':
    case 'pkcs1-sha256':
      return { scheme: signature };
  }
}

/** Null: a proxy or tunnel speaks TLS for us. Throws `bad-configuration` for a file that cannot be read. */
export function tlsOf({ tls }: WebhooksConfig): { readonly cert: string; readonly key: string } | null {
  return tls === null
    ? null
    : {
        cert: readText(tls.certFile, 'webhooks.tls.certFile'),
        key: readText(tls.keyFile, 'webhooks.tls.keyFile'),
      };
}

function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new FinalError('bad-configuration', `${option} names a file that cannot be read: ${path}.`, {
      cause: error,
    });
  }
}

/** The registered redirect URI leads to the listener when it begins as its public address does. */
export function leadsHere({ publicUrl }: WebhooksConfig, redirectUri: string): boolean {
  return publicUrl !== null && new URL(publicUrl).origin === new URL(redirectUri).origin;
}
