// The link in this process, and its copy in the vault: an unsaved change is kept and stored later.
import type { LinkState } from '../domain/account.ts';
import type { Instant } from '../domain/bolt.ts';
import type { AccountLink, StoredLink, TokenPair, TokenVault } from '../domain/ports.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { decodeSubject } from '../wire/oauth-codec.ts';

/** A failed vault write is repeated this often: an unsaved change is lost with this process (faults#11: within 2 s). */
const SAVE_AGAIN_MS = 1_000;

/** The link is not stored yet. It may replace this generation, or any when undefined. */
interface Unsaved {
  readonly over: number | undefined;
}

export class PersistedLink implements Pick<AccountLink, 'state' | 'subscribe'> {
  readonly #vault: TokenVault;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changes: Emitter<LinkState>;
  #link: StoredLink;
  /** The state that listeners received last. */
  #emitted: LinkState;
  #version = 0;
  #cancelSave: CancelTimer | null = null;
  #unsaved: Unsaved | null = null;
  #closed = false;

  /** Throws the vault's error when it cannot be read. */
  constructor(vault: TokenVault, clock: Clock, log: Log) {
    this.#vault = vault;
    this.#clock = clock;
    this.#log = log;
    this.#changes = new Emitter(log);
    this.#link = vault.read();
    this.#emitted = this.#link.state;
  }

  /** Grows with every change, so that a caller sees after a wait whether the link is still the same. */
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

  /** The owner of the link as its token names it, unverified; null when the token names none. */
  subject(): string | null {
    return this.tokens === null ? null : decodeSubject(this.tokens.accessToken);
  }

  /**
   * Ends a link of this person that is older, as `AccountLink` says. Tokens issued later belong to a newer link, so
   * they stay. Both times are the service's: a wrong clock of this machine neither keeps a link nor ends one.
   */
  signedOut(userId: string | null, at: Instant): boolean {
    while (this.#isOlderLinkOf(userId, at)) {
      if (this.succeed('signed-out', null)) {
        return true;
      }
      // Another process stored another link meanwhile, which is judged alike.
    }
    return false;
  }

  #isOlderLinkOf(userId: string | null, at: Instant): boolean {
    const issuedAt = this.tokens?.issuedAt ?? null;
    return userId !== null && userId === this.subject() && issuedAt !== null && issuedAt <= at;
  }

  /** Proves that a successor could be stored. Throws a retry error when it could not. */
  probeWrite(): void {
    this.#vault.probeWrite();
  }

  /**
   * Takes a change by the person or the service over any stored link, stores it, then emits it. A disk that fails is
   * tried again until it works; meanwhile the link is kept in memory, because its tokens exist nowhere else.
   */
  replace(state: LinkState, tokens: TokenPair | null): void {
    this.#take(state, tokens, { over: undefined });
  }

  /**
   * Takes a successor of the known link, in the same way. False when another process stored a link since: then that
   * one is taken instead.
   */
  succeed(state: LinkState, tokens: TokenPair | null): boolean {
    const version = this.#version + 1;
    // An unsaved change by a person overwrites any generation, and so does a change that follows from it.
    this.#take(state, tokens, this.#unsaved ?? { over: this.#link.generation });
    return this.#version === version;
  }

  /**
   * Takes over another process's change, after storing our own. Returns whether the link is another one now. Throws the
   * vault's error when it cannot be read.
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

  /** Tries once more to store an unsaved change; then no more timers. */
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
    if (this.#emitted !== this.#link.state) {
      this.#emitted = this.#link.state;
      this.#changes.emit(this.#emitted);
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
      this.#cancelSave = this.#closed
        ? null
        : this.#clock.after(SAVE_AGAIN_MS, () => {
            this.#save();
            this.#emit();
          });
    }
  }
}
