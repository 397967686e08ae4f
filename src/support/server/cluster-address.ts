// The address of a cluster: its nodes in one line, `tls://a,b,c` or `nats://a:4222,b:4222`.

const SCHEMES = { 'nats:': 'plain', 'tls:': 'tls' } as const;

const NODE = /^(?<host>\[[\da-f:]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::(?<port>\d{1,5}))?$/i;
const USUAL_PORT = 4_222;
const HIGHEST_PORT = 65_535;

export interface ClusterAddress {
  readonly isEncrypted: boolean;
  /** `host:port` of each node. */
  readonly nodes: readonly string[];
  readonly hosts: readonly string[];
}

/** The address; null when it is malformed. */
export function readClusterAddress(address: string): ClusterAddress | null {
  const [, scheme = '', rest = ''] = /^((?:nats|tls):)\/\/(.+)$/.exec(address) ?? [];
  if (scheme !== 'nats:' && scheme !== 'tls:') {
    return null;
  }
  const nodes = rest.split(',').map((node) => NODE.exec(node)?.groups);
  const read = nodes.flatMap((groups) => {
    const port = Number(groups?.['port'] ?? USUAL_PORT);
    return groups?.['host'] === undefined || port === 0 || port > HIGHEST_PORT
      ? []
      : [{ host: groups['host'], port }];
  });
  if (read.length !== nodes.length) {
    return null;
  }
  return {
    isEncrypted: SCHEMES[scheme] === 'tls',
    nodes: read.map(({ host, port }) => `${host}:${String(port)}`),
    hosts: read.map(({ host }) => host),
  };
}
