// How often a test does the same thing: a few times in every run of the tests, and as often as docs/faults.md says in torture.

/** `test/torture/vitest.config.ts` sets it. */
export const IN_TORTURE = process.env['TORTURE'] === 'yes';

export function howOften(inEveryRun: number, inTorture: number): number {
  return IN_TORTURE ? inTorture : inEveryRun;
}
