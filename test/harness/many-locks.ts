// Households with as many locks as a test asks for, all of one resident.
import type { Scenario } from '../../simulator/src/scenario/scenario.ts';

/** `Lock 001` and so on. */
function nameOf(number: number): string {
  return `Lock ${String(number).padStart(3, '0')}`;
}

export function manyLocks(count: number): Scenario {
  return {
    locks: Array.from({ length: count }, (_, index) => ({
      name: nameOf(index + 1),
      type: 'WifiDeadbolt' as const,
      roles: { resident: 'owner' },
    })),
  };
}
