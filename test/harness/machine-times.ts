// How far a pretended machine's clocks differ from the true ones, as four numbers in a file that all its processes read.
import { readSync, writeSync } from 'node:fs';

/** The variable that names the file. */
export const TIMES_FILE = 'LATCHKEY_TEST_TIMES';

export interface MachineTimes {
  /** Time slept, in milliseconds: the wall clock has counted it, the monotonic clock and timers have not. */
  readonly sleptMs: number;
  /** What both clocks had gained until `since`, in milliseconds. */
  readonly gainedMs: number;
  /** Both clocks, and timers, run this many times as fast from `since` on (true epoch milliseconds). */
  readonly pace: number;
  readonly since: number;
}

export const TRUE_TIMES: MachineTimes = { sleptMs: 0, gainedMs: 0, pace: 1, since: 0 };

const numbers = new Float64Array(4);
const bytes = new Uint8Array(numbers.buffer);

export function readTimes(file: number): MachineTimes {
  readSync(file, bytes, 0, bytes.length, 0);
  const [sleptMs = 0, gainedMs = 0, pace = 1, since = 0] = numbers;
  return { sleptMs, gainedMs, pace, since };
}

export function writeTimes(file: number, { sleptMs, gainedMs, pace, since }: MachineTimes): void {
  numbers.set([sleptMs, gainedMs, pace, since]);
  writeSync(file, bytes, 0, bytes.length, 0);
}

/** What both clocks have gained on the true ones at a true time, in milliseconds; sleep comes on top for the wall clock. */
export function gainedAt({ gainedMs, pace, since }: MachineTimes, trueNow: number): number {
  return gainedMs + (pace === 1 ? 0 : (trueNow - since) * (pace - 1));
}
