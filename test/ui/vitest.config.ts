// The packed plugin in the real Homebridge UI, in a real browser: `npm run test:ui`. One file after the other.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'ui',
    include: ['test/ui/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/features.ts'],
    fileParallelism: false,
    // As the other end-to-end tests: what fails once is tried once more, and shown as such.
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
