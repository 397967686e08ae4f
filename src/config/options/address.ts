// Checks addresses that the plugin may call: https only, no private hosts, no credentials, query or fragment.
import { type Message, message } from '../../domain/language/message.ts';
import { type AddressPermissions, isPrivateHost } from '../../support/server/private-hosts.ts';

/** The only hosts for which http may be allowed: requests to them do not leave the machine. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The fault of an address that the plugin calls, and the remedy; null for a valid one. Never repeats the address. */
export function faultOfAddress(address: string, allowed: AddressPermissions): Message | null {
  const url = URL.parse(address);
  if (url === null) {
    return message('is not an address; enter the full address, for example {example}', {
      example: 'https://host.example/path',
    });
  }
  const loopback = LOOPBACK_HOSTS.has(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback && allowed.insecureLoopback)) {
    return loopback && url.protocol === 'http:'
      ? message('must start with {scheme}; for the simulator, turn on "{label}" ({option})', {
          scheme: 'https://',
          label: message('Allow http on this computer'),
          option: 'partner.allowInsecureLoopback',
        })
      : message('must start with {scheme}', { scheme: 'https://' });
  }
  const extra = faultOfExtras(address, url);
  if (extra !== null) {
    return extra;
  }
  if (isPrivateHost(url.hostname) && !allowed.privateHosts && !(loopback && allowed.insecureLoopback)) {
    return message('is in a private network; use the public address, or turn on "{label}" ({option})', {
      label: message('Allow private networks'),
      option: 'partner.allowPrivateHosts',
    });
  }
  return null;
}

/**
 * The same for the redirect URI, which only a browser opens: private hosts are usual there, and http is safe on this
 * machine (RFC 8252, section 8.3). It is compared as written, so a star or an escape in it stands for itself.
 */
export function faultOfRedirectUri(address: string): Message | null {
  const url = URL.parse(address);
  if (url === null) {
    return message('is not an address; copy the full address from the client registration');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname))) {
    return message('must start with {https}, or with {http} for this computer ({hosts} or {last})', {
      https: 'https://',
      http: 'http://',
      hosts: '127.0.0.1, [::1]',
      last: 'localhost',
    });
  }
  if (url.username !== '' || url.password !== '' || address.includes('#')) {
    return message('must not contain a user name, a password or a # part; register an address without them');
  }
  const isWildcard = url.hostname.includes('*') || url.pathname.split('/').some((part) => /^\*+$/.test(part));
  return isWildcard ? message('contains a wildcard; register and enter one exact address without *') : null;
}

/** The address without trailing slashes, so that paths can be appended. */
export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function faultOfExtras(address: string, url: URL): Message | null {
  if (url.username !== '' || url.password !== '') {
    return message('must not contain a user name or password; remove the part before the @');
  }
  // A bare `?` or `#` leaves `url.search` and `url.hash` empty and still breaks appended paths.
  return address.includes('#') || address.includes('?')
    ? message('must not contain a ? or # part; end it at the path')
    : null;
}

/** The same for an address of our own pages behind a proxy: a scheme and a host, and nothing else. */
export function faultOfOrigin(address: string): Message | null {
  const url = URL.parse(address);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url !== null && isWeb && address.replace(/\/$/u, '').toLowerCase() === url.origin
    ? null
    : message('is not an address without a path; enter one such as {example}', {
        example: 'https://locks.example',
      });
}
