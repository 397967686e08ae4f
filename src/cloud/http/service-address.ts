// An address of the service that requests may go to: https, or plain http on loopback when that was allowed by hand.
import { message } from '../../domain/language/message.ts';
import { FinalError } from '../../support/errors.ts';

/** Hosts that cannot leave this machine. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export interface ServiceAddress {
  readonly origin: string;
  /** The path that every request begins with, without a slash at its end. */
  readonly basePath: string;
}

/** The last check before a token is sent. Throws final without the address, which may hold a secret. */
export function serviceAddress(url: string, allowInsecureLoopback: boolean): ServiceAddress {
  const parsed = URL.parse(url);
  if (parsed === null) {
    throw new FinalError('bad-configuration', message('An address of the service is not a URL.'));
  }
  const insecureLoopback =
    allowInsecureLoopback && parsed.protocol === 'http:' && LOOPBACK_HOSTS.has(parsed.hostname);
  if (parsed.protocol !== 'https:' && !insecureLoopback) {
    throw new FinalError(
      'bad-configuration',
      message('An address of the service does not begin with https://.'),
    );
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new FinalError(
      'bad-configuration',
      message(
        'An address of the service holds more than a host and a path: no user, query or fragment may be in it.',
      ),
    );
  }
  return { origin: parsed.origin, basePath: parsed.pathname.replace(/\/+$/, '') };
}
