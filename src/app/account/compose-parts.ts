// The parts from which an account is composed: its configuration, and the clock, log and randomness of its process.
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';

export interface ComposeParts {
  readonly config: Config;
  /** Homebridge's storage path, below which the plugin stores its data unless configured otherwise. */
  readonly homebridgeFolder: string;
  /** The file with the account's options; left out, `config.json` of the folder. */
  readonly configFile?: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
}
