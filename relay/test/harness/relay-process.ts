// A relay as a process of its own that a test may kill: its configuration file is the only argument.

import { silentLog } from '../../../src/support/log.ts';
import { hastyClock } from '../../../test/harness/hasty-clock.ts';
import { runRelay } from '../../src/relay.ts';
import { readRelayConfig } from '../../src/relay-config.ts';

const stopping = new AbortController();
process.once('SIGTERM', () => {
  stopping.abort();
});
await runRelay({
  config: readRelayConfig(process.argv[2] ?? ''),
  clock: hastyClock,
  log: silentLog,
  random: Math.random,
  stopped: stopping.signal,
  onOpen: () => {
    process.stdout.write('up\n');
  },
});
