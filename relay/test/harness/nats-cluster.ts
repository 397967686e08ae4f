// A real NATS cluster for tests: Debian's nats-server on loopback, with accounts as `latchkey relay cluster` makes them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../test/harness/free-port.ts';
import { writeNodes } from '../../src/node-certificates.ts';
import { writeCluster } from '../../src/write-cluster.ts';

/** Debian installs it where only root looks by default. */
export const NATS_PROGRAM =
  ['nats-server', '/usr/sbin/nats-server'].find(
    (path) => spawnSync(path, ['--version']).error === undefined,
  ) ?? null;

/** Whether it is installed; says once that its tests are skipped when it is not. */
export const hasNats = NATS_PROGRAM !== null;
if (!hasNats) {
  process.stdout.write(
    'Skipped: the tests with a cluster, because nats-server is not installed (Debian: nats-server).\n',
  );
}

/** Such as 2.9.10. */
export function natsVersion(): string {
  const { stdout } = spawnSync(NATS_PROGRAM ?? 'nats-server', ['--version'], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+/u.exec(stdout)?.[0] ?? '';
}

const START_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 50;
const LEFT_OUT_AFTER_MS = 5_000;
const NETWORK_OF_TESTS = '127.0.0.1';
const LOOPBACK = 'localhost';

export interface NatsNode {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Of its figures, over HTTP. */
  readonly watchPort: number;
  readonly folder: string;
  pid(): number | undefined;
  /** What it has written to its log. */
  log(): string;
  start(): void;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** It is lost with its disk, and another machine at its address begins under this name. */
  replace(name: string): Promise<void>;
  /** As an operator stops it before an update: it hands its leaderships over first. */
  stop(): Promise<void>;
}

export interface NatsCluster {
  /** `nats://a,b,c`. */
  readonly url: string;
  readonly keysFile: string;
  /** Of the operator. */
  readonly streamLogin: string;
  readonly systemLogin: string;
  readonly nodes: readonly NatsNode[];
  /** Resolves when as many nodes as are running agree, and store. */
  ready(): Promise<void>;
  /** The name of the node that leads the stream; null without one. */
  leader(): Promise<string | null>;
  close(): Promise<void>;
}

export interface NatsOptions {
  readonly folder: string;
  readonly nodes?: number;
  /** Files of a certificate: clients are spoken to over TLS. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** Where a node stores; left out: in its folder. */
  readonly store?: (index: number) => string | null;
  /** Program and arguments before the server's, such as to run it elsewhere. */
  readonly hosts?: readonly string[];
  readonly before?: (index: number) => readonly string[];
  /** One that `latchkey relay cluster` makes, for loopback: nodes speak to clients and to each other over TLS alone. */
  readonly hasCertificates?: boolean;
  /** Of streams that state none; nodes before 2.15 do not know it. */
  readonly defaultConsumers?: number;
}

/** Starts it, and resolves when it stores. */
export async function startNats(options: NatsOptions): Promise<NatsCluster> {
  const { folder, nodes: count = 3 } = options;
  mkdirSync(folder, { recursive: true });
  const accounts = join(folder, 'accounts');
  const { accountsFile, keysFile, streamLogin, systemLogin } = await writeCluster(accounts);
  const hosts = Array.from({ length: count }, (_, at) => options.hosts?.[at] ?? NETWORK_OF_TESTS);
  const [certified] = options.hasCertificates === true ? await writeNodes(accounts, [LOOPBACK]) : [];
  const tls = certified === undefined ? options.tls : filesIn(certified.folder);
  const names = hosts.map((host) => certified?.host ?? host);
  const ports: (readonly [number, number, number])[] = [];
  for (const _ of hosts) {
    ports.push([await freePort(), await freePort(), await freePort()]);
  }
  const routes = names.map((host, at) => `nats://${host}:${String(ports[at]?.[1])}`);
  const nodes = hosts.map((host, at) => {
    const [port = 0, route = 0, watchPort = 0] = ports[at] ?? [];
    const place = join(folder, `node-${String(at)}`);
    mkdirSync(place, { recursive: true });
    const store = options.store?.(at) ?? join(place, 'store');
    const limits =
      options.defaultConsumers === undefined
        ? ''
        : `, limits { default_max_consumers: ${String(options.defaultConsumers)} }`;
    const lines = [
      `server_name: node-${String(at)}`,
      `listen: ${host}:${String(port)}`,
      `http: ${host}:${String(watchPort)}`,
      `jetstream { store_dir: "${store}", max_file: 64G, max_mem: 256M${limits} }`,
      ...(tls === undefined ? [] : [`tls { ${filesOf(tls)} }`]),
      `resolver { type: full, dir: "${join(place, 'accounts')}", interval: "2s" }`,
      // Long enough for the leaderships; a client would be sent away slowly by default.
      'lame_duck_duration: "30s"',
      'lame_duck_grace_period: "1s"',
      ...(count === 1
        ? []
        : [
            `cluster { name: homes, listen: ${host}:${String(route)}, routes: [${routes.join(', ')}]`,
            ...(certified === undefined || tls === undefined
              ? []
              : [`tls { ${filesOf(tls)}, verify: true }`]),
            '}',
          ]),
      `include ${JSON.stringify(accountsFile).replaceAll('"', "'")}`,
    ];
    const file = join(place, 'node.conf');
    // An include is read beside the file that names it.
    writeFileSync(
      file,
      lines
        .map((line) => (line.startsWith('include') ? readFileSync(accountsFile, 'utf8') : line))
        .join('\n'),
    );
    const before = options.before?.(at) ?? [];
    return nodeOf({ name: `node-${String(at)}`, host, port, watchPort, folder: place, file, before });
  });
  for (const node of nodes) {
    node.start();
  }
  const cluster: NatsCluster = {
    url: `${tls === undefined ? 'nats' : 'tls'}://${nodes.map(({ port }, at) => `${names[at] ?? ''}:${String(port)}`).join(',')}`,
    keysFile,
    streamLogin,
    systemLogin,
    nodes,
    ready: async () => {
      await until(async () => (await Promise.all(nodes.map(async (node) => node.isReady()))).every(Boolean));
    },
    leader: async () => {
      for (const node of nodes) {
        const found = await node.streamLeader();
        if (found !== null) {
          return found;
        }
      }
      return null;
    },
    close: async () => {
      await Promise.all(nodes.map(async (node) => node.kill()));
    },
  };
  try {
    await cluster.ready();
    await takeIn(nodes);
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

/**
 * Resolves when all are in the group that places streams. 2.10.27 leaves one of three that start at the same moment out in one
 * start of twenty, though it says that it is well, until it is started again.
 */
async function takeIn(nodes: readonly Node[]): Promise<void> {
  let restartAt = performance.now() + LEFT_OUT_AFTER_MS;
  await until(async () => {
    const groups = await Promise.all(nodes.map(async (node) => node.group()));
    if (nodes.length === 1 || groups.every(({ size }) => size === nodes.length)) {
      return true;
    }
    const members = groups.flatMap((group) => group.members);
    if (members.length > 0 && performance.now() > restartAt) {
      restartAt = performance.now() + LEFT_OUT_AFTER_MS;
      for (const node of nodes.filter(({ name }) => !members.includes(name))) {
        await node.kill();
        node.start();
      }
    }
    return false;
  });
}

interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile?: string;
}

function filesOf({ certFile, keyFile, caFile }: TlsFiles): string {
  const authority = caFile === undefined ? '' : `, ca_file: "${caFile}"`;
  return `cert_file: "${certFile}", key_file: "${keyFile}"${authority}`;
}

function filesIn(folder: string): TlsFiles {
  const [certFile, keyFile, caFile] = ['node.pem', 'node.key', 'ca.pem'].map((name) => join(folder, name));
  return { certFile: certFile ?? '', keyFile: keyFile ?? '', caFile: caFile ?? '' };
}

interface NodeParts {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly watchPort: number;
  readonly folder: string;
  readonly file: string;
  readonly before: readonly string[];
}

interface Node extends NatsNode {
  /** True for one that does not run. */
  isReady(): Promise<boolean>;
  /** Of the nodes that place streams: how many it knows, and, where it leads them, who they are. */
  group(): Promise<{ readonly size: number; readonly members: readonly string[] }>;
  streamLeader(): Promise<string | null>;
}

/** As a node shows it. */
interface MetaGroup {
  readonly leader?: string;
  readonly replicas?: readonly { readonly name: string }[];
  readonly cluster_size?: number;
}

function nodeOf({ name, host, port, watchPort, folder, file, before }: NodeParts): Node {
  let server: ChildProcess | null = null;
  const isUp = (): boolean => server !== null && server.exitCode === null && server.signalCode === null;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server !== null && isUp()) {
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    }
    server = null;
  };
  const start = (): void => {
    const words = [...before, NATS_PROGRAM ?? 'nats-server', '-c', file, '-l', join(folder, 'log')];
    server = spawn(words[0] ?? '', words.slice(1), { stdio: 'ignore' });
  };
  const asked = async (path: string): Promise<string> => {
    const answer = await fetch(`http://${host}:${String(watchPort)}${path}`, {
      signal: AbortSignal.timeout(1_000),
    });
    return answer.text();
  };
  return {
    name,
    host,
    port,
    watchPort,
    folder,
    pid: () => server?.pid,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    start,
    kill: async () => end('SIGKILL'),
    replace: async (other) => {
      await end('SIGKILL');
      rmSync(join(folder, 'store'), { recursive: true });
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^server_name: .*$/mu, `server_name: ${other}`));
      start();
    },
    stop: async () => {
      // Lame duck: it hands over, waits until its clients have gone, and ends.
      await end('SIGUSR2');
    },
    isReady: async () =>
      !isUp() ||
      (await asked('/healthz').then(
        (text) => text.includes('"ok"'),
        () => false,
      )),
    group: async () => {
      const text = isUp() ? await asked('/jsz').catch(() => '{}') : '{}';
      const { meta_cluster: meta } = JSON.parse(text) as { readonly meta_cluster?: MetaGroup };
      const { leader = '', replicas = [], cluster_size: size = 0 } = meta ?? {};
      return { size, members: leader === name ? [name, ...replicas.map((replica) => replica.name)] : [] };
    },
    streamLeader: async () => {
      const text = isUp() ? await asked('/jsz?streams=true&accounts=true').catch(() => '') : '';
      return /"name": "HOMES"[^]*?"leader": "(?<leader>[^"]+)"/u.exec(text)?.groups?.['leader'] ?? null;
    },
  };
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + START_WITHIN_MS;
  while (!(await check())) {
    if (performance.now() > end) {
      throw new Error('The cluster is not ready');
    }
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}
