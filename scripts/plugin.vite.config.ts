// Joins what the plugin loads at its start into few files: Node takes about half a millisecond to find and link each.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const dist = join(import.meta.dirname, '..', 'dist');

/** License comments keep their letters as escapes: `charset` leaves comments alone. */
function escapeLetters(code: string): string {
  return code.replaceAll(/[^\p{ASCII}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ''}}`);
}

export default defineConfig({
  plugins: [{ name: 'ascii-comments', renderChunk: escapeLetters }],
  publicDir: false,
  // Packages stay outside, where npm installs them, but for two of which most is never used: joined, they take 10 MB less.
  ssr: { target: 'node', noExternal: ['undici', 'zod'] },
  build: {
    ssr: join(dist, 'index.js'),
    target: 'node22',
    // As deep as the rooms, which find package.json and the pages by their own place.
    outDir: join(dist, 'joined'),
    minify: false,
    rolldownOptions: {
      output: {
        // Names that stay: the tarball's list of files is compared.
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // V8 keeps the text of every file, and takes two bytes for each character where a single one needs them.
        charset: 'ascii',
        comments: { annotation: false, jsdoc: false, legal: true },
      },
    },
  },
});
