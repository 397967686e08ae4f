// The packed plugin in the homes of real programs: `npm run test:homes`. One file after the other: they are large.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'homes',
    include: ['test/real-homes/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts', 'test/real-homes/network-setup.ts'],
    fileParallelism: false,
    // As the other end-to-end tests: what fails once is tried once more, and shown as such.
    retry: 1,
    expect: { poll: { timeout: 40_000, interval: 50 } },
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
