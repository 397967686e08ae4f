// An account whose process is killed at random moments: what was sent is not sent again, and the truth is found again.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { crashHouse } from './runtime-crashes.ts';

const CRASHES = 50;

describe('an account that is killed', () => {
  it(`sends no command again, shows the truth and keeps its file whole, ${CRASHES} times of ${CRASHES} (faults#9, faults#33)`, async () => {
    const report = await crashHouse(CRASHES, randomUUID());
    console.log(`Crashes at random points: ${JSON.stringify(report)}`);
    // Otherwise the kills would miss what they are for.
    expect(report.underWay).toBeGreaterThan(CRASHES / 10);
    expect(report.whileStarting).toBeGreaterThan(0);
    expect(report.sent).toBeGreaterThan(CRASHES / 3);
  }, 300_000);
});
