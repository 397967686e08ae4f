// The tests that have to notice a changed line: those of the folders of one part.
import { defineConfig } from 'vitest/config';

/** As `main.ts` names them for the part that is tried. */
const folders = (process.env['MUTATION_TESTS'] ?? 'test/unit').split(',');

export default defineConfig({
  test: {
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    // Seconds for each changed line: examples have to notice it, and the short exploration stands in for the whole.
    exclude: ['**/*.property.test.ts', '**/exploration.test.ts', '**/planted.test.ts'],
    // The tests of these folders share nothing, and one loading of all modules is enough for them.
    isolate: false,
    setupFiles: ['test/harness/property-seed.ts', 'test/harness/features.ts'],
    // What a changed line never brings about is not waited for as long as on a busy machine.
    expect: { poll: { timeout: 5_000, interval: 20 } },
    testTimeout: 60_000,
  },
});
