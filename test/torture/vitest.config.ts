// How `npm run torture` runs: one file after the other, with all the time it takes.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'torture',
    include: ['test/torture/**/*.test.ts', 'test/e2e/long/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    fileParallelism: false,
  },
});
