// Accounts whose processes are killed at random moments: no command is sent again, and the truth is found again.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CrashReport, crashAccount } from './runtime-crashes.ts';

/** A thousand in torture. */
const CRASHES = 8;
/** Side by side, since most of the time a new process waits for the truth. */
const ACCOUNTS = 2;

describe('an account that is killed', () => {
  it(`sends no command again, shows the truth and keeps its file whole, ${CRASHES} times of ${CRASHES} (faults#9, faults#33)`, async () => {
    const accounts = Array.from({ length: ACCOUNTS }, async () =>
      crashAccount(CRASHES / ACCOUNTS, randomUUID()),
    );
    const reports = await Promise.all(accounts);
    console.log(`Crashes at random points: ${JSON.stringify(reports)}`);
    const sum = (count: (report: CrashReport) => number): number =>
      reports.reduce((total, report) => total + count(report), 0);
    expect(sum(({ crashes }) => crashes)).toBe(CRASHES);
    // Otherwise the kills would miss what they are for.
    expect(sum(({ requested }) => requested)).toBeGreaterThan(0);
  });
});
