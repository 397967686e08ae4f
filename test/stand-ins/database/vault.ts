// The tokens of an account, as they are kept; the disk can fail.
import type { LinkState } from '../../../src/domain/account/account.ts';
import type { StoredLink, TokenPair, TokenVault } from '../../../src/domain/ports.ts';
import { RetryError } from '../../../src/support/errors.ts';

/** A vault in memory whose disk can fail. */
export class MemoryVault implements TokenVault {
  link: StoredLink;
  broken = false;
  writes = 0;
  /** What another process stores in the very moment before our next write. */
  stealBefore: StoredLink | null = null;

  constructor(state: LinkState, tokens: TokenPair | null) {
    this.link = { state, tokens, generation: 1, interrupted: false };
  }
  read(): StoredLink {
    return this.link;
  }
  beginRenewal(refreshToken: string): void {
    this.#strike();
    this.link = { ...this.link, interrupted: refreshToken === this.link.tokens?.refreshToken };
  }
  endRenewal(): void {
    this.#strike();
    this.link = { ...this.link, interrupted: false };
  }
  #strike(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
  }
  write(state: LinkState, tokens: TokenPair | null, over?: number): number | null {
    this.#strike();
    this.link = this.stealBefore ?? this.link;
    this.stealBefore = null;
    if (over !== undefined && over !== this.link.generation) {
      return null;
    }
    this.writes += 1;
    this.link = { state, tokens, generation: this.link.generation + 1, interrupted: false };
    return this.link.generation;
  }
}
