// Stores the sessions of the pages: login tokens valid once, the sessions they are exchanged for, and their end.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../support/clock.ts';
import type { SessionArchive } from './archive.ts';
import type { Role } from './role.ts';

/** One browser that may use the pages. */
export interface PageSession {
  /** The digest of its id. */
  readonly digest: string;
  /** Every write has to repeat this token, because a page of another origin cannot read it. */
  readonly csrf: string;
  readonly role: Role;
}

/** A login as a person sees it. Instants are on the machine's clock. */
export interface LoginView {
  /** It ends the login, and lets nobody in. */
  readonly id: string;
  readonly role: Role;
  /** "Safari, iPhone"; empty: not known. */
  readonly device: string;
  readonly startedAt: number;
  readonly usedAt: number;
}

/** How long a login token is good for, in milliseconds (our choice): the way to another device. */
export const LOGIN_TOKEN_MS = 5 * 60_000;

/** A session ends without a request for this long, in milliseconds; an open stream of events counts as one (our choice). */
const IDLE_MS = 3_600_000;

/** Longest lifetime of any session, in milliseconds (our choice): one day. */
export const LONGEST_SESSION_MS = 24 * 3_600_000;

/** Tokens and sessions at a time (our choice): a family and their devices. The oldest gives way. */
const MOST_TOKENS = 8;
const MOST_SESSIONS = 32;

/** The use of a session is written down no more often than this, in milliseconds (our choice): a disk wears. */
const USE_KEPT_EVERY_MS = 600_000;

/** The size of login and session tokens: 256 bits, as 43 characters. */
const SECRET_BYTES = 32;

interface KeptToken {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly role: Role;
}

/** Instants are monotonic milliseconds. */
interface Standing {
  readonly startedAt: number;
  usedAt: number;
  readonly role: Role;
  readonly device: string;
}

