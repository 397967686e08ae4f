// The tests that have to notice a changed line; `main.ts` names the folder of each part.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // Seconds for each changed line: examples have to notice it, and the short exploration stands in for the whole.
    exclude: ['**/*.property.test.ts', '**/exploration.test.ts', '**/planted.test.ts'],
    // The tests of these folders share nothing, and one loading of all modules is enough for them.
    isolate: false,
    setupFiles: ['test/harness/property-seed.ts', 'test/harness/features.ts'],
    testTimeout: 20_000,
  },
});
