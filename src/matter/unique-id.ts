// The identity of a lock for apps: the same after every restart, where matter.js would make up another one.
import { createHash } from 'node:crypto';
import type { BridgedInformationType } from './matter-api.ts';

/** The longest UniqueID, in characters (Matter Core, Bridged Device Basic Information). */
const LENGTH = 32;

/**
 * Homebridge builds a cached lock twice at each start, and matter.js may lose the UniqueID that it made up for the first.
 */
export function withUniqueId(base: BridgedInformationType): BridgedInformationType {
  return class extends base {
    override initialize(): unknown {
      Object.assign(this.state, { uniqueId: uniqueIdOf(this.endpoint.id) });
      return super.initialize();
    }
  };
}

/** A digest of the accessory's UUID, because the id must not be derived easily from others of the device. */
function uniqueIdOf(uuid: string): string {
  return createHash('sha256').update(`UniqueID of ${uuid}`).digest('hex').slice(0, LENGTH);
}
