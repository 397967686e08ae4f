// The link as this process knows it, and its copy in the vault: what could not be stored is kept and stored later.
import type { LinkState } from '../domain/account.ts';
import type { AccountLink, StoredLink, TokenPair, TokenVault } from '../domain/ports.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';

/** A vault that failed is tried again this often: what it lacks is lost with this process (faults#11: within 2 s). */
const SAVE_AGAIN_MS = 1_000;

/** The link is not stored yet, and may be stored over this generation, or over whatever is there. */
interface Unsaved {
  readonly over: number | undefined;
}

export class PersistedLink implements Pick<AccountLink, 'state' | 'subscribe'> {
  readonly #vault: TokenVault;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changes: Emitter<LinkState>;
  #link: StoredLink;
  /** The state that listeners know. */
  #told: LinkState;
  #version = 0;
  #cancelSave: CancelTimer | null = null;
  #unsaved: Unsaved | null = null;
  #closed = false;

  /** Throws what the vault throws when it cannot be read. */
  constructor(vault: TokenVault, clock: Clock, log: Log) {
    this.#vault = vault;
    this.#clock = clock;
    this.#log = log;
    this.#changes = new Emitter(log);
    this.#link = vault.read();
    this.#told = this.#link.state;
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
  probeWrite(): void {
    this.#vault.probeWrite();
  }

  /**
   * Takes what a person did, or the service told, whatever is stored: on the disk first, then told. A disk that fails
   * is tried again until it works; meanwhile the link is kept in memory, because its tokens exist nowhere else.
   */
  replace(state: LinkState, tokens: TokenPair | null): void {
    this.#take(state, tokens, { over: undefined });
  }

  /**
   * Takes what follows from the link as it is known here, in the same way. False when somebody else stored another
   * link since: then that one is taken, and ours is none.
   */
  succeed(state: LinkState, tokens: TokenPair | null): boolean {
    const version = this.#version + 1;
    // What a person did and is not stored yet may be stored over anything: so may what follows from it.
    this.#take(state, tokens, this.#unsaved ?? { over: this.#link.generation });
    return this.#version === version;
  }

  /**
   * Takes what somebody else stored since; what we could not store yet is tried first. Returns whether the link is
   * another one now. Throws what the vault throws when it cannot be read.
   */
  reload(): boolean {
    const version = this.#version;
    this.#save();
    if (this.#unsaved === null) {
      this.#takeStored();
    }
    this.#emit();
    return this.#version !== version;
  }

  /** One last try to store what is not stored; then no more timers. */
  close(): void {
    this.#closed = true;
    this.#save();
  }

  #take(state: LinkState, tokens: TokenPair | null, unsaved: Unsaved): void {
    this.#link = { state, tokens, generation: this.#link.generation };
    this.#version += 1;
    this.#unsaved = unsaved;
    this.#save();
    this.#emit();
  }

  #takeStored(): void {
    const stored = this.#vault.read();
    if (stored.generation !== this.#link.generation) {
      this.#link = stored;
      this.#version += 1;
    }
  }

  #emit(): void {
    if (this.#told !== this.#link.state) {
      this.#told = this.#link.state;
      this.#changes.emit(this.#told);
    }
  }

  #save(): void {
    if (this.#unsaved === null) {
      return;
    }
    const failedBefore = this.#cancelSave !== null;
    this.#cancelSave?.();
    try {
      const generation = this.#vault.write(this.#link.state, this.#link.tokens, this.#unsaved.over);
      if (generation === null) {
        this.#takeStored();
        this.#log.info('Another process stored a newer link to the lock account, which is used from now on.');
      } else {
        this.#link = { ...this.#link, generation };
      }
      this.#unsaved = null;
      this.#cancelSave = null;
      if (failedBefore && generation !== null) {
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
      this.#emit();
    });
  }
}
