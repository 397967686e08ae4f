// How often a test does a thing and how long it may take: little and long in every run, as promised in torture.

/** `test/torture/vitest.config.ts` sets it. */
export const IN_TORTURE = process.env['TORTURE'] === 'yes';

export function howOften(inEveryRun: number, inTorture: number): number {
  return IN_TORTURE ? inTorture : inEveryRun;
}

/** After this a person is told "No Response" in Home. */
const FELT_MS = 10_000;

/** In torture a test has the machine to itself; in every run it shares a slow one with others, and only what a person feels counts. */
export function mostMs(promisedMs: number): number {
  return IN_TORTURE ? promisedMs : Math.max(FELT_MS, 5 * promisedMs);
}
