// What a feature brings into the runtime of an account: a module that works beside those of the core.
import type { HistoryArchive } from '../domain/ports.ts';
import type { AccessCodes } from './codes/access-codes.ts';
import type { Guests } from './codes/guests.ts';
import type { CommonParts } from './locks/common-parts.ts';

export interface JoinParts extends CommonParts {
  readonly codes: AccessCodes;
  readonly guests: Guests;
  readonly archive: HistoryArchive;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
}

export interface JoinedFeature {
  start(): void;
  /** A person has linked the account, which therefore does not end. */
  goOn?(): void;
  /** Another account is linked: what is kept of the locks of the former one goes. Throws retry (`storage-failed`). */
  forgetAll(): void;
  dispose(): void;
}

export type Join = (parts: JoinParts) => JoinedFeature;
