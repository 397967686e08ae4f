// The link to the account at the service, switched by hand.
import type { RuntimeLinkState } from '../../../src/domain/account/account.ts';
import type { AccountLink } from '../../../src/domain/ports.ts';

/** A link that tests switch by hand. */
export class StandInLink implements AccountLink {
  #state: RuntimeLinkState = 'linked';
  readonly #listeners = new Set<(state: RuntimeLinkState) => void>();

  state(): RuntimeLinkState {
    return this.#state;
  }

  /** Whose link it is. */
  subject = 'resident';

  signsOfLife = 0;

  signOfLife(): void {
    this.signsOfLife += 1;
  }

  signedOut(userId: string | null): boolean {
    const isOurs = userId === this.subject;
    if (isOurs) {
      this.set('signed-out');
    }
    return isOurs;
  }

  set(state: RuntimeLinkState): void {
    this.#state = state;
    for (const listener of this.#listeners) {
      listener(state);
    }
  }

  subscribe(listener: (state: RuntimeLinkState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
