// The linking that waits, across a restart: a person who is on the service's page does not start over because of one.
import type { Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { LINK_PATIENCE_MS } from './link-machine.ts';

/** What an answer is judged and exchanged by. */
export interface KeptAttempt {
  readonly state: string;
  readonly verifier: string | null;
  /** How long ago it began, in milliseconds. */
  readonly ageMs: number;
}

export interface LinkAttemptsParts {
  /** A place for secrets. Throws when the disk does not take or give them. */
  readonly secrets: {
    read(key: string): unknown;
    write(key: string, value: object): void;
    erase(key: string): void;
  };
  readonly clock: Clock;
  readonly log: Log;
}

const KEY = 'link.attempt';

/** As it is kept; `startedAt` is wall time. */
interface AttemptRecord {
  readonly state: string;
  readonly verifier: string | null;
  readonly startedAt: number;
}

export class LinkAttempts {
  readonly #parts: LinkAttemptsParts;

  constructor(parts: LinkAttemptsParts) {
    this.#parts = parts;
  }

  /** Keeps one that begins now, instead of any other. */
  keep(state: string, verifier: string | null): void {
    this.#tryDisk(({ secrets, clock }) => {
      secrets.write(KEY, { state, verifier, startedAt: clock.now() } satisfies AttemptRecord);
    });
  }

  /** It was answered: its state is good for nothing any more, whatever becomes of the exchange. */
  forget(): void {
    this.#tryDisk(({ secrets }) => {
      secrets.erase(KEY);
    });
  }

  /** The one that still waits, or null. */
  waiting(): KeptAttempt | null {
    const kept = this.#tryDisk(({ secrets }) => secrets.read(KEY));
    if (!isRecord(kept)) {
      return null;
    }
    const ageMs = this.#parts.clock.now() - kept.startedAt;
    // A clock that was set back leaves an age that nobody knows: then the person starts again.
    return ageMs >= 0 && ageMs <= LINK_PATIENCE_MS
      ? { state: kept.state, verifier: kept.verifier, ageMs }
      : null;
  }

  /** A disk that fails costs what it would have kept, and nothing else. */
  #tryDisk<T>(work: (parts: LinkAttemptsParts) => T): T | null {
    try {
      return work(this.#parts);
    } catch (error) {
      this.#parts.log.debug(`The linking that waits cannot be kept: ${messageOf(error)}`);
      return null;
    }
  }
}

function isRecord(kept: unknown): kept is AttemptRecord {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'state' in kept &&
    typeof kept.state === 'string' &&
    'verifier' in kept &&
    (kept.verifier === null || typeof kept.verifier === 'string') &&
    'startedAt' in kept &&
    typeof kept.startedAt === 'number'
  );
}
