// How `npm run torture` runs: one file after the other, with all the time it takes.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'torture',
    include: ['test/torture/**/*.test.ts', 'test/e2e/long/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    fileParallelism: false,
    // A real Homebridge has to start, and what is in `long` waits for real minutes. Most name a longer time themselves.
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
