// Stores the sessions of the pages: login tokens valid once, the sessions they are exchanged for, and their end.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../support/clock.ts';

/** One browser that may use the pages. */
export interface PageSession {
  /** Every write has to repeat this token, because a page of another origin cannot read it. */
  readonly csrf: string;
}

/** How long a login token is good for, in milliseconds (our choice): the way to another device. */
export const LOGIN_TOKEN_MS = 5 * 60_000;

/** A session ends when nothing asked in it for so long, in milliseconds; an open stream of events asks (our choice). */
const IDLE_MS = 3_600_000;

/** Longest lifetime of any session, in milliseconds (our choice): one day. */
export const LONGEST_SESSION_MS = 24 * 3_600_000;

/** Tokens and sessions at a time (our choice): a family and their devices. The oldest gives way. */
const MOST_TOKENS = 8;
const MOST_SESSIONS = 32;

/** Of login, session and CSRF tokens: 256 bits, as 43 characters. */
const SECRET_BYTES = 32;

interface KeptToken {
  readonly digest: Buffer;
  readonly expiresAt: number;
}

interface Standing {
  readonly digest: Buffer;
  readonly startedAt: number;
  usedAt: number;
}

export class SessionStore {
  readonly #clock: Clock;
  #tokens: readonly KeptToken[] = [];
  readonly #sessions = new Map<PageSession, Standing>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes a token that can be exchanged once, within `LOGIN_TOKEN_MS`. */
  mint(): string {
    const token = newSecret();
    const expiresAt = this.#clock.monotonic() + LOGIN_TOKEN_MS;
    this.#tokens = [...this.#living(), { digest: digestOf(token), expiresAt }].slice(-MOST_TOKENS);
    return token;
  }

  /** Exchanges a token for a session; `id` is for the cookie. Null: not a living token. */
  exchange(token: string): { readonly id: string; readonly session: PageSession } | null {
    const digest = digestOf(token);
    const living = this.#living();
    // Every token is compared, so that the time taken reveals nothing.
    const left = living.filter((kept) => !timingSafeEqual(kept.digest, digest));
    this.#tokens = left;
    return left.length === living.length ? null : this.#begin();
  }

  /** The session of a cookie's value, which counts as its use; null when a login is needed. */
  find(id: string | null): PageSession | null {
    const digest = id === null ? null : digestOf(id);
    const [session] =
      [...this.#sessions].find(([, kept]) => digest !== null && timingSafeEqual(kept.digest, digest)) ?? [];
    return session !== undefined && this.isOpen(session) ? session : null;
  }

  /** Whether the session has not ended meanwhile. Asking counts as its use. */
  isOpen(session: PageSession): boolean {
    const standing = this.#sessions.get(session);
    if (standing === undefined) {
      return false;
    }
    const now = this.#clock.monotonic();
    if (now - standing.usedAt >= IDLE_MS || now - standing.startedAt >= LONGEST_SESSION_MS) {
      this.#sessions.delete(session);
      return false;
    }
    standing.usedAt = now;
    return true;
  }

  /** Logs out. */
  end(session: PageSession): void {
    this.#sessions.delete(session);
  }

  #begin(): { readonly id: string; readonly session: PageSession } {
    const id = newSecret();
    const session = { csrf: newSecret() };
    const now = this.#clock.monotonic();
    if (this.#sessions.size >= MOST_SESSIONS) {
      const [longestUnused] = [...this.#sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt);
      this.#sessions.delete(longestUnused?.[0] ?? session);
    }
    this.#sessions.set(session, { digest: digestOf(id), startedAt: now, usedAt: now });
    return { id, session };
  }

  #living(): readonly KeptToken[] {
    const now = this.#clock.monotonic();
    return this.#tokens.filter(({ expiresAt }) => now < expiresAt);
  }
}

/** Whether a sent secret is the known one, in a time that reveals neither. */
export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(digestOf(sent), digestOf(known));
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The stored digest of a secret: enough to recognise it, not to use it. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
