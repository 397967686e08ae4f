// Which versions of nats-server are supported, and what older ones do.

/** The oldest with which every fault of docs/operate/scale.md passes: Debian 13 has it. */
export const OLDEST_SERVER = '2.10.27';

/** What the log says of a node; null for one that is supported. */
export function oldServerLine(name: string, version: string): string | null {
  return isOlder(version, OLDEST_SERVER)
    ? `The node "${name}" runs nats-server ${version}, which is older than ${OLDEST_SERVER}, the oldest supported version: when its disk is full, it neither stores nor makes way, and events wait until it is stopped. Update the nodes.`
    : null;
}

/** A version that cannot be read is not older. */
function isOlder(version: string, than: string): boolean {
  const [mine, other] = [partsOf(version), partsOf(than)];
  const at = other.findIndex((part, index) => part !== mine[index]);
  return at !== -1 && (mine[at] ?? Number.NaN) < (other[at] ?? 0);
}

function partsOf(version: string): readonly number[] {
  return /^\d+\.\d+\.\d+/u.exec(version)?.[0].split('.').map(Number) ?? [];
}