export class SessionStore {
  readonly #clock: Clock;
  readonly #archive: SessionArchive;
  #tokens: readonly KeptToken[] = [];
  /** Sessions by the digests of their ids; null before the first request. */
  #sessions: Map<string, Standing> | null = null;
  #keptAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, archive: SessionArchive) {
    this.#clock = clock;
    this.#archive = archive;
  }

  /** Makes a token that can be exchanged once, within `LOGIN_TOKEN_MS`, for a session of that role. */
  mint(role: Role = 'all'): string {
    const token = newSecret();
    const expiresAt = this.#clock.monotonic() + LOGIN_TOKEN_MS;
    this.#tokens = [...this.#living(), { digest: digestOf(token), expiresAt, role }].slice(-MOST_TOKENS);
    return token;
  }

  /** Exchanges a token for a session; `id` is for the cookie. Null: not a living token. */
  exchange(token: string, device = ''): { readonly id: string; readonly session: PageSession } | null {
    const digest = digestOf(token);
    const living = this.#living();
    // Every token is compared, so that the time taken reveals nothing.
    const left = living.filter((kept) => !timingSafeEqual(kept.digest, digest));
    const used = living.find((kept) => !left.includes(kept));
    this.#tokens = left;
    return used === undefined ? null : this.#begin(used.role, device);
  }

  /** The session of a cookie's value, which counts as its use; null when a login is needed. */
  find(id: string | null): PageSession | null {
    if (id === null) {
      return null;
    }
    // A digest is no secret to be guessed letter by letter: it may be looked up.
    const secrets = secretsOf(id);
    const role = this.#all().get(secrets.digest)?.role;
    return role !== undefined && this.isOpen(secrets) ? { ...secrets, role } : null;
  }

  /** The living logins, the last used first. Looking at them is no use of one. */
  list(): readonly LoginView[] {
    const [wall, now] = [this.#clock.now(), this.#clock.monotonic()];
    return [...this.#all()]
      .filter(([, standing]) => isLiving(standing, now))
      .sort(([, a], [, b]) => b.usedAt - a.usedAt)
      .map(([id, { role, device, startedAt, usedAt }]) => ({
        id,
        role,
        device,
        startedAt: wall - (now - startedAt),
        usedAt: wall - (now - usedAt),
      }));
  }

  /** Whether the session has not ended meanwhile. Asking counts as its use. */
  isOpen({ digest }: Pick<PageSession, 'digest'>): boolean {
    const standing = this.#all().get(digest);
    if (standing === undefined) {
      return false;
    }
    const now = this.#clock.monotonic();
    if (!isLiving(standing, now)) {
      this.#all().delete(digest);
      this.#save();
      return false;
    }
    standing.usedAt = now;
    if (now - this.#keptAt >= USE_KEPT_EVERY_MS) {
      this.#save();
    }
    return true;
  }

  /** Logs out. */
  end({ digest }: Pick<PageSession, 'digest'>): void {
    this.#all().delete(digest);
    this.#save();
  }

  /** Logs every browser out, and withdraws unused logins. */
  endAll(): void {
    this.#tokens = [];
    this.#sessions = new Map();
    this.#save();
  }

  /** Writes down when each was used, for the next start. */
  close(): void {
    if (this.#sessions !== null) {
      this.#save();
    }
  }

  #begin(role: Role, device: string): { readonly id: string; readonly session: PageSession } {
    const id = newSecret();
    const session = { ...secretsOf(id), role };
    const sessions = this.#all();
    const now = this.#clock.monotonic();
    if (sessions.size >= MOST_SESSIONS) {
      const [longestUnused] = [...sessions].sort(([, a], [, b]) => a.usedAt - b.usedAt);
      sessions.delete(longestUnused?.[0] ?? '');
    }
    sessions.set(session.digest, { startedAt: now, usedAt: now, role, device });
    this.#save();
    return { id, session };
  }

  /** The stored sessions are read with the first request: while another process has the port, it may still change them. */
  #all(): Map<string, Standing> {
    this.#sessions ??= this.#read();
    return this.#sessions;
  }

  /** A session from the future proves that the machine's clock went back: its age is not known. */
  #read(): Map<string, Standing> {
    const [wall, now] = [this.#clock.now(), this.#clock.monotonic()];
    const living = this.#archive.read().filter(({ startedAt, usedAt }) => {
      const [age, idle] = [wall - startedAt, wall - usedAt];
      return age >= 0 && age < LONGEST_SESSION_MS && idle >= 0 && idle < IDLE_MS;
    });
    return new Map(
      living
        .slice(-MOST_SESSIONS)
        .map(({ digest, startedAt, usedAt, role, device }) => [
          digest,
          { startedAt: now - (wall - startedAt), usedAt: now - (wall - usedAt), role, device },
        ]),
    );
  }

  #save(): void {
    const [wall, now] = [this.#clock.now(), this.#clock.monotonic()];
    this.#keptAt = now;
    this.#archive.write(
      [...this.#all()].map(([digest, { startedAt, usedAt, role, device }]) => ({
        digest,
        role,
        device,
        startedAt: wall - (now - startedAt),
        usedAt: wall - (now - usedAt),
      })),
    );
  }

  #living(): readonly KeptToken[] {
    const now = this.#clock.monotonic();
    return this.#tokens.filter(({ expiresAt }) => now < expiresAt);
  }
}

function isLiving({ startedAt, usedAt }: Standing, now: number): boolean {
  return now - usedAt < IDLE_MS && now - startedAt < LONGEST_SESSION_MS;
}

/** Whether a sent secret is the known one, in a time that reveals neither. */
export function isSameSecret(sent: string, known: string): boolean {
  return timingSafeEqual(digestOf(sent), digestOf(known));
}

/** The CSRF token follows from the id, so that a page that is open during a restart goes on; neither follows from the digest. */
function secretsOf(id: string): Pick<PageSession, 'digest' | 'csrf'> {
  return {
    digest: digestOf(id).toString('base64url'),
    csrf: digestOf(`csrf ${id}`).toString('base64url'),
  };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** The stored digest of a secret: enough to recognise it, not to use it. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
