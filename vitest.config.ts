// How the tests run: single pieces, the pages in a real browser, and the packed plugin in real processes.
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/harness/longest-first.ts';

/** Hundreds of processes begin in a run: what one of them has compiled, the next one reads. */
const SHARED = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled') };

/** Room for young objects as on a computer with much memory: a tenth less is spent on collecting them. */
const ROOMY = ['--max-semi-space-size=64'];

/**
 * More than cores: tests of processes and brokers wait most of the time, and with four the first third of a run left half of two
 * cores idle. Each takes up to 0.8 GB of memory.
 */
const WORKERS = Math.max(availableParallelism(), Math.min(8, Math.floor(totalmem() / 1e9) - 2));

/** Counts every object of its process. */
const HEAP = 'test/component/app/soak.test.ts';

/** Fills a node's disk and waits for a minute: `npm run torture` has it, and `npm run test:cluster`. */
const FULL_DISK = 'relay/test/component/cluster-disk.test.ts';

/** Every process adds them at its start. */
const FEATURES = 'test/harness/features.ts';

/** What is asked again until it is so may take long on a busy machine; how fast it is, the bench and the torture say. */
const SLOW = { poll: { timeout: 40_000, interval: 20 } };

/** Each look at a page or a home takes milliseconds of several processes, which all the others wait for. */
const SLOW_AND_SELDOM = { poll: { timeout: 40_000, interval: 50 } };

/** For real browsers and processes, which share the machine with everything else. */
const REAL = {
  env: SHARED,
  execArgv: ROOMY,
  // What fails once is tried once more, and shown as such.
  retry: 1,
  expect: SLOW_AND_SELDOM,
  testTimeout: 400_000,
  hookTimeout: 400_000,
  setupFiles: [FEATURES],
};

export default defineConfig({
  test: {
    // What has not changed since the last run is not compiled again.
    fsModuleCache: true,
    // All projects have as many, so that none waits for the end of another.
    maxWorkers: WORKERS,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'fast',
          include: [
            'test/{architecture,unit,component,contract,stand-ins}/**/*.test.ts',
            'relay/test/{unit,component}/**/*.test.ts',
            'simulator/test/**/*.test.ts',
          ],
          exclude: [HEAP, FULL_DISK, 'simulator/test/browser/**'],
          env: SHARED,
          setupFiles: ['test/harness/property-seed.ts', FEATURES],
          // No test changes what another one sees, so files share a process: a quarter of the time is saved.
          isolate: false,
          execArgv: ROOMY,
          expect: SLOW,
          testTimeout: 150_000,
          hookTimeout: 150_000,
        },
      },
      {
        test: {
          name: 'heap',
          // What other tests left behind would be counted, and walked through for each count.
          include: [HEAP],
          setupFiles: [FEATURES],
        },
      },
      {
        test: {
          name: 'browser',
          include: ['{test,simulator/test}/browser/**/*.test.ts'],
          // One browser a worker instead of one for every file.
          isolate: false,
          globalSetup: ['test/harness/build-setup.ts'],
          ...REAL,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/{package,e2e}/**/*.test.ts', 'relay/test/e2e/**/*.test.ts'],
          // Each begins processes of its own; what it imports is read once.
          isolate: false,
          globalSetup: ['test/harness/global-setup.ts'],
          ...REAL,
        },
      },
    ],
  },
});
