// Which versions of nats-server are supported, and what older ones do.
import { isOlder } from '../../../src/support/versions.ts';

/** The oldest with which every fault of relay/scale.md passes: Debian 13 has it. */
export const OLDEST_SERVER = '2.10.27';

/** What the log says of a node; null for one that is supported. */
export function oldServerLine(name: string, version: string): string | null {
  // A version that cannot be read is not older.
  const known = /^\d+\.\d+\.\d+/u.exec(version)?.[0];
  return known !== undefined && isOlder(known, OLDEST_SERVER)
    ? `The node "${name}" runs nats-server ${version}, which is older than ${OLDEST_SERVER}, the oldest supported version: when its disk is full, it neither stores nor makes way, and events wait until it is stopped. Update the nodes.`
    : null;
}
