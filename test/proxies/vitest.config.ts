// The proxies that the documents recommend, as Debian has them: `npm run test:proxies`. Needs root, and their packages.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'proxies',
    include: ['test/proxies/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
