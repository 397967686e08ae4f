// Joins modules into few files, `--mode plugin`, `tools`, `mqtt`, `nats` or `calendar`: Node takes about half a millisecond to find and link each.
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { licenses } from './licenses.ts';

const root = join(import.meta.dirname, '..');

const module = (path: string): string => join(root, 'src', path);

/** Apart, so that Homebridge loads nothing that the tools alone need. */
const ENTRIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // What Homebridge loads, apart from what it loads in turn: an outdated Node can read it.
  index: { index: module('index.ts') },
  plugin: { 'plugin/platform': module('plugin/platform.ts') },
  // The command line, and the process behind a window of the Homebridge UI.
  tools: { 'cli/main': module('start/cli.ts'), 'ui-server/main': module('ui-server/main.ts') },
  // The package for brokers with all that it needs, in one file for both: homes without a broker never load it.
  mqtt: { mqtt: join(root, 'node_modules', 'mqtt', 'build', 'index.js') },
  // Apart from our code as well: read as one with it, the two leave 4 MB more behind.
  undici: { undici: module('cloud/http/undici-exports.ts') },
  nats: { nats: module('nats/nats-exports.ts') },
  // The thread that reads booking calendars, with its package: started when a calendar is read.
  calendar: { calendar: module('features/stays/calendar/parser-worker.ts') },
};

/** Minified, with every package joined. */
const APART: ReadonlySet<string> = new Set(['mqtt', 'nats', 'undici', 'calendar']);

/** License comments keep their letters as escapes: `charset` leaves comments alone. */
function escapeLetters(code: string): string {
  return code.replaceAll(/[^\p{ASCII}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`);
}

/** The plugin and the tools share one file of each; their chunks lie in a folder beside it. */
const brokerPackage: Plugin = {
  name: 'broker-package',
  enforce: 'pre',
  resolveId: (name, from = '') => {
    if (name === 'mqtt') {
      return { id: '../mqtt.js', external: true };
    }
    if (name === 'undici') {
      // The query keeps `source-map-support`, which Homebridge loads, from finding the file: it would keep its text a second time
      // from the first connection that closes.
      return { id: '../undici.js?bundled', external: true };
    }
    if (name === './platform.ts' && from.endsWith('load-platform.ts')) {
      return { id: './plugin/platform.js', external: true };
    }
    return name === './nats-exports.ts' ? { id: '../nats.js', external: true } : null;
  },
};

/** In place of a module that is never used. */
const NOTHING = '\0nothing';
const UNDICI_PARTS = '\0undici-parts';

/** The parts of undici that `undici-exports.ts` names: the whole package starts with `fetch`, mocks and HTTP/2. */
const undiciParts: Plugin = {
  name: 'undici-parts',
  enforce: 'pre',
  resolveId: (name, from = '') => {
    if (name === 'undici') {
      return UNDICI_PARTS;
    }
    // All our bodies are texts and bytes, and `allowH2` is false everywhere.
    const isForms = /[\\/]undici[\\/]/u.test(from) && name.includes('/web/');
    return isForms || name === 'node:http2' ? NOTHING : null;
  },
  load: (id) => {
    if (id === NOTHING) {
      return 'export const constants = {};';
    }
    return id === UNDICI_PARTS
      ? `
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        import request from 'undici/lib/api/api-request.js';
        export { default as buildConnector } from 'undici/lib/core/connect.js';
        export { default as Client } from 'undici/lib/dispatcher/client.js';
        export { default as Pool } from 'undici/lib/dispatcher/pool.js';
        Dispatcher.prototype.request = request;`
      : null;
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [
    { name: 'ascii-comments', renderChunk: escapeLetters },
    licenses(mode),
    ...(APART.has(mode) ? [] : [brokerPackage]),
    ...(mode === 'undici' ? [undiciParts] : []),
  ],
  // As Node joins undici: without its second parser, which is an experiment.
  define: mode === 'undici' ? { esbuildDetection: 'true' } : {},
  publicDir: false,
  // Its modules instead of its CommonJS files, of which nothing could be left out.
  resolve: { alias: { yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js') } },
  // Packages stay outside, where npm installs them, but for those of which most is never used: undici and zod take 10 MB less so.
  ssr: { target: 'node', noExternal: APART.has(mode) ? true : ['undici', 'yaml', 'zod'] },
  build: {
    ssr: true,
    target: 'node22',
    outDir: join(root, 'dist'),
    emptyOutDir: false,
    minify: APART.has(mode),
    rolldownOptions: {
      input: ENTRIES[mode] ?? {},
      output: {
        // Names that stay: the tarball's list of files is compared.
        entryFileNames: '[name].js',
        chunkFileNames: `${mode}/[name].js`,
        // Small modules that several commands need are one file, not one each.
        ...(mode === 'tools'
          ? {
              codeSplitting: {
                groups: [
                  {
                    name: 'small',
                    minShareCount: 2,
                    maxModuleSize: 700,
                    test: /[\\/]src[\\/](?:support|domain)[\\/]/,
                  },
                ],
              },
            }
          : {}),
        // V8 keeps the text of every file, and takes two bytes for each character where a single one needs them.
        charset: 'ascii',
        comments: { annotation: false, jsdoc: false, legal: true },
      },
    },
  },
}));
