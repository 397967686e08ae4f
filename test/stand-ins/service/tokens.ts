// The service's token endpoint, which rotates refresh tokens and can misbehave.
import type { TokenPair } from '../../../src/domain/ports.ts';
import { FinalError, RelinkError, RetryError } from '../../../src/support/errors.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

/** An authorization server that rotates refresh tokens `r1`, `r2`, ... and can misbehave before or after that. */
export class StandInTokens {
  readonly spent: string[] = [];
  current = 1;
  /** Spent tokens are still taken. */
  grace = false;
  /** What happens instead of the next answers; `lost` rotates first. */
  readonly script: (Error | 'lost' | 'silent' | 'refused late')[] = [];
  #clock: ManualClock;
  #release: (() => void)[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }
  async refresh(refreshToken: string): Promise<TokenPair> {
    this.spent.push(refreshToken);
    const fault = this.script.shift();
    if (fault === 'silent' || fault === 'refused late') {
      await new Promise<void>((resolve) => this.#release.push(resolve));
    }
    if (fault === 'refused late') {
      throw new FinalError('bad-configuration', 'Check the client secret.');
    }
    if (fault instanceof Error) {
      throw fault;
    }
    if (refreshToken !== `r${String(this.current)}` && !this.grace) {
      throw new RelinkError('revoked', 'The lock account no longer accepts the link.');
    }
    this.current += 1;
    if (fault === 'lost') {
      throw new RetryError('timed-out', 'The answer was lost.');
    }
    return pair(this.current, this.#clock.now());
  }
  /** Lets silent answers come. */
  answer(): void {
    for (const release of this.#release.splice(0)) {
      release();
    }
  }
}

export const HOUR_MS = 3_600_000;

export function pair(count: number, receivedAt: number): TokenPair {
  return {
    accessToken: `a${String(count)}`,
    refreshToken: `r${String(count)}`,
    receivedAt,
    expiresInMs: HOUR_MS,
    issuedAt: receivedAt,
  };
}
