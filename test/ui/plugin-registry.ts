// A small npm registry on this machine that has the packed plugin and what it depends on, for a UI that asks the internet.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { SELF_SIGNED } from '../component/cloud/self-signed.ts';
import type { PackedPlugin } from '../harness/packed-plugin.ts';

const root = join(import.meta.dirname, '..', '..');
const INSTALLED = 'node_modules/';

const lockFile = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().default(false) })) });
const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  keywords: z.array(z.string()).default([]),
});

interface Package {
  readonly manifest: z.output<typeof manifest>;
  /** Where it is unpacked; null for the plugin, of which there is a tarball. */
  readonly folder: string | null;
}

/**
 * It answers `npm`, and as a proxy whatever else is asked of the internet: every other host has this registry, too, which
 * knows the plugin and nothing else.
 */
export class PluginRegistry {
  readonly #packages: readonly Package[];
  readonly #tarball: string;
  readonly #servers: readonly Server[];
  /** What the environment of a program has to hold that is to ask here. */
  readonly environment: Readonly<Record<string, string>>;

  static async open(packed: PackedPlugin): Promise<PluginRegistry> {
    const plugin = {
      manifest: manifestIn(join(packed.pluginsFolder, 'homebridge-latchkey')),
      folder: null,
    };
    const servers = [createServer(), createTlsServer(SELF_SIGNED) as Server];
    for (const server of servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return new PluginRegistry([plugin, ...dependencies()], packed.tarball, servers);
  }

  private constructor(packages: readonly Package[], tarball: string, servers: readonly Server[]) {
    this.#packages = packages;
    this.#tarball = tarball;
    this.#servers = servers;
    const [plain, encrypted] = servers;
    const url = `http://127.0.0.1:${portOf(plain)}`;
    for (const server of servers) {
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        this.#answer(url, decodeURIComponent(request.url ?? '/'), response);
      });
    }
    // A proxy's tunnel, which ends here.
    plain?.on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      encrypted?.emit('connection', socket);
    });
    this.environment = {
      npm_config_registry: url,
      npm_config_audit: 'false',
      HTTPS_PROXY: url,
      NO_PROXY: '127.0.0.1,localhost',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }

  #answer(url: string, path: string, response: ServerResponse): void {
    const [, tarballOf] = /^\/-\/tarball\/(.+)$/u.exec(path) ?? [];
    if (tarballOf !== undefined) {
      this.#sendTarball(tarballOf, response);
    } else if (path.startsWith('/-/v1/search')) {
      send(response, { objects: path.includes('latchkey') ? [{ package: this.#found() }] : [] });
    } else {
      const [name = '', tag] =
        /^\/(?<name>(?:@[^/]+\/)?[^/?]+)(?:\/(?<tag>[^/?]+))?/u.exec(path)?.slice(1) ?? [];
      const versions = this.#packages.filter((one) => one.manifest.name === name);
      const whole = packument(versions, url);
      send(response, tag === 'latest' ? versions[0]?.manifest : whole);
    }
  }

  #found(): unknown {
    const [plugin] = this.#packages;
    return { ...plugin?.manifest, date: '2026-12-01T12:00:00Z', links: {} };
  }

  #sendTarball(path: string, response: ServerResponse): void {
    const one = this.#packages.find(({ manifest: { name, version } }) => path === `${name}/${version}`);
    if (one?.folder === null) {
      createReadStream(this.#tarball).pipe(response);
    } else {
      const folder = one?.folder ?? root;
      spawn(
        'tar',
        ['-czf', '-', '-C', folder, '--transform', 's,^[.],package,', '--exclude', './node_modules', '.'],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      ).stdout.pipe(response);
    }
  }
}

function portOf(server: Server | undefined): string {
  const address = server?.address() as AddressInfo | undefined;
  return String(address?.port ?? Number.NaN);
}

function manifestIn(folder: string): z.output<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/** What the lock file installs beside the plugin. */
function dependencies(): readonly Package[] {
  const { packages } = lockFile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith(INSTALLED) && !dev)
    .map(([path]) => ({ manifest: manifestIn(join(root, path)), folder: join(root, path) }));
}

/** Undefined for a package that is not here. */
function packument(versions: readonly Package[], url: string): object | undefined {
  const [first] = versions;
  return first === undefined
    ? undefined
    : {
        ...first.manifest,
        'dist-tags': { latest: first.manifest.version },
        time: { modified: '2026-12-01T12:00:00Z' },
        maintainers: [],
        versions: Object.fromEntries(
          versions.map(({ manifest: one }) => [
            one.version,
            { ...one, dist: { tarball: `${url}/-/tarball/${one.name}/${one.version}` } },
          ]),
        ),
      };
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? {}));
}
