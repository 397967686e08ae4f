// Parts of an account that a test has no use for: no past, no stays, no access codes.
import { NOTHING_LEARNED } from '../../src/domain/codes/pin-length.ts';
import type { HistoryPages } from '../../src/domain/ports.ts';
import { FinalError } from '../../src/support/errors.ts';
import type { AccountRuntimeParts } from '../../src/sync/account-runtime.ts';

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
    keepListed() {},
    keepReported() {},
    newest: () => [],
  },
  pages: NO_PAGES,
};

/** Locks without booking calendars. */
export const NO_STAYS: AccountRuntimeParts['stays'] = {
  gateway: { read: async () => Promise.resolve({ kind: 'unchanged' }) },
  stayStore: {
    stays: () => [],
    saveStay() {},
    eraseStay() {},
    calendars: () => [],
    saveCalendar() {},
    eraseCalendar() {},
  },
  setup: { calendars: () => [], addressOf: () => null },
  randomDigits: (count) => '7'.repeat(count),
};

/** Locks without access codes, for tests of the bolt. */
export const NO_CODES: AccountRuntimeParts['codes'] = {
  gateway: {
    codes: async () => Promise.resolve([]),
    send: async () => Promise.reject(new FinalError('refused', 'This service changes no access codes.')),
    codeOutcome: async () => Promise.reject(new FinalError('not-found', 'There is no such command.')),
  },
  store: {
    open: () => [],
    save() {},
    erase() {},
    strays: () => [],
    saveStrays() {},
    lengths: () => NOTHING_LEARNED,
    saveLengths() {},
  },
  guests: { all: () => [], save() {}, erase() {} },
  writtenZone: () => 'UTC',
  machineZone: () => 'UTC',
};
