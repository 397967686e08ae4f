// The tests that have to notice a changed line of domain, wire, config and the verification of signatures.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/unit/{domain,wire,config,webhook}/**/*.test.ts',
      'test/component/webhook/{receive,agreement,refusals}.test.ts',
      'test/component/sync/{commands,command-*,under-way,time,events,polling}.test.ts',
      'test/contract/**/*.test.ts',
    ],
    // Half a minute for each changed line: the short exploration stands in for it.
    exclude: ['test/unit/domain/command-exploration.test.ts'],
    testTimeout: 20_000,
  },
});
