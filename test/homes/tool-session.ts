// A tool, such as the terminal, at the account of a home: as its owner's client, or alone.
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/support/log.ts';
import { AccountSession } from '../../src/tools/account-session.ts';
import type { SimulatedHome } from './simulated-home.ts';

/** Closed with the test. */
export function sessionAt(home: SimulatedHome): AccountSession {
  const session = new AccountSession({
    config: home.config,
    homebridgeFolder: home.folder,
    clock: home.clock,
    log: silentLog,
    random: () => 0.5,
    signal: new AbortController().signal,
  });
  onTestFinished(async () => session.close());
  return session;
}
