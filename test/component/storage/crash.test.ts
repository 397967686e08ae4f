// A process that is killed while it writes.
import { describe, expect, it } from 'vitest';
import { surviveCrashes } from './crashes.ts';

describe('a process killed while it writes', () => {
  it('leaves every row whole, the old one or the new one, 50 times of 50 (faults#9)', async () => {
    const { survived, amidst } = await surviveCrashes(50, Math.random);
    expect(survived).toBe(50);
    expect(amidst).toBeGreaterThan(50 / 10);
  }, 120_000);
});
