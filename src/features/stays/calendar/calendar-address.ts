// Checks the address of a calendar, and where it redirects to: https only, and no private host.
import { isLoopbackHost } from '../../../support/server/loopback.ts';
import { type AddressPermissions, isPrivateHost } from '../../../support/server/private-hosts.ts';
import type { CalendarProblem } from './calendar-problems.ts';

const LONGEST_ADDRESS = 4_000;

/** What a host pastes; portals also write `webcal://`, which calendar programs take for https. */
export function readAddress(written: string, allowed: AddressPermissions): URL | CalendarProblem {
  const address = written.trim().replace(/^webcals?:\/\//i, 'https://');
  const url = address.length > LONGEST_ADDRESS ? null : URL.parse(address);
  if (url === null || url.hostname === '') {
    return 'address-invalid';
  }
  const fault = faultOf(url, allowed);
  return fault === null ? url : `address-${fault}`;
}

/** Where `from` redirects to. Only the simulator, asked without https, may redirect to this machine. */
export function readRedirect(
  location: string | undefined,
  from: URL,
  allowed: AddressPermissions,
): URL | CalendarProblem {
  const url =
    location === undefined || location.length > LONGEST_ADDRESS ? null : URL.parse(location, from.href);
  if (url === null || url.hostname === '') {
    return 'redirect-invalid';
  }
  const insecureLoopback = allowed.insecureLoopback && isLoopbackHost(from.hostname);
  const fault = faultOf(url, { ...allowed, insecureLoopback });
  return fault === null ? url : fault === 'with-password' ? 'redirect-invalid' : `redirect-${fault}`;
}

/** Whether a name that is allowed may stand for this address: it may point elsewhere each time it is looked up. */
export function isAllowedHost(host: string, allowed: AddressPermissions): boolean {
  return !isPrivateHost(host) || allowed.privateHosts || (allowed.insecureLoopback && isLoopbackHost(host));
}

function faultOf(url: URL, allowed: AddressPermissions): 'insecure' | 'with-password' | 'private' | null {
  const isLoopback = allowed.insecureLoopback && isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    return 'insecure';
  }
  if (url.username !== '' || url.password !== '') {
    return 'with-password';
  }
  return isAllowedHost(url.hostname, allowed) ? null : 'private';
}
