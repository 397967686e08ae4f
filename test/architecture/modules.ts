// Who may import whom, as data: the layer test holds the tree to these tables, type-only imports included.

/** The imports that the files of one module may have besides each other. */
export interface Module {
  readonly modules: readonly string[];
  /** Package names; `node:*` stands for all of Node, `name (types)` for a package of which only types are imported. */
  readonly packages: readonly string[];
}

/** Keyed by the folder under `src/`, or by the house beside it; `index` is `src/index.ts` itself. */
export const modules: Readonly<Record<string, Module>> = {
  // The only default export; no logic.
  index: { modules: ['plugin'], packages: ['homebridge (types)'] },
  // Truth that can be tested by reading it.
  domain: { modules: [], packages: [] },
  // One event reads the same everywhere (decision 0066).
  words: { modules: ['domain'], packages: ['intl-messageformat'] },
  // Tools cannot depend on the product, but for what an error says to a person.
  support: { modules: ['domain', 'words'], packages: ['node:*', 'yaml'] },
  // The partner's renames stop here.
  wire: { modules: ['domain'], packages: ['zod'] },
  // Reads options, never files or sockets; its faults are messages.
  config: { modules: ['domain', 'support'], packages: ['zod'] },
  // Implements ports of `domain`.
  storage: { modules: ['domain', 'words', 'support'], packages: ['node:*'] },
  // Implements ports; does not know who asks.
  cloud: { modules: ['domain', 'wire', 'words', 'support'], packages: ['undici', 'jose', 'node:zlib'] },
  // Verifies with the keys it is given; calls only its own public URL, as a test.
  webhook: {
    modules: ['domain', 'wire', 'words', 'support'],
    packages: ['fastify', 'jose', 'undici', 'node:crypto'],
  },
  // All input and output arrives through ports.
  engine: { modules: ['domain', 'words', 'support'], packages: [] },
  // Does not know by which client a link is made and kept.
  linking: { modules: ['domain', 'engine', 'words', 'support'], packages: ['node:crypto', 'node:http'] },
  // What a page or a process sends is checked at this edge.
  panel: {
    modules: ['domain', 'config', 'engine', 'linking', 'words', 'support'],
    packages: ['fastify', 'node:*', 'zod'],
  },
  // Another cloud would change nothing here.
  homekit: { modules: ['domain', 'config', 'engine', 'words', 'support'], packages: ['homebridge (types)'] },
  // No broker's package: what every broker has in common.
  carrier: { modules: ['domain', 'support'], packages: [] },
  // Carries messages, whatever they mean; joined into a file of its own (decision 0010).
  mqtt: { modules: ['domain', 'carrier', 'support'], packages: ['mqtt', 'node:net'] },
  // Joined into a file of its own, too (decision 0055).
  nats: {
    modules: ['domain', 'carrier', 'support'],
    packages: [
      '@nats-io/jetstream',
      '@nats-io/jwt',
      '@nats-io/nkeys',
      '@nats-io/transport-node',
      'node:crypto',
    ],
  },
  // Reads what lies on the disk, and runs nothing.
  installation: { modules: ['domain', 'config', 'storage', 'words', 'support'], packages: ['node:*'] },
  // One process at a time owns an account; the others reach it by its socket.
  ownership: {
    modules: ['domain', 'config', 'storage', 'panel', 'installation', 'words', 'support'],
    packages: ['node:*'],
  },
  // Knows the simulator as a process with addresses, and the account by its operations.
  demo: {
    modules: ['domain', 'config', 'panel', 'installation', 'words', 'support'],
    packages: ['node:*'],
  },
  app: {
    modules: [
      'domain',
      'words',
      'support',
      'config',
      'storage',
      'installation',
      'ownership',
      'demo',
      'cloud',
      'webhook',
      'engine',
      'linking',
      'panel',
      'carrier',
      'mqtt',
      'nats',
    ],
    packages: ['node:fs'],
  },
  // Above `app`, since a process that finds no owner runs the account itself.
  tools: {
    modules: ['domain', 'config', 'panel', 'ownership', 'app', 'words', 'support'],
    packages: [],
  },
  // An account in one file, written and put back without being run.
  backup: { modules: ['domain', 'storage', 'installation', 'ownership', 'support'], packages: ['node:*'] },
  plugin: {
    modules: ['domain', 'app', 'installation', 'demo', 'homekit', 'config', 'features', 'words', 'support'],
    packages: ['homebridge (types)'],
  },
  'ui-server': {
    modules: ['domain', 'installation', 'tools', 'panel', 'config', 'features', 'words', 'support'],
    packages: ['@homebridge/plugin-ui-utils'],
  },
  // A shell like `plugin`, without Homebridge.
  serve: { modules: ['app', 'demo', 'panel', 'config', 'words', 'support'], packages: [] },
  cli: {
    modules: [
      'domain',
      'app',
      'installation',
      'ownership',
      'tools',
      'linking',
      'backup',
      'panel',
      'config',
      'serve',
      'relay',
      'words',
      'support',
    ],
    packages: ['commander', 'node:*'],
  },
  // The entry of the terminal, which joins it with features and the simulator.
  start: {
    modules: ['installation', 'cli', 'features', 'simulator', 'support', 'words'],
    packages: ['commander', 'node:*'],
  },
  // The list of features: it alone imports them, and entries alone import it.
  features: {
    modules: ['features/credentials', 'features/home-assistant', 'features/matter', 'features/stays'],
    packages: [],
  },
  // Phone credentials, whole in one folder.
  'features/credentials': {
    modules: [
      'domain',
      'words',
      'support',
      'wire',
      'config',
      'storage',
      'cloud',
      'panel',
      'installation',
      'app',
      'cli',
    ],
    packages: ['commander', 'zod', 'node:crypto', 'node:fs'],
  },
  // Topics and devices at a broker, whole in one folder; another carrier would change little here.
  'features/home-assistant': {
    modules: [
      'domain',
      'words',
      'support',
      'config',
      'storage',
      'engine',
      'panel',
      'carrier',
      'mqtt',
      'homekit',
      'installation',
      'app',
      'cli',
    ],
    packages: ['commander', 'zod', 'node:*'],
  },
  // What Matter controllers see, whole in one folder; sees Homebridge's Matter interface as a checked shape.
  'features/matter': {
    modules: ['domain', 'words', 'support', 'config', 'engine', 'homekit', 'panel', 'installation', 'cli'],
    packages: ['homebridge (types)', 'node:crypto', 'zod'],
  },
  // Codes for the guests of booking calendars.
  'features/stays': {
    modules: [
      'domain',
      'words',
      'support',
      'config',
      'storage',
      'cloud',
      'engine',
      'panel',
      'demo',
      'tools',
      'app',
      'cli',
    ],
    packages: [
      'commander',
      'fastify (types)',
      'ical.js',
      'undici',
      'zod',
      'node:crypto',
      'node:dns',
      'node:net',
      'node:path',
      'node:worker_threads',
    ],
  },
  // A program of its own, without state, between the service and a broker; it speaks English.
  relay: {
    modules: ['domain', 'config', 'wire', 'webhook', 'carrier', 'mqtt', 'nats', 'words', 'support'],
    packages: [
      '@nats-io/jetstream',
      '@nats-io/jwt',
      '@nats-io/nkeys',
      '@nats-io/transport-node',
      'node:*',
      'zod',
    ],
  },
  // Shares no rule, codec or path with the client that it judges.
  simulator: { modules: ['support'], packages: ['fastify', 'zod', 'node:*'] },
};

