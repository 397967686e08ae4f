// The parts from which an account is composed: its configuration, and the clock, log and randomness of its process.
import type { AccountOnDisk } from '../ownership/owner-search.ts';

export interface ComposeParts extends AccountOnDisk {
  /** The file with the account's options; left out, `config.json` of the folder. */
  readonly configFile?: string;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
}
