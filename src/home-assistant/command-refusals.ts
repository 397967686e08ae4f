// Counts refused commands, and logs each reason rarely, so that whoever reaches the broker cannot fill the log.
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { SET_REFUSAL_WORDS, type SetRefusal } from './set-command.ts';

/** The same reason is not logged again before, in milliseconds (our choice); as with webhooks. */
const LOGGED_EVERY_MS = 3_600_000;

export type RefusalCounts = Readonly<Partial<Record<SetRefusal, number>>>;

export class CommandRefusals {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #log: Log;
  readonly #counts = new Map<SetRefusal, number>();
  readonly #loggedAt = new Map<SetRefusal, number>();

  constructor(clock: Pick<Clock, 'monotonic'>, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** `lock`: its name. */
  refused(lock: string, reason: SetRefusal): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    const now = this.#clock.monotonic();
    if (now - (this.#loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) >= LOGGED_EVERY_MS) {
      this.#loggedAt.set(reason, now);
      this.#log.warn(`${lock}: a command over MQTT was refused. ${SET_REFUSAL_WORDS[reason]}`);
    }
  }

  counts(): RefusalCounts {
    return Object.fromEntries(this.#counts);
  }
}