/** Which folders of a module the files of one of its folders may import; `.` stands for the module's own files. */
export const rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  domain: {
    time: [],
    language: [],
    polling: ['time'],
    locks: ['time', 'language'],
    commands: ['time', 'polling', 'locks'],
    webhooks: ['time', 'language', 'polling', 'locks', 'commands'],
    history: ['time', 'polling', 'locks', 'commands', 'webhooks'],
    account: ['time', 'language', 'locks'],
    '.': ['time', 'locks', 'commands', 'history', 'account'],
    codes: ['time', 'language', 'polling', 'locks', 'commands', '.'],
  },
  engine: {
    locks: [],
    commands: ['locks'],
    webhooks: ['locks', 'commands'],
    polling: ['locks', 'webhooks'],
    history: ['locks'],
    codes: ['locks', 'webhooks'],
    '.': ['locks', 'commands', 'webhooks', 'polling', 'history', 'codes'],
  },
  app: {
    partner: [],
    webhooks: ['partner'],
    '.': ['partner', 'webhooks'],
  },
  'features/credentials': {
    policy: [],
    client: ['policy'],
    tables: ['policy'],
    import: ['policy', 'client'],
    panel: ['policy'],
    account: ['policy', 'client', 'import', 'tables', 'panel'],
    '.': ['policy', 'panel', 'account'],
    commands: ['policy', 'client', 'import', 'account', 'panel', '.'],
  },
  'features/home-assistant': {
    options: [],
    broker: [],
    panel: [],
    account: ['options', 'broker', 'panel'],
    '.': ['options', 'panel', 'account'],
    commands: ['options', 'account', 'panel', '.'],
  },
  'features/matter': {
    options: [],
    node: [],
    host: ['options', 'node'],
    '.': ['options', 'node', 'host'],
    commands: ['options', 'node', '.'],
  },
  'features/stays': {
    policy: [],
    words: ['policy'],
    calendar: ['policy'],
    tables: ['policy'],
    keeping: ['policy', 'words'],
    panel: ['policy', 'keeping'],
    account: ['policy', 'calendar', 'tables', 'keeping', 'panel'],
    '.': ['policy', 'panel', 'keeping', 'account'],
    commands: ['policy', 'words', 'panel', '.'],
  },
  relay: {
    cluster: [],
    '.': ['cluster'],
  },
  simulator: {
    contract: [],
    time: [],
    world: ['contract', 'time'],
    'world/behaviours': ['contract', 'time', 'world'],
    'world/house': ['contract', 'time', 'world', 'world/behaviours'],
    faults: ['contract', 'world'],
    auth: ['contract'],
    credentialing: ['contract'],
    'device-interface': ['auth', 'contract', 'world'],
    webhooks: ['contract', 'faults', 'time', 'world'],
    calendars: ['auth', 'faults', 'time', 'world'],
    scenario: [
      'auth',
      'calendars',
      'contract',
      'credentialing',
      'faults',
      'scenario/examples',
      'time',
      'webhooks',
      'world',
    ],
    control: [
      'auth',
      'calendars',
      'credentialing',
      'faults',
      'scenario',
      'time',
      'webhooks',
      'world',
      'world/house',
    ],
    '.': [
      'auth',
      'calendars',
      'contract',
      'control',
      'credentialing',
      'device-interface',
      'faults',
      'scenario',
      'time',
      'webhooks',
      'world',
      'world/house',
    ],
  },
};
