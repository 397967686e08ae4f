// The packed plugin, as listed and as installed from the npm registry: `npm run test:package`. Needs the network.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'package',
    include: ['test/{package,registry}/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
