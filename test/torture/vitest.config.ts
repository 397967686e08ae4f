// How `npm run torture` runs: one file after the other, with all the time it takes.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'torture',
    include: [
      'test/torture/**/*.test.ts',
      'relay/test/torture/**/*.test.ts',
      'test/component/app/account/failing-disk.test.ts',
      'test/component/app/codes/echoes.test.ts',
      'test/component/app/inert-platform.test.ts',
      'test/component/app/soak.test.ts',
      'test/component/app/thrown-errors.test.ts',
      'test/component/app/webhooks/bad-deliveries.test.ts',
      'test/component/cli/account/owner-changes.test.ts',
      'test/component/cloud/fresh-connections.test.ts',
      'test/component/features/credentials/import.test.ts',
      'test/browser/panel-look.test.ts',
      'test/unit/backup/sealed-file.test.ts',
      'test/unit/config/read-config.property.test.ts',
      'test/unit/webhook/verify-signature.test.ts',
      'relay/test/component/cluster-disk.test.ts',
      'relay/test/component/cluster-faults.test.ts',
      'test/e2e/behind-router.test.ts',
      'test/e2e/cli/alone.test.ts',
      'test/e2e/faults/one-owner.test.ts',
    ],
    // Short versions of the components are in every run of the tests.
    env: { TORTURE: 'yes' },
    setupFiles: ['test/harness/features.ts'],
    // As in the other end-to-end tests.
    expect: { poll: { timeout: 40_000 } },
    globalSetup: ['test/harness/global-setup.ts'],
    fileParallelism: false,
    // A real Homebridge has to start, and some wait for real minutes. Most name a longer time themselves.
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
