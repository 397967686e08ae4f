// The tests that have to notice a changed line; `main.ts` names the folder of each part.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // Half a minute for each changed line: the short exploration stands in for it.
    exclude: ['**/command-exploration.test.ts'],
    // The tests of these folders share nothing, and one loading of all modules is enough for them.
    isolate: false,
    setupFiles: ['test/harness/property-seed.ts'],
    testTimeout: 20_000,
  },
});
