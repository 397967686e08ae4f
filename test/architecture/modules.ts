// Who may import whom: the import table of docs/architecture.md as data, held to be equal to it by a test.

/** What the files of one module may import besides each other. */
export interface Module {
  readonly modules: readonly string[];
  /** Package names; `node:*` stands for all of Node, `name (types)` for a package of which only types are imported. */
  readonly packages: readonly string[];
}

/** Keyed by the folder under `src/`; `index` is `src/index.ts` itself. */
export const modules: Readonly<Record<string, Module>> = {
  index: { modules: ['plugin'], packages: ['homebridge (types)'] },
  domain: { modules: [], packages: [] },
  support: { modules: [], packages: ['node:*', 'yaml'] },
  wire: { modules: ['domain'], packages: ['zod'] },
  config: { modules: ['domain', 'support'], packages: ['zod'] },
  storage: { modules: ['domain', 'support'], packages: ['node:*'] },
  cloud: { modules: ['domain', 'wire', 'support'], packages: ['undici', 'jose', 'node:zlib'] },
  credentialing: { modules: ['domain', 'wire', 'cloud', 'support'], packages: [] },
  relay: {
    modules: ['config', 'wire', 'webhook', 'carrier', 'mqtt', 'nats', 'support'],
    packages: ['node:*', 'zod'],
  },
  webhook: { modules: ['domain', 'wire', 'support'], packages: ['fastify', 'jose', 'undici', 'node:crypto'] },
  sync: { modules: ['domain', 'support'], packages: [] },
  setup: { modules: ['domain', 'support'], packages: ['node:crypto'] },
  panel: { modules: ['domain', 'sync', 'setup', 'support'], packages: ['fastify', 'node:*', 'zod'] },
  homekit: { modules: ['domain', 'config', 'sync', 'support'], packages: ['homebridge (types)'] },
  matter: { modules: ['domain', 'sync', 'support'], packages: [] },
  carrier: { modules: ['domain', 'support'], packages: [] },
  mqtt: { modules: ['carrier', 'support'], packages: ['mqtt', 'node:net'] },
  nats: {
    modules: ['carrier', 'support'],
    packages: [
      '@nats-io/jetstream',
      '@nats-io/jwt',
      '@nats-io/nkeys',
      '@nats-io/transport-node',
      'node:crypto',
      'zod',
    ],
  },
  'home-assistant': { modules: ['domain', 'carrier', 'mqtt', 'sync', 'support'], packages: ['node:crypto'] },
  app: {
    modules: [
      'domain',
      'support',
      'wire',
      'config',
      'storage',
      'cloud',
      'credentialing',
      'webhook',
      'sync',
      'setup',
      'panel',
      'carrier',
      'mqtt',
      'nats',
      'home-assistant',
    ],
    packages: ['fastify', 'node:*'],
  },
  plugin: { modules: ['app', 'homekit', 'matter', 'config', 'support'], packages: ['homebridge (types)'] },
  'ui-server': {
    modules: ['app', 'panel', 'config', 'support'],
    packages: ['@homebridge/plugin-ui-utils'],
  },
  serve: { modules: ['app', 'panel', 'config', 'support'], packages: [] },
  cli: {
    modules: ['app', 'panel', 'config', 'credentialing', 'simulator', 'serve', 'relay', 'support', 'domain'],
    packages: ['commander', 'node:*'],
  },
  simulator: { modules: ['support'], packages: ['fastify', 'zod', 'node:*'] },
};
