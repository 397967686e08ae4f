// Recognizes hosts and addresses that are not on the public internet.

/** Addresses that are allowed beyond public ones by https. */
export interface AddressPermissions {
  /** http, and addresses of this machine: for the simulator. */
  readonly insecureLoopback: boolean;
  /** https to hosts in private networks. */
  readonly privateHosts: boolean;
}

/** Endings of names that only exist inside a network (RFC 6761, RFC 6762, RFC 8375, and common router names). */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa', '.lan', '.home', '.intranet'];

/** IPv4 blocks that are not on the public internet (IANA special-purpose registry), as [address, prefix length]. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Whether a host, as normalized by `URL`, is this machine or in a private network, judging by its name alone. */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  if (name.startsWith('[')) {
    return !isPublicIpv6(name.slice(1, -1));
  }
  const ipv4 = ipv4Number(name);
  if (ipv4 !== null) {
    return PRIVATE_IPV4.some(([base, length]) => sameBlock(ipv4, ipv4Number(base) ?? 0, length));
  }
  return !name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

/** `URL` normalizes every spelling of an IPv4 address (octal, hexadecimal, short) to four decimal numbers. */
function ipv4Number(name: string): number | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name);
  return match === null ? null : match.slice(1).reduce((sum, part) => sum * 256 + Number(part), 0);
}

function sameBlock(a: number, b: number, prefixLength: number): boolean {
  const blockSize = 2 ** (32 - prefixLength);
  return Math.floor(a / blockSize) === Math.floor(b / blockSize);
}

/** Public IPv6 is 2000::/3, without documentation (2001:db8::), Teredo (2001:0::) and 6to4 (2002::), which can wrap private IPv4. */
function isPublicIpv6(address: string): boolean {
  const [first = '', second = ''] = address.split(':');
  const head = Number.parseInt(first, 16);
  if (!(head >= 0x20_00 && head <= 0x3f_ff) || head === 0x20_02) {
    return false;
  }
  return !(head === 0x20_01 && (second === '' || second === 'db8' || second === '0'));
}
