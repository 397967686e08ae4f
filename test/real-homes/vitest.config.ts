// The packed plugin in the homes of real programs: `npm run test:homes`. One file after the other: they are large.
import { defineConfig } from 'vitest/config';

const COMMON = {
  globalSetup: ['test/harness/global-setup.ts', 'test/real-homes/network-setup.ts'],
  fileParallelism: false,
  expect: { poll: { timeout: 40_000, interval: 50 } },
  hookTimeout: 240_000,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...COMMON,
          name: 'homes',
          include: ['test/real-homes/*.test.ts'],
          // As the other end-to-end tests: what fails once is tried once more, and shown as such.
          retry: 1,
          testTimeout: 240_000,
        },
      },
      {
        test: {
          ...COMMON,
          name: 'homes-long',
          include: ['test/real-homes/long/*.test.ts'],
          testTimeout: 45 * 60_000,
        },
      },
    ],
  },
});
