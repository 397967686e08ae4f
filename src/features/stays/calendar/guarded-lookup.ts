// Looks up a host without its private addresses, so that a public name cannot lead into the network of the house.
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressPermissions } from '../../../support/server/private-hosts.ts';
import { isAllowedHost } from './calendar-address.ts';

/** Every address of a name, as `dns.lookup` finds them. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export const PRIVATE_ADDRESS_CODE = 'ERR_PRIVATE_ADDRESS';

/** The name is checked where the connection is made: looked up before, it could point elsewhere by then (faults#59). */
export function guardedLookup(allowed: AddressPermissions, lookUp: LookupAll = lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const found = addresses.filter(({ address, family }) =>
        isAllowedHost(family === 6 ? `[${address}]` : address, allowed),
      );
      const [first] = found;
      if (first === undefined) {
        const refusal = new Error('Every address of the host is private');
        callback(Object.assign(refusal, { code: PRIVATE_ADDRESS_CODE }), []);
      } else if (options.all === true) {
        callback(null, found);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
