// What Homebridge gives to HomeKit and Matter alike: a clock, a kept log, and changes of a lock's options.
import type { LockId } from '../../src/domain/locks/lock.ts';
import type { Log } from '../../src/support/log.ts';
import { ManualClock } from '../support/manual-clock.ts';

export class ShellFixture {
  readonly clock = new ManualClock();
  /** Every line of the log, after its level. */
  readonly lines: string[] = [];
  #listener: ((id: LockId) => void) | null = null;

  /** The options of this lock have changed. */
  configured(id: LockId): void {
    this.#listener?.(id);
  }

  protected readonly subscribeOptions = (listener: (id: LockId) => void): (() => void) => {
    this.#listener = listener;
    return () => {
      this.#listener = null;
    };
  };

  protected get log(): Log {
    const writer = (level: string) => (line: string) => {
      this.lines.push(`${level} ${line}`);
    };
    return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
  }
}
