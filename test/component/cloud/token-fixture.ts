// A session of one account's tokens between a vault whose disk can fail and an authorization server that can misbehave.
import { onTestFinished } from 'vitest';
import { TokenSession } from '../../../src/cloud/token-session.ts';
import type { LinkState } from '../../../src/domain/account.ts';
import type { StoredLink, TokenPair, TokenVault } from '../../../src/domain/ports.ts';
import { FinalError, RelinkError, RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

export const HOUR_MS = 3_600_000;

/** Renewals are due at 80 % of a token's life. */
export const random = (): number => 0.5;
export const DUE_MS = 0.8 * HOUR_MS;

/** A vault in memory whose disk can fail. */
export class FakeVault implements TokenVault {
  link: StoredLink;
  broken = false;
  writes = 0;
  /** What another process stores in the very moment before our next write. */
  stealBefore: StoredLink | null = null;

  constructor(state: LinkState, tokens: TokenPair | null) {
    this.link = { state, tokens, generation: 1, interrupted: false };
  }
  read(): StoredLink {
    return this.link;
  }
  beginRenewal(): void {
    this.#strike();
    this.link = { ...this.link, interrupted: true };
  }
  endRenewal(): void {
    this.#strike();
    this.link = { ...this.link, interrupted: false };
  }
  #strike(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
  }
  write(state: LinkState, tokens: TokenPair | null, over?: number): number | null {
    this.#strike();
    this.link = this.stealBefore ?? this.link;
    this.stealBefore = null;
    if (over !== undefined && over !== this.link.generation) {
      return null;
    }
    this.writes += 1;
    this.link = { state, tokens, generation: this.link.generation + 1, interrupted: false };
    return this.link.generation;
  }
}

/** An authorization server that rotates refresh tokens `r1`, `r2`, ... and can misbehave before or after that. */
export class RotatingServer {
  readonly spent: string[] = [];
  current = 1;
  /** Spent tokens are still taken. */
  grace = false;
  /** What happens instead of the next answers; `lost` rotates first. */
  readonly script: (Error | 'lost' | 'silent' | 'refused late')[] = [];
  #clock: ManualClock;
  #release: (() => void)[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }
  async refresh(refreshToken: string): Promise<TokenPair> {
    this.spent.push(refreshToken);
    const fault = this.script.shift();
    if (fault === 'silent' || fault === 'refused late') {
      await new Promise<void>((resolve) => this.#release.push(resolve));
    }
    if (fault === 'refused late') {
      throw new FinalError('bad-configuration', 'Check the client secret.');
    }
    if (fault instanceof Error) {
      throw fault;
    }
    if (refreshToken !== `r${String(this.current)}` && !this.grace) {
      throw new RelinkError('revoked', 'The lock account no longer accepts the link.');
    }
    this.current += 1;
    if (fault === 'lost') {
      throw new RetryError('timed-out', 'The answer was lost.');
    }
    return pair(this.current, this.#clock.now());
  }
  /** Lets silent answers come. */
  answer(): void {
    for (const release of this.#release.splice(0)) {
      release();
    }
  }
}

export function pair(count: number, receivedAt: number): TokenPair {
  return {
    accessToken: `a${String(count)}`,
    refreshToken: `r${String(count)}`,
    receivedAt,
    expiresInMs: HOUR_MS,
    issuedAt: receivedAt,
  };
}

/** A pair whose access token tells whose it is. */
export function pairOf(sub: string, issuedAt: number | null): TokenPair {
  const claims = Buffer.from(JSON.stringify({ sub })).toString('base64url');
  return { ...pair(1, issuedAt ?? 0), accessToken: `e30.${claims}.c2ln`, issuedAt };
}

export interface Fixture {
  readonly clock: ManualClock;
  readonly vault: FakeVault;
  readonly server: RotatingServer;
  readonly session: TokenSession;
  readonly lines: string[];
}

/** Ends a session as its process does; throws when it leaves a timer behind. */
async function end({ session, clock, server }: Fixture): Promise<void> {
  server.answer();
  await session.dispose();
  await settle();
  if (clock.pendingTimers > 0) {
    throw new Error('The session left a timer behind');
  }
}

export function start(clock: ManualClock, vault: FakeVault, server: RotatingServer): Fixture {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
  };
  const fixture = {
    clock,
    vault,
    server,
    lines,
    session: new TokenSession({ vault, server, clock, log, random }),
  };
  onTestFinished(async () => end(fixture));
  return fixture;
}

/** A linked account whose access token is `ageMs` old. */
export function linked(ageMs = 0): Fixture {
  const clock = new ManualClock();
  return start(clock, new FakeVault('linked', pair(1, clock.now() - ageMs)), new RotatingServer(clock));
}
