// The packed plugin on every Homebridge and Node that package.json names: `npm run test:versions`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'versions',
    include: ['test/versions/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    // As the other end-to-end tests: what fails once is tried once more, and shown as such.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
