// Recognizes hosts that are only reachable from this machine.
import { isIPv4 } from 'node:net';

/**
 * Whether a host, as written in an option or in an address, is this machine alone. By spelling: a name that resolves to
 * this machine may resolve to another one tomorrow.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' || name === '::1' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
  );
}
