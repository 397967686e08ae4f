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
  /** Whom an answer is for: authorization server, client and redirect URI. An attempt is good for no others. */
  readonly audience: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

const KEY = 'link.attempt';

/** As it is kept; `startedAt` is wall time. */
interface AttemptRecord {
  readonly state: string;
  readonly verifier: string | null;
  readonly startedAt: number;
  readonly audience: string;
}

export class LinkAttempts {
  readonly #parts: LinkAttemptsParts;
  /** The newest change did not reach the disk: what it holds is void. */
  #isBehind = false;

  constructor(parts: LinkAttemptsParts) {
    this.#parts = parts;
  }

  /** Keeps one that begins now; any other is gone, also when the disk has no place for this one. */
  keep(state: string, verifier: string | null): void {
    this.forget();
    this.#change(({ secrets, audience, clock }) => {
      const record: AttemptRecord = { state, verifier, startedAt: clock.now(), audience: audience() };
      secrets.write(KEY, record);
    });
  }

  /** It was answered: its state is good for nothing any more, whatever becomes of the exchange. */
  forget(): void {
    this.#change(({ secrets }) => {
      secrets.erase(KEY);
    });
  }

  /** The one that still waits, or null. */
  waiting(): KeptAttempt | null {
    const kept = this.#tryDisk(({ secrets }) => secrets.read(KEY));
    if (this.#isBehind || !isRecord(kept) || kept.audience !== this.#parts.audience()) {
      return null;
    }
    const ageMs = this.#parts.clock.now() - kept.startedAt;
    // A clock that was set back leaves an age that nobody knows: then the person starts again.
    return ageMs >= 0 && ageMs <= LINK_PATIENCE_MS
      ? { state: kept.state, verifier: kept.verifier, ageMs }
      : null;
  }

  #change(work: (parts: LinkAttemptsParts) => void): void {
    this.#isBehind =
      this.#tryDisk((parts) => {
        work(parts);
        return true;
      }) === null;
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
    typeof kept.startedAt === 'number' &&
    'audience' in kept &&
    typeof kept.audience === 'string'
  );
}
