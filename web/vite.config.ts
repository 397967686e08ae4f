// Builds the doors page into static files that need no inline script or style, where the simulator looks for them.
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: join(import.meta.dirname, 'doors'),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'web', 'doors'),
    emptyOutDir: true,
    // Everything is a file of its own, for the page's policy allows no other.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Names that stay: the tarball's list of files is compared, and the page is served with `no-cache`.
        entryFileNames: 'doors.js',
        assetFileNames: '[name][extname]',
      },
    },
  },
});
