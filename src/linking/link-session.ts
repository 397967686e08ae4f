// Links an account step by step: an address for the browser, then the address that the service redirected it to.
import { createHash, randomBytes } from 'node:crypto';
import type { Message } from '../domain/language/message.ts';
import type { AuthorizationServer, TokenPair } from '../domain/ports.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, wordsOf } from '../support/errors.ts';
import { LINKING_WORDS } from '../words/linking.ts';
import type { LinkAttempts } from './link-attempts.ts';
import {
  judgeAnswer,
  LINK_TIMEOUT_MS,
  type LinkAttempt,
  NO_ATTEMPT,
  type RedirectAnswer,
  waitingFor,
} from './link-machine.ts';
import { type LinkOutcome, outcomeOf } from './link-outcome.ts';

/** Where the person's browser goes, and for how long the callback is open. */
export interface LinkStart {
  readonly authorizeUrl: string;
  readonly redirectUri: string;
  readonly expiresInMs: number;
}

/** How a linking ended. */
export interface LinkEnd {
  readonly outcome: LinkOutcome;
  /** Includes the next step. */
  readonly message: Message;
}

/** The genuine answer of the newest attempt, and its result, which a repeated answer gets again. */
interface JudgedAnswer {
  readonly answer: RedirectAnswer;
  readonly result: Promise<void>;
}

/** Random bytes of a state and of a proof key. At least 128 bits are asked for (RFC 6749, 10.10); RFC 7636 wants 256. */
const STATE_BYTES = 32;
const VERIFIER_BYTES = 48;

export class LinkSession {
  readonly #parts;
  #attempt: LinkAttempt = NO_ATTEMPT;
  #startedAt = 0;
  #verifier: string | null = null;
  #judged: JudgedAnswer | null = null;
  #ended: LinkEnd | null = null;

  constructor(parts: {
    readonly server: Pick<AuthorizationServer, 'authorizeUrl' | 'exchange'>;
    /** Takes the tokens over; throws a retry error when they cannot be stored. */
    readonly adopt: (tokens: TokenPair) => void;
    /** Where the attempt waits across a restart. */
    readonly attempts: LinkAttempts;
    readonly clock: Clock;
    /** The registered redirect URI: every redirected address must begin with it. */
    readonly redirectUri: string;
    /** Whether a proof key (RFC 7636, S256) goes with the request. */
    readonly pkce: boolean;
    /** A linking ended, or its known state changed otherwise. */
    readonly onChange: () => void;
  }) {
    this.#parts = parts;
  }

  /** Begins an attempt; an older one is void from now on. Throws `bad-configuration` while the client is not known. */
  start(): LinkStart {
    const { server, attempts, clock, redirectUri, pkce } = this.#parts;
    const state = randomBytes(STATE_BYTES).toString('base64url');
    const verifier = pkce ? randomBytes(VERIFIER_BYTES).toString('base64url') : null;
    const challenge = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url');
    const authorizeUrl = server.authorizeUrl({ state, challenge });
    this.#startedAt = clock.monotonic();
    attempts.save(state, verifier);
    this.#await(waitingFor(state, this.#startedAt), verifier);
    return { authorizeUrl, redirectUri, expiresInMs: LINK_TIMEOUT_MS };
  }

  /**
   * Takes up the attempt that waits, as whenever this process becomes the owner of the account: one that only it knows
   * was answered or given up by another owner.
   */
  resume(): void {
    const kept = this.#parts.attempts.waiting();
    if (kept !== null && !this.#knows(kept.state)) {
      this.#startedAt = this.#parts.clock.monotonic() - kept.ageMs;
      this.#await(waitingFor(kept.state, this.#startedAt), kept.verifier);
    }
    if (kept === null && this.#attempt.phase !== 'idle') {
      this.#await(NO_ATTEMPT, null);
    }
  }

  /** Ends the attempt, and ignores the answer of an exchange in progress. */
  giveUp(): void {
    this.#parts.attempts.forget();
    this.#await(NO_ATTEMPT, null);
  }

