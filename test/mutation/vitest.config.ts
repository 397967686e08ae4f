// The tests that have to notice a changed line of domain, wire, config and the verification of signatures.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/unit/{domain,wire,config,webhook}/**/*.test.ts',
      'test/component/webhook/{receive,agreement,refusals}.test.ts',
      'test/contract/**/*.test.ts',
    ],
    testTimeout: 20_000,
  },
});
