// Stores the sessions of the pages: login tokens valid once, the sessions they are exchanged for, and their end.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, momentOf } from '../../support/clock.ts';
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

/** By both clocks: the monotonic one stands still while the machine sleeps, the wall clock may be set back. */
type Moment = ReturnType<typeof momentOf>;

interface KeptToken {
  readonly digest: Buffer;
  readonly mintedAt: Moment;
  readonly role: Role;
}

interface Standing {
  readonly startedAt: Moment;
  usedAt: Moment;
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
    const mintedAt = momentOf(this.#clock);
    this.#tokens = [...this.#living(), { digest: digestOf(token), mintedAt, role }].slice(-MOST_TOKENS);
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
    return [...this.#all()]
      .filter(([, standing]) => this.#isLiving(standing))
      .sort(([, a], [, b]) => this.#since(a.usedAt) - this.#since(b.usedAt))
      .map(([id, { role, device, startedAt, usedAt }]) => ({
        id,
        role,
        device,
        startedAt: this.#onWallClock(startedAt),
        usedAt: this.#onWallClock(usedAt),
      }));
  }

  /** Whether the session has not ended meanwhile. Asking counts as its use. */
  isOpen({ digest }: Pick<PageSession, 'digest'>): boolean {
    const standing = this.#all().get(digest);
    if (standing === undefined) {
      return false;
    }
    if (!this.#isLiving(standing)) {
      this.#all().delete(digest);
      this.#save();
      return false;
    }
    standing.usedAt = momentOf(this.#clock);
    if (standing.usedAt.monotonicMs - this.#keptAt >= USE_KEPT_EVERY_MS) {
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
    const now = momentOf(this.#clock);
    if (sessions.size >= MOST_SESSIONS) {
      const [longestUnused] = [...sessions].sort(
        ([, a], [, b]) => this.#since(b.usedAt) - this.#since(a.usedAt),
      );
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
    const { wallMs: wall, monotonicMs: now } = momentOf(this.#clock);
    const momentAt = (wallMs: number): Moment => ({ wallMs, monotonicMs: now - (wall - wallMs) });
    const living = this.#archive.read().filter(({ startedAt, usedAt }) => {
      const [age, idle] = [wall - startedAt, wall - usedAt];
      return age >= 0 && age < LONGEST_SESSION_MS && idle >= 0 && idle < IDLE_MS;
    });
    return new Map(
      living
        .slice(-MOST_SESSIONS)
        .map(({ digest, startedAt, usedAt, role, device }) => [
          digest,
          { startedAt: momentAt(startedAt), usedAt: momentAt(usedAt), role, device },
        ]),
    );
  }

  #save(): void {
    this.#keptAt = this.#clock.monotonic();
    this.#archive.write(
      [...this.#all()].map(([digest, { role, device, startedAt, usedAt }]) => ({
        digest,
        role,
        device,
        startedAt: this.#onWallClock(startedAt),
        usedAt: this.#onWallClock(usedAt),
      })),
    );
  }

  /** As far back from now as it is, also where the wall clock was set meanwhile. */
  #onWallClock(moment: Moment): number {
    return this.#clock.now() - this.#since(moment);
  }

  #isLiving({ startedAt, usedAt }: Standing): boolean {
    return this.#since(usedAt) < IDLE_MS && this.#since(startedAt) < LONGEST_SESSION_MS;
  }

  /** By the clock on which more time has passed. */
  #since({ monotonicMs, wallMs }: Moment): number {
    const now = momentOf(this.#clock);
    return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs);
  }

  #living(): readonly KeptToken[] {
    return this.#tokens.filter(({ mintedAt }) => this.#since(mintedAt) < LOGIN_TOKEN_MS);
  }
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
