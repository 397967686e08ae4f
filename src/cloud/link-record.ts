// The link as this process knows it, and its copy in the vault: what could not be stored is kept and stored later.
import type { LinkState } from '../domain/account.ts';
import type { AccountLink, StoredLink, TokenPair, TokenVault } from '../domain/ports.ts';
import { Broadcast } from '../support/broadcast.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** A vault that failed is tried again this often: what it lacks is lost with this process (faults#11: within 2 s). */
const SAVE_AGAIN_MS = 1_000;

export class LinkRecord implements Pick<AccountLink, 'state' | 'subscribe'> {
  readonly #vault: TokenVault;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changes: Broadcast<LinkState>;
  #link: StoredLink;
  #version = 0;
  #cancelSave: CancelTimer | null = null;
  #unsaved = false;
  #closed = false;

  /** Throws what the vault throws when it cannot be read. */
  constructor(vault: TokenVault, clock: Clock, log: Log) {
    this.#vault = vault;
    this.#clock = clock;
    this.#log = log;
    this.#changes = new Broadcast(log);
    this.#link = vault.read();
  }

  /** Grows with every change: whoever waited can see whether the link is still the one it asked for. */
  get version(): number {
    return this.#version;
  }

  get tokens(): TokenPair | null {
    return this.#link.tokens;
  }

  state(): LinkState {
    return this.#link.state;
  }

  subscribe(listener: (state: LinkState) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** Proves that a successor could be stored. Throws a retry error when it could not. */
  rehearse(): void {
    this.#vault.rehearse();
  }

  /**
   * Takes a new link: on the disk first, then told. A disk that fails is tried again until it works; meanwhile the
   * link is kept in memory, because its tokens exist nowhere else.
   */
  replace(state: LinkState, tokens: TokenPair | null): void {
    const before = this.#link.state;
    this.#link = { state, tokens, generation: this.#link.generation };
    this.#version += 1;
    this.#unsaved = true;
    this.#save();
    this.#tellFrom(before);
  }

  /** Takes what somebody else stored since. Returns false when nobody did, or when ours is still to be stored. */
  reload(): boolean {
    const stored = this.#unsaved ? this.#link : this.#vault.read();
    if (stored.generation <= this.#link.generation) {
      return false;
    }
    const before = this.#link.state;
    this.#link = stored;
    this.#version += 1;
    this.#tellFrom(before);
    return true;
  }

  /** One last try to store what is not stored; then no more timers. */
  close(): void {
    this.#closed = true;
    if (this.#unsaved) {
      this.#save();
    }
  }

  #tellFrom(before: LinkState): void {
    if (before !== this.#link.state) {
      this.#changes.tell(this.#link.state);
    }
  }

  #save(): void {
    const failedBefore = this.#cancelSave !== null;
    this.#cancelSave?.();
    try {
      const generation = this.#vault.write(this.#link.state, this.#link.tokens);
      this.#link = { ...this.#link, generation };
      this.#unsaved = false;
      this.#cancelSave = null;
      if (failedBefore) {
        this.#log.info('The link to the lock account is stored now.');
      }
    } catch (error) {
      if (!failedBefore) {
        this.#log.warn(
          `The link to the lock account could not be stored, trying again by itself: ${messageOf(error)}`,
        );
      }
      this.#saveLater();
    }
  }

  #saveLater(): void {
    if (this.#closed) {
      return;
    }
    this.#cancelSave = this.#clock.after(SAVE_AGAIN_MS, () => {
      this.#save();
    });
  }
}
