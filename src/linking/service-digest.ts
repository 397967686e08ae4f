// Marks secrets with their service, so that they are never sent to another one that config.json names later.
import { createHash } from 'node:crypto';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';

/**
 * Equal for equal addresses of authorization and of the device interface, in hexadecimal. Addresses that come and go
 * beside them, as that for credentials does, are of the same service.
 */
export function serviceDigest({
  authUrl,
  baseUrl,
}: {
  readonly authUrl: string;
  readonly baseUrl: string;
}): string {
  return createHash('sha256')
    .update(JSON.stringify([authUrl, baseUrl]))
    .digest('hex');
}

/** Warns once of unused secrets. They are not erased, because an address may be mistyped or restored. */
export function warnOfFormerService(
  kept: { readonly credentials: boolean; readonly link: boolean },
  log: Log,
): void {
  if (kept.credentials || kept.link) {
    const things = kept.credentials ? (kept.link ? 'both' : 'credentials') : 'link';
    log.warn(
      t(
        'config.json names another lock service than before. What is kept for the former one ({things, select, credentials {the credentials} link {the link} other {the credentials and the link}}) is not sent to this one: enter it again and connect the account. With the former addresses it is in use again.',
        { things },
      ),
    );
  }
}
