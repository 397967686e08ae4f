// Who may import whom: the import table of docs/architecture.md as data, held to be equal to it by a test.

/** What the files of one room may import besides each other. */
export interface Room {
  readonly rooms: readonly string[];
  /** Package names; `node:*` stands for all of Node, `name (types)` for a package of which only types are imported. */
  readonly packages: readonly string[];
}

/** Keyed by the folder under `src/`; `index` is `src/index.ts` itself. */
export const rooms: Readonly<Record<string, Room>> = {
  index: { rooms: ['plugin'], packages: ['homebridge (types)'] },
  domain: { rooms: [], packages: [] },
  support: { rooms: [], packages: ['node:*'] },
  wire: { rooms: ['domain'], packages: ['zod'] },
  config: { rooms: ['domain', 'support'], packages: ['zod'] },
  storage: { rooms: ['domain', 'support'], packages: ['node:*'] },
  cloud: { rooms: ['domain', 'wire', 'support'], packages: ['undici', 'jose'] },
  credentialing: { rooms: ['domain', 'wire', 'cloud', 'support'], packages: [] },
  webhook: { rooms: ['domain', 'wire', 'support'], packages: ['fastify', 'jose', 'undici', 'node:crypto'] },
  sync: { rooms: ['domain', 'support'], packages: [] },
  setup: { rooms: ['domain', 'support'], packages: ['node:crypto'] },
  panel: { rooms: ['domain', 'sync', 'setup', 'support'], packages: ['fastify', 'node:*', 'zod'] },
  homekit: { rooms: ['domain', 'sync', 'support'], packages: ['homebridge (types)'] },
  app: {
    rooms: [
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
    ],
    packages: ['fastify', 'node:*'],
  },
  plugin: { rooms: ['app', 'homekit', 'config', 'support'], packages: ['homebridge (types)'] },
  'ui-server': {
    rooms: ['app', 'panel', 'config', 'support'],
    packages: ['@homebridge/plugin-ui-utils'],
  },
  cli: {
    rooms: ['app', 'panel', 'config', 'credentialing', 'simulator', 'support', 'domain'],
    packages: ['commander', 'node:*'],
  },
  simulator: { rooms: ['support'], packages: ['fastify', 'zod', 'node:*'] },
};
