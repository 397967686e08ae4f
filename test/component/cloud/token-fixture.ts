// A session of one account's tokens between a vault whose disk can fail and an authorization server that can misbehave.
import { onTestFinished } from 'vitest';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import type { LinkState } from '../../../src/domain/account/account.ts';
import type { StoredLink, TokenPair } from '../../../src/domain/ports.ts';
import type { LatchkeyError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { MemoryVault } from '../../stand-ins/database/vault.ts';
import { HOUR_MS, pair, StandInTokens } from '../../stand-ins/service/tokens.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';

/** Renewals are due at 80 % of a token's life. */
export const random = (): number => 0.5;
export const DUE_MS = 0.8 * HOUR_MS;

/** A pair whose access token names its person. */
export function pairOf(sub: string, issuedAt: number | null): TokenPair {
  const claims = Buffer.from(JSON.stringify({ sub })).toString('base64url');
  return { ...pair(1, issuedAt ?? 0), accessToken: `e30.${claims}.c2ln`, issuedAt };
}

export interface Fixture {
  readonly clock: ManualClock;
  readonly vault: MemoryVault;
  readonly server: StandInTokens;
  readonly session: TokenSession;
  readonly lines: string[];
  /** Of the link, as they were reported. */
  readonly states: LinkState[];
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

export function start(clock: ManualClock, vault: MemoryVault, server: StandInTokens): Fixture {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
  };
  const session = new TokenSession({ vault, server, clock, log, random });
  const states: LinkState[] = [];
  session.link.subscribe((state) => states.push(state));
  const fixture = { clock, vault, server, lines, states, session };
  onTestFinished(async () => end(fixture));
  return fixture;
}

/** A linked account whose access token is `ageMs` old. */
export function linked(ageMs = 0): Fixture {
  const clock = new ManualClock();
  return start(clock, new MemoryVault('linked', pair(1, clock.now() - ageMs)), new StandInTokens(clock));
}

/** A linked account whose renewal is under way: the server has `r1` and is silent. */
export async function renewing(): Promise<Fixture & { readonly token: Promise<string> }> {
  const fixture = linked(HOUR_MS);
  fixture.server.script.push('silent');
  const token = fixture.session.accessToken();
  token.catch(() => {});
  await settle();
  return { ...fixture, token };
}

/** The error of a token that is asked for now, and given up in that time. */
export async function refusedToken(
  { session, clock }: Pick<Fixture, 'session' | 'clock'>,
  withinMs = 10_000,
): Promise<LatchkeyError> {
  const refused = failureOf(session.accessToken());
  await clock.advance(withinMs);
  return refused;
}

/** A link as another process has stored it. */
export function storedBy(generation: number, state: LinkState, tokens: TokenPair | null): StoredLink {
  return { state, tokens, generation, interrupted: false };
}
