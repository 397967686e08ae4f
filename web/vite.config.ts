// Builds each page into static files that need no inline script or style, where its server looks for them.
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { licenses } from '../scripts/licenses.ts';
import { translatedTexts } from '../scripts/messages.ts';
import { keyed } from './panel/state/sentence-key.ts';

/** The translations of the pages alone, by short keys: a reader loads nothing of the command line, or of the settings form. */
function translations(): Plugin {
  const sentences = translatedTexts(join(import.meta.dirname, '..'));
  return {
    name: 'translations',
    enforce: 'pre',
    transform(json, id) {
      if (!/\/languages\/\w+\.json$/.test(id)) {
        return null;
      }
      const parsed: unknown = JSON.parse(json);
      return JSON.stringify(keyed(Object.fromEntries(Object.entries(parsed ?? {})), sentences));
    },
  };
}

/** The dashboard and the window of the Homebridge UI share their files, which lie where that UI looks for them. */
const FOLDERS: Readonly<Record<string, string>> = { doors: 'web/doors', panel: 'homebridge-ui/public' };

const OFFLINE = 'offline-worker';

const PANEL_ENTRIES = {
  index: join(import.meta.dirname, 'panel', 'index.html'),
  [OFFLINE]: join(import.meta.dirname, 'panel', `${OFFLINE}.ts`),
};

/** The sources of each page: the simulator's lies in its own house. */
const SOURCES: Readonly<Record<string, string>> = {
  doors: join(import.meta.dirname, '..', 'simulator', 'page'),
  panel: join(import.meta.dirname, 'panel'),
};

/** `vite build --mode doors` or `--mode panel`. */
export default defineConfig(({ mode }) => ({
  root: SOURCES[mode] ?? '',
  base: './',
  // A translation is one value: a name for each sentence would be a fifth of the file.
  json: { namedExports: false, stringify: true },
  plugins: [licenses(mode), ...(mode === 'panel' ? [translations()] : [])],
  // The worker's file is found beside the pages, and changes its name as they do.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: '[name]-[hash].js' } } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', FOLDERS[mode] ?? ''),
    emptyOutDir: true,
    // Everything is a file of its own, for the page's policy allows no other.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: mode === 'panel' ? PANEL_ENTRIES : join(SOURCES[mode] ?? '', 'index.html'),
      output: {
        // The dashboard's files change their names with their content, so that a browser keeps them for good. Only the
        // worker that makes it installable is looked for by its name.
        entryFileNames: ({ name }) =>
          name === OFFLINE ? `${OFFLINE}.js` : mode === 'panel' ? 'panel-[hash].js' : `${mode}.js`,
        // Three small modules that every page needs are one request.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'small', test: /(?:language\/message|words\/sentence|parts\/rich)\.tsx?$/ }],
        },
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: mode === 'panel' ? '[name]-[hash][extname]' : '[name][extname]',
      },
    },
  },
}));
