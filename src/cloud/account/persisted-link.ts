// The link in this process, and its copy in the vault: an unsaved change is kept and stored later.
import type { LinkState } from '../../domain/account/account.ts';
import type { AccountLink, StoredLink, TokenPair, TokenVault } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { Emitter } from '../../support/emitter.ts';
import { LoggedTrouble } from '../../support/files/logged-trouble.ts';
import type { Log } from '../../support/log.ts';
import { decodeSubject } from '../../wire/oauth-codec.ts';
import { t } from '../../words/translate.ts';

/** A failed vault write is repeated this often: an unsaved change is lost with this process (faults#11: within 2 s). */
const SAVE_AGAIN_MS = 1_000;

/** The link is not stored yet. It may replace this generation, or any when undefined. */
interface Unsaved {
  readonly over: number | undefined;
}

export class PersistedLink implements Omit<AccountLink, 'signOfLife'> {
  readonly #vault: TokenVault;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changes: Emitter<LinkState>;
  readonly #disk: LoggedTrouble;
  /** Another object after every change; `generation` is what the vault called it last. */
  #link: Pick<StoredLink, 'state' | 'tokens'>;
  #generation: number;
  #emitted: LinkState;
  #cancelSave: CancelTimer = () => {};
  #unsaved: Unsaved | null = null;
  #closed = false;

  /** Throws the vault's error when it cannot be read. */
  constructor(vault: TokenVault, clock: Clock, log: Log) {
    this.#vault = vault;
    this.#clock = clock;
    this.#log = log;
    this.#changes = new Emitter(log);
    const lost = t('The sign-in to the lock account could not be stored, trying again by itself');
    this.#disk = new LoggedTrouble(log, lost, t('The sign-in to the lock account is stored now.'));
    const { generation, ...link } = vault.read();
    this.#link = link;
    this.#generation = generation;
    this.#emitted = this.#link.state;
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
    return (
      this.state() === 'linked' &&
      userId !== null &&
      userId === this.subject() &&
      issuedAt !== null &&
      issuedAt <= at
    );
  }

  /** Notes that this refresh token is about to be spent. Throws a retry error when a successor could not be stored. */
  beginRenewal(refreshToken: string): void {
    this.#vault.beginRenewal(refreshToken);
  }

  /** The refresh token is known not to be spent. Never throws. */
  endRenewal(): void {
    this.#disk.attempt(() => this.#vault.endRenewal());
  }

  /** The refresh token with which an earlier process has ended in the midst of a renewal, or null. */
  interruptedToken(): string | null {
    const { interrupted, tokens } = this.#vault.read();
    return interrupted && tokens !== null ? tokens.refreshToken : null;
  }

  /** Takes a change over any stored link, and emits it. While the disk fails, it is kept in memory and tried again. */
  replace(state: LinkState, tokens: TokenPair | null): void {
    this.#take({ state, tokens }, { over: undefined });
  }

  /** The same for a successor of the known link. False when another process stored a link since: that one is taken. */
  succeed(state: LinkState, tokens: TokenPair | null): boolean {
    const link = { state, tokens };
    // An unsaved change by a person overwrites any generation, and so does a change that follows from it.
    this.#take(link, this.#unsaved ?? { over: this.#generation });
    return this.#link === link;
  }

  /** Takes over what another process stored; true when the link is another one now. Throws the vault's error. */
  reload(): boolean {
    const before = this.#link;
    this.#save();
    if (this.#unsaved === null) {
      this.#takeStored();
    }
    this.#emit();
    return this.#link !== before;
  }

  close(): void {
    this.#closed = true;
    this.#save();
  }

  #take(link: Pick<StoredLink, 'state' | 'tokens'>, unsaved: Unsaved): void {
    this.#link = link;
    this.#unsaved = unsaved;
    this.#save();
    this.#emit();
  }

  #takeStored(): void {
    const { generation, ...link } = this.#vault.read();
    if (generation !== this.#generation) {
      this.#link = link;
      this.#generation = generation;
    }
  }

  #emit(): void {
    if (this.#emitted !== this.#link.state) {
      this.#emitted = this.#link.state;
      this.#changes.emit(this.#emitted);
    }
  }

  #save(): void {
    const unsaved = this.#unsaved;
    if (unsaved === null) {
      return;
    }
    this.#cancelSave();
    this.#disk.attempt(() => this.#write(unsaved));
    if (this.#unsaved !== null && !this.#closed) {
      this.#cancelSave = this.#clock.after(SAVE_AGAIN_MS, () => {
        this.#save();
        this.#emit();
      });
    }
  }

  #write({ over }: Unsaved): void {
    const generation = this.#vault.write(this.#link.state, this.#link.tokens, over);
    if (generation === null) {
      this.#takeStored();
      this.#log.info(
        t('Another process stored a newer sign-in to the lock account, which is used from now on.'),
      );
    } else {
      this.#generation = generation;
    }
    this.#unsaved = null;
  }
}
