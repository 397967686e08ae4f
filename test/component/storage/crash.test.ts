// A process that is killed while it writes.
import { expect, it } from 'vitest';
import { surviveCrashes } from './crashes.ts';

it('a process killed while it writes leaves every row whole, the old one or the new one, 10 times of 10 (faults#9)', async () => {
  const { survived, amidst } = await surviveCrashes(10, Math.random);
  expect(survived).toBe(10);
  expect(amidst).toBeGreaterThan(0);
}, 120_000);
