// Builds each page into static files that need no inline script or style, where its server looks for them.
import { join } from 'node:path';
import { defineConfig } from 'vite';

/** `vite build --mode doors` or `--mode panel`: the folder of the page. */
export default defineConfig(({ mode }) => ({
  root: join(import.meta.dirname, mode),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'web', mode),
    emptyOutDir: true,
    // Everything is a file of its own, for the page's policy allows no other.
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      output: {
        // The dashboard's files change their names with their content, so that a browser keeps them for good.
        entryFileNames: mode === 'panel' ? 'panel-[hash].js' : `${mode}.js`,
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: mode === 'panel' ? '[name]-[hash][extname]' : '[name][extname]',
      },
    },
  },
}));
