// Joins modules into few files, `--mode plugin` or `--mode tools`: Node takes about half a millisecond to find and link each.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const root = join(import.meta.dirname, '..');

const module = (path: string): string => join(root, 'src', path);

/** Apart, so that Homebridge loads nothing that the tools alone need. */
const ENTRIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plugin: { index: module('index.ts') },
  // The command line, and the process behind a window of the Homebridge UI.
  tools: { 'cli/main': module('cli/main.ts'), 'ui-server/main': module('ui-server/main.ts') },
};

/** License comments keep their letters as escapes: `charset` leaves comments alone. */
function escapeLetters(code: string): string {
  return code.replaceAll(/[^\p{ASCII}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`);
}

export default defineConfig(({ mode }) => ({
  plugins: [{ name: 'ascii-comments', renderChunk: escapeLetters }],
  publicDir: false,
  // Its modules instead of its CommonJS files, of which nothing could be left out.
  resolve: { alias: { yaml: join(root, 'node_modules', 'yaml', 'browser', 'index.js') } },
  // Packages stay outside, where npm installs them, but for those of which most is never used: undici and zod take 10 MB less so.
  ssr: { target: 'node', noExternal: ['undici', 'yaml', 'zod'] },
  build: {
    ssr: true,
    target: 'node22',
    outDir: join(root, 'dist'),
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: ENTRIES[mode] ?? {},
      output: {
        // Names that stay: the tarball's list of files is compared.
        entryFileNames: '[name].js',
        // A file of its own: read as one with ours, the two leave 4 MB more behind.
        codeSplitting: { groups: [{ name: 'undici', test: /node_modules.undici/ }] },
        chunkFileNames: `${mode}/[name].js`,
        // V8 keeps the text of every file, and takes two bytes for each character where a single one needs them.
        charset: 'ascii',
        comments: { annotation: false, jsdoc: false, legal: true },
      },
    },
  },
}));
