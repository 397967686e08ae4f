// The hosts at which the pages answer, and the addresses to open them.
import { isIPv6 } from 'node:net';
import { isLoopbackHost } from '../../support/server/loopback.ts';

/** The machine's own host name and addresses. */
export interface Machine {
  readonly hostname: string;
  /** Its addresses that others can reach, as the system writes them. */
  readonly addresses: readonly string[];
}

export interface PanelPlace {
  /** The address or name to listen on. */
  readonly bindHost: string;
  /** The pages are for this machine alone: a request that a proxy has marked is refused. */
  readonly isLoopback: boolean;
  /** The hosts under which a browser may ask for the pages, in lower case, as they stand in an address. */
  readonly hosts: ReadonlySet<string>;
  /** The hosts to open them by, the best first. */
  readonly openAt: readonly string[];
  readonly scheme: 'http:' | 'https:';
  /** Where a proxy in front serves them, such as `https://locks.example`; null: nowhere. */
  readonly origin: string | null;
}

/** What a configuration may add to a host: https by the pages themselves, and the address of a proxy in front. */
export interface PanelFront {
  readonly isEncrypted?: boolean;
  readonly origin?: string | null;
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]']);

/** `host`: of the configuration. */
export function dashboardPlace(
  host: string,
  machine: Machine,
  { isEncrypted = false, origin = null }: PanelFront = {},
): PanelPlace {
  const name = inAddress(host.toLowerCase());
  const isLoopback = isLoopbackHost(name);
  const everywhere = ALL_ADDRESSES.has(host);
  const own = everywhere ? [...machine.addresses.map(inAddress), ...hostnames(machine.hostname)] : [name];
  return {
    // "localhost" may stand for two addresses; one of them has to be meant.
    bindHost: name === 'localhost' ? '127.0.0.1' : bare(name),
    isLoopback,
    hosts: new Set([...own, ...(isLoopback || everywhere ? LOOPBACK_HOSTS : [])]),
    openAt: own.length === 0 ? LOOPBACK_HOSTS.slice(0, 1) : own,
    scheme: isEncrypted ? 'https:' : 'http:',
    origin,
  };
}

/** A name or an address, and a port. */
const HOST_HEADER = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/u;

const DEFAULT_PORTS = { 'http:': '80', 'https:': '443' } as const;

/** Whether a Host header is that of the configured proxy in front. */
export function isBehindProxy({ origin }: PanelPlace, header: string): boolean {
  if (origin === null || !HOST_HEADER.test(header.toLowerCase())) {
    return false;
  }
  const { protocol, host } = new URL(origin);
  return URL.parse(`${protocol}//${header}`)?.host === host;
}

/** The origin that a browser names for a page that it opened under this Host header. */
export function originAt(place: PanelPlace, header: string): string {
  return place.origin !== null && isBehindProxy(place, header)
    ? place.origin
    : new URL(`${place.scheme}//${header}`).origin;
}

/**
 * Whether a Host header names this place: one of its hosts, or the very address and port of the connection. A name that
 * an outsider can point here is not among them (DNS rebinding).
 */
export function isHostOf(
  place: PanelPlace,
  header: string,
  arrived: { readonly address: string | undefined; readonly port: number | undefined },
): boolean {
  if (isBehindProxy(place, header)) {
    return true;
  }
  const parts = HOST_HEADER.exec(header.toLowerCase());
  const [, host = '', port = DEFAULT_PORTS[place.scheme]] = parts ?? [];
  const reached = arrived.address === undefined ? '' : inAddress(withoutMapping(arrived.address));
  return Number(port) === arrived.port && host !== '' && (place.hosts.has(host) || host === reached);
}

/**
 * Whether a browser that is sent to the registered redirect URI arrives at a panel of that place and port, and at a path
 * that is free there.
 */
export function leadsToDashboard(redirectUri: string, place: PanelPlace, port: number): boolean {
  const { protocol, hostname, port: written, pathname, origin } = new URL(redirectUri);
  const isOwn =
    protocol === place.scheme &&
    Number(written || DEFAULT_PORTS[place.scheme]) === port &&
    place.hosts.has(hostname);
  const isHere = isOwn || origin === place.origin;
  const isTaken = pathname === '/' || pathname.startsWith('/api/') || /\.\w+$/u.test(pathname);
  return isHere && !isTaken;
}

/** A machine is known by its name, and in most homes by that name with `.local`. */
function hostnames(hostname: string): readonly string[] {
  const name = hostname.toLowerCase();
  const [first = ''] = name.split('.', 1);
  return /^[\w.-]+$/u.test(name) ? [...new Set([`${first}.local`, first, name])] : [];
}

function inAddress(host: string): string {
  const [address = ''] = host.split('%', 1);
  return isIPv6(address) ? `[${address}]` : address;
}

function bare(host: string): string {
  return host.replace(/^\[(.*)\]$/u, '$1');
}

/** A socket for both kinds of addresses writes those of the older kind inside those of the newer. */
function withoutMapping(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/iu, '');
}
