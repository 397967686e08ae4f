// Counts refused commands, and logs each reason rarely, so that a stranger at the broker cannot fill the log.
import type { RequestRefusal } from '../../../domain/commands/intent-policy.ts';
import type { Clock } from '../../../support/clock.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { SetRefusal } from './set-command.ts';

/** The same reason is not logged again before, in milliseconds (our choice); as with webhooks. */
const LOGGED_EVERY_MS = 3_600_000;

/** Refusals before the account is asked, and refusals by the account. */
type CommandRefusal = SetRefusal | RequestRefusal;

export type RefusalCounts = Readonly<Partial<Record<CommandRefusal, number>>>;

export class CommandRefusals {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #log: Log;
  readonly #counts = new Map<CommandRefusal, number>();
  readonly #loggedAt = new Map<CommandRefusal, number>();

  constructor(clock: Pick<Clock, 'monotonic'>, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** `lock`: its name; `words`: the reason as a sentence. */
  refused(lock: string, reason: CommandRefusal, words: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    const now = this.#clock.monotonic();
    if (now - (this.#loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) >= LOGGED_EVERY_MS) {
      this.#loggedAt.set(reason, now);
      this.#log.warn(t('{lock}: a command over MQTT was refused. {why}', { lock, why: words }));
    }
  }

  counts(): RefusalCounts {
    return Object.fromEntries(this.#counts);
  }
}
