// The long version of the crash test: a thousand kills.
import { describe, expect, it } from 'vitest';
import { surviveCrashes } from '../component/storage/crashes.ts';

describe('a process killed while it writes, for long', () => {
  it('leaves every row whole, the old one or the new one, 1,000 times of 1,000 (faults#9)', async () => {
    const { survived, amidst } = await surviveCrashes(1_000, Math.random);
    expect(survived).toBe(1_000);
    expect(amidst).toBeGreaterThan(1_000 / 10);
  }, 1_200_000);
});