  /** How long an answer is still waited for, in milliseconds; null while none is. */
  get waitsForMs(): number | null {
    const restMs = this.#restMs;
    return this.#attempt.phase === 'waiting' && restMs > 0 ? restMs : null;
  }

  /** How the newest linking ended; null before it has. */
  get ended(): LinkEnd | null {
    return this.#ended ?? (this.#attempt.phase === 'waiting' && this.#restMs <= 0 ? end('too-old') : null);
  }

  /**
   * Ends an attempt with the address that the browser was redirected to; a repeated address gets the same result without
   * another exchange. Throws a final error that gives the next step and has the outcome as `reason`, or the error of the
   * exchange: then the attempt is over, because a code is good for one exchange.
   */
  async finish(redirectedUrl: string): Promise<void> {
    const answer = this.#read(redirectedUrl);
    if (this.#judged !== null && isSame(this.#judged.answer, answer) && this.#restMs > 0) {
      return this.#judged.result;
    }
    const before = this.#attempt;
    const verdict = judgeAnswer(before, answer, this.#parts.clock.monotonic());
    this.#attempt = verdict.next;
    const result =
      verdict.kind === 'exchange' ? this.#exchange(verdict.code, verdict.next) : refuse(verdict.reason);
    if (verdict.next !== before) {
      this.#parts.attempts.forget();
      this.#judged = { answer, result };
      void this.#note(result, verdict.next);
    }
    return result;
  }

  /** From now on only this attempt is valid. */
  #await(attempt: LinkAttempt, verifier: string | null): void {
    this.#attempt = attempt;
    this.#verifier = verifier;
    this.#judged = null;
    this.#ended = null;
    this.#parts.onChange();
  }

  async #exchange(code: string, attempt: LinkAttempt): Promise<void> {
    const { server, adopt } = this.#parts;
    const tokens = await server.exchange(code, this.#verifier);
    // A newer attempt or an unlinking meanwhile takes precedence.
    if (this.#attempt !== attempt) {
      throw refusal('overtaken');
    }
    adopt(tokens);
  }

  /** Never rejects. */
  async #note(result: Promise<void>, attempt: LinkAttempt): Promise<void> {
    const ended = await result.then(
      () => end('linked'),
      (error: unknown): LinkEnd => ({ outcome: outcomeOf(error), message: wordsOf(error) }),
    );
    // A newer attempt may have begun meanwhile, which has its own end.
    if (this.#attempt === attempt) {
      this.#ended = ended;
      this.#parts.onChange();
    }
  }

  #knows(state: string): boolean {
    return this.#attempt.phase !== 'idle' && this.#attempt.state === state;
  }

  get #restMs(): number {
    return this.#startedAt + LINK_TIMEOUT_MS - this.#parts.clock.monotonic();
  }

  #read(redirectedUrl: string): RedirectAnswer {
    const url = URL.parse(redirectedUrl.trim());
    const expected = new URL(this.#parts.redirectUri);
    if (url === null || url.origin !== expected.origin || url.pathname !== expected.pathname) {
      throw refusal('not-the-address');
    }
    const one = (name: string): string | null => {
      const values = url.searchParams.getAll(name);
      return values.length === 1 && values[0] !== '' ? (values[0] ?? null) : null;
    };
    return { state: one('state'), code: one('code'), error: one('error') };
  }
}

function end(outcome: LinkOutcome): LinkEnd {
  return { outcome, message: LINKING_WORDS[outcome] };
}

async function refuse(outcome: LinkOutcome): Promise<never> {
  return Promise.reject(refusal(outcome));
}

function refusal(outcome: LinkOutcome): FinalError {
  return new FinalError('bad-request', LINKING_WORDS[outcome], { reason: outcome });
}

function isSame(a: RedirectAnswer, b: RedirectAnswer): boolean {
  return a.state === b.state && a.code === b.code && a.error === b.error;
}
