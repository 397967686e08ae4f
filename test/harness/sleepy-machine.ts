// A machine that a test puts to sleep, or lets hurry through an hour, with the real Homebridge that runs on it.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/support/clock.ts';
import {
  gainedAt,
  type MachineTimes,
  readTimes,
  TIMES_FILE,
  TRUE_TIMES,
  writeTimes,
} from './machine-times.ts';
import type { Stage } from './stage.ts';

const PRELOAD = new URL('machine-time-preload.ts', import.meta.url).href;

export class SleepyMachine {
  readonly #path: string;
  readonly #file: number;

  /** `folder`: its caller makes and removes it. */
  constructor(folder: string) {
    this.#path = join(folder, 'machine-times');
    this.#file = openSync(this.#path, 'w+');
    writeTimes(this.#file, TRUE_TIMES);
  }

  /** The arguments with which a Homebridge on this machine is started. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import="${PRELOAD}"`, [TIMES_FILE]: this.#path };
  }

  /** For the service: it hurries with the machine, so that both live through the same hour, and never sleeps. */
  get clock(): Clock {
    const now = (): number => {
      const trueNow = systemClock.now();
      return gainedAt(this.#times, trueNow);
    };
    return {
      commits: systemClock.commits,
      now: () => Math.floor(systemClock.now() + now()),
      monotonic: () => systemClock.monotonic() + now(),
      after: (delayMs, callback) => systemClock.after(delayMs / this.#times.pace, callback),
    };
  }

  /** From now on both clocks, and timers that are set, run this many times as fast. */
  hurry(pace: number): void {
    const since = systemClock.now();
    const times = this.#times;
    writeTimes(this.#file, { ...times, gainedMs: gainedAt(times, since), pace, since });
  }

  /**
   * Stops Homebridge for so long by the service's clock. `meanwhile` may act and let some of that time pass; the rest of it
   * passes at the end.
   */
  async sleep(
    stage: Stage,
    durationMs: number,
    meanwhile: (pass: (ms: number) => void) => Promise<void>,
  ): Promise<void> {
    const pid = stage.homebridge.pid ?? Number.NaN;
    let restMs = durationMs;
    const pass = (ms: number): void => {
      restMs -= ms;
      stage.simulator.clock.advance(ms);
    };
    process.kill(pid, 'SIGSTOP');
    try {
      await meanwhile(pass);
      pass(restMs);
      const times = this.#times;
      writeTimes(this.#file, { ...times, sleptMs: times.sleptMs + durationMs });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  get #times(): MachineTimes {
    return readTimes(this.#file);
  }
}
