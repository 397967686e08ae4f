// How the tests run: those of single pieces side by side, those of the packed plugin in real processes one file at a time.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/{architecture,unit,component,contract,simulator}/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/{package,e2e,browser}/**/*.test.ts'],
          globalSetup: ['test/harness/global-setup.ts'],
          fileParallelism: false,
          // Real browsers and processes share the machine with everything else: what fails once is tried once more, and shown as such.
          retry: 1,
          // What a page shows is asked again until it is so, as long as a person would look at a slow machine.
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
