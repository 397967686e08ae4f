// The other fifty of a hundred flat-years, in a file of their own: they take as long as the first.
import { expect, it } from 'vitest';
import { flatYears } from '../../../../support/flat-years.ts';

it('in fifty more flat-years no guest stands before a locked door, and no code opens for another one (faults#149, faults#154, faults#155, faults#156)', {
  timeout: 600_000,
}, async () => {
  const { figures, faults } = await flatYears(50, 500_050);
  expect(faults).toEqual([]);
  expect(figures.arrivals).toBeGreaterThan(1_500);
});
