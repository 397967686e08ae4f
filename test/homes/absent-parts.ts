// Parts of an account that a test has no use for: no past, no stays, no access codes.
import { NEVER_USED } from '../../src/domain/codes/file-age.ts';
import { NOTHING_LEARNED } from '../../src/domain/codes/pin-length.ts';
import type { HistoryPages } from '../../src/domain/ports.ts';
import type { AccountRuntimeParts } from '../../src/engine/account-runtime.ts';
import type { Clock } from '../../src/support/clock.ts';
import { FinalError } from '../../src/support/errors.ts';
import { silentLog } from '../../src/support/log.ts';
import { serviceClockOf } from '../support/known-time.ts';

/** Pages without a line. */
export const NO_PAGES: HistoryPages = {
  page: () => ({ lines: [], next: null }),
  people: () => [],
};

/** An empty history, for tests of the present. */
export const NO_MEMORY: AccountRuntimeParts['memory'] = {
  service: { history: async () => Promise.resolve({ entries: [], limit: 100 }) },
  archive: {
    mark: () => null,
    begin() {},
    saveListed() {},
    saveReported() {},
    prune() {},
    newest: () => [],
  },
  pages: NO_PAGES,
};

/** Locks without access codes, for tests of the bolt. */
const NO_CODES: AccountRuntimeParts['codes'] = {
  gateway: {
    codes: async () => Promise.resolve([]),
    send: async () => Promise.reject(new FinalError('refused', 'This service changes no access codes.')),
    codeOutcome: async () => Promise.reject(new FinalError('not-found', 'There is no such command.')),
  },
  store: {
    guests: () => [],
    unread: () => [],
    eraseUnread() {},
    saveGuest() {},
    eraseGuest() {},
    oldFile: () => null,
    saveOldFile() {},
    strays: () => [],
    saveStrays() {},
    lengths: () => NOTHING_LEARNED,
    saveLengths() {},
  },
  age: { restored: () => null, use: () => NEVER_USED, saveUse() {} },
  writtenZone: () => 'UTC',
  machineZone: () => 'UTC',
};

/** What an account over a service, a disk and a link needs beside them: nobody is known, and every lock may be moved. */
export function otherParts(
  clock: Clock,
): Omit<AccountRuntimeParts, 'gateway' | 'journal' | 'knownLocks' | 'link'> {
  return {
    subject: () => null,
    clock,
    serviceClock: serviceClockOf(clock),
    log: silentLog,
    limits: { idleMs: 30_000, healthyMs: 300_000, evidenceMaxAgeMs: 900_000 },
    leftUnlocked: { alertAfterMs: null, lockAfterMs: null },
    rulesFor: () => ({ remoteUnlock: true }),
    random: () => 0,
    codes: NO_CODES,
    randomDigits: (count) => '7'.repeat(count),
    joining: [],
    memory: NO_MEMORY,
  };
}
