// Keeps the pending link attempt across a restart, so that a person on the service's page need not start over.
import type { Clock } from '../support/clock.ts';
import { tryDisk } from '../support/files/try-disk.ts';
import type { Log } from '../support/log.ts';
import { memberOf } from '../support/text/foreign-json.ts';
import { LINK_TIMEOUT_MS } from './link-machine.ts';

/** The data to judge and exchange an answer. */
export interface KeptAttempt {
  readonly state: string;
  readonly verifier: string | null;
  /** How long ago it began, in milliseconds. */
  readonly ageMs: number;
}

const KEY = 'link.attempt';

/** The stored form of an attempt; `startedAt` is wall time. */
interface AttemptRecord {
  readonly state: string;
  readonly verifier: string | null;
  readonly startedAt: number;
  readonly audience: string;
}

export class LinkAttempts {
  readonly #parts;
  /** The newest change did not reach the disk: its contents are void. */
  #isBehind = false;

  constructor(parts: {
    /** A place for secrets. Throws when the disk fails. */
    readonly secrets: {
      read(key: string): unknown;
      write(key: string, value: object): void;
      erase(key: string): void;
    };
    /** The authorization server, client and redirect URI of the attempt, which is invalid for any others. */
    readonly audience: () => string;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#parts = parts;
  }

  /** Stores the attempt that begins now; any other is gone, also when the disk has no room for this one. */
  save(state: string, verifier: string | null): void {
    this.forget();
    const { secrets, audience, clock } = this.#parts;
    this.#change(() => {
      const record: AttemptRecord = { state, verifier, startedAt: clock.now(), audience: audience() };
      secrets.write(KEY, record);
    });
  }

  /** The attempt was answered: its state is invalid from now on, however the exchange ends. */
  forget(): void {
    this.#change(() => this.#parts.secrets.erase(KEY));
  }

  /** The one that still waits, or null. */
  waiting(): KeptAttempt | null {
    const kept = this.#attempt(() => this.#parts.secrets.read(KEY));
    if (this.#isBehind || !isRecord(kept) || kept.audience !== this.#parts.audience()) {
      return null;
    }
    const ageMs = this.#parts.clock.now() - kept.startedAt;
    // With a clock set back the age is unknown: the person starts again.
    return ageMs >= 0 && ageMs <= LINK_TIMEOUT_MS
      ? { state: kept.state, verifier: kept.verifier, ageMs }
      : null;
  }

  #change(work: () => void): void {
    this.#isBehind = this.#attempt(work) === null;
  }

  /** A disk failure loses only the stored copy. */
  #attempt<T>(work: () => T): T | null {
    return tryDisk(this.#parts.log, 'The sign-in that waits cannot be kept', work, 'debug');
  }
}

function isRecord(kept: unknown): kept is AttemptRecord {
  const verifier = memberOf(kept, 'verifier');
  return (
    typeof memberOf(kept, 'state') === 'string' &&
    (verifier === null || typeof verifier === 'string') &&
    typeof memberOf(kept, 'startedAt') === 'number' &&
    typeof memberOf(kept, 'audience') === 'string'
  );
}
