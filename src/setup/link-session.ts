// Linking an account, step by step: an address for the person's browser, then the address it was sent back to.
import { createHash, randomBytes } from 'node:crypto';
import type { AuthorizationServer, TokenPair } from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError } from '../support/errors.ts';
import {
  judgeAnswer,
  LINK_PATIENCE_MS,
  type LinkAttempt,
  type LinkRefusal,
  NO_ATTEMPT,
  type RedirectAnswer,
  waitingFor,
} from './link-machine.ts';

export interface LinkSessionParts {
  readonly server: AuthorizationServer;
  /** Takes the tokens over; throws a retry error when they cannot be stored. */
  readonly adopt: (tokens: TokenPair) => void;
  readonly clock: Clock;
  /** The registered redirect URI: what a redirected address must begin with. */
  readonly redirectUri: string;
  /** Whether a proof key (RFC 7636, S256) goes with the request. */
  readonly pkce: boolean;
}

/** Where the person's browser goes, and for how long the way back is open. */
export interface LinkStart {
  readonly authorizeUrl: string;
  readonly redirectUri: string;
  readonly expiresInMs: number;
}

/** In words that say what to do. The redirected address is never repeated: it holds the code. */
const REFUSALS: Readonly<Record<LinkRefusal, string>> = {
  'nothing-waits':
    'No linking is under way. Start it, open the address it gives, then paste where you were sent.',
  'state-missing':
    'The address has no "state". Paste the whole address from the browser, up to its last character.',
  'state-foreign':
    'The address belongs to another linking. Use the newest authorize address, then paste where you were sent.',
  'too-old': 'That took longer than 15 minutes. Start linking again.',
  used: 'This address was used already. If linking did not succeed, start again.',
  denied: 'Access was denied on the page of the lock service. Start again and choose to allow it.',
  'service-refused':
    'The lock service refused the request. Check client id, redirect URI and scope with the service.',
  'code-missing': 'The address holds no code. Start linking again.',
};

export class LinkSession {
  readonly #parts: LinkSessionParts;
  #attempt: LinkAttempt = NO_ATTEMPT;
  #verifier: string | null = null;

  constructor(parts: LinkSessionParts) {
    this.#parts = parts;
  }

  /** Begins an attempt; an older one is void from now on. */
  start(): LinkStart {
    const state = randomBytes(32).toString('base64url');
    this.#verifier = this.#parts.pkce ? randomBytes(48).toString('base64url') : null;
    this.#attempt = waitingFor(state, this.#parts.clock.monotonic());
    const challenge =
      this.#verifier === null ? null : createHash('sha256').update(this.#verifier).digest('base64url');
    return {
      authorizeUrl: this.#parts.server.authorizeUrl({ state, challenge }),
      redirectUri: this.#parts.redirectUri,
      expiresInMs: LINK_PATIENCE_MS,
    };
  }

  /**
   * Ends an attempt with the address that the browser was sent to. Throws a final error that says what to do, or what
   * the exchange threw: then the attempt is over, because a code is good for one exchange.
   */
  async finish(redirectedUrl: string): Promise<void> {
    const verdict = judgeAnswer(this.#attempt, this.#read(redirectedUrl), this.#parts.clock.monotonic());
    this.#attempt = verdict.next;
    if (verdict.kind === 'refuse') {
      throw new FinalError('bad-request', REFUSALS[verdict.reason]);
    }
    const exchanging = verdict.next;
    try {
      this.#parts.adopt(await this.#parts.server.exchange(verdict.code, this.#verifier));
    } finally {
      // A newer attempt may have begun meanwhile: it stays.
      if (this.#attempt === exchanging) {
        this.#attempt = NO_ATTEMPT;
      }
    }
  }

  #read(redirectedUrl: string): RedirectAnswer {
    const text = redirectedUrl.trim();
    const url = URL.canParse(text) ? new URL(text) : null;
    const expected = new URL(this.#parts.redirectUri);
    if (url === null || url.origin !== expected.origin || url.pathname !== expected.pathname) {
      throw new FinalError(
        'bad-request',
        'This is not the address of the redirect URI. Paste the whole address that the browser shows after you allowed access.',
      );
    }
    const one = (name: string): string | null => {
      const values = url.searchParams.getAll(name);
      return values.length === 1 && values[0] !== '' ? (values[0] ?? null) : null;
    };
    return { state: one('state'), code: one('code'), error: one('error') };
  }
}
