// The link of one account: ended by the service, made and ended by a person.
import { describe, expect, it } from 'vitest';
import type { TokenSession } from '../../../src/cloud/account/token-session.ts';
import type { LinkState } from '../../../src/domain/account/account.ts';
import type { TokenPair } from '../../../src/domain/ports.ts';
import { FinalError, RelinkError, RetryError } from '../../../src/support/errors.ts';
import { lossWords } from '../../../src/words/account.ts';
import { MemoryVault } from '../../stand-ins/database/vault.ts';
import { HOUR_MS, pair, StandInTokens } from '../../stand-ins/service/tokens.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';
import { DUE_MS, linked, pairOf, refusedToken, renewing, start, storedBy } from './token-fixture.ts';

describe('a link that the service ends', () => {
  it.each(['revoked', 'expired'] as const)(
    'because it is %s is verified by a second call, reported once, and then quiet (faults#15, faults#16)',
    async (code) => {
      const { session, server, clock, lines, vault, states } = linked(HOUR_MS);
      const refusal = new RelinkError(code, 'Connect the account again.');
      server.script.push(refusal, refusal);
      for (let turn = 0; turn < 100; turn += 1) {
        expect(await refusedToken({ session, clock }, 60_000)).toMatchObject({ disposition: 'relink', code });
      }
      expect(server.spent).toEqual(['r1', 'r1']);
      expect(lines).toHaveLength(1);
      expect(states).toEqual([code]);
      expect(vault.link).toMatchObject({ state: code, tokens: { refreshToken: 'r1' } });
    },
  );

  it.each([
    new RelinkError('revoked', 'Connect the account again.'),
    new RelinkError('expired', 'Connect the account again.'),
    new RetryError('server-fault', 'HTTP 404'),
  ])(
    'is not ended, nor paused for minutes, by one answer of a gateway: $code (faults#90, faults#91)',
    async (answer) => {
      const { session, server, clock } = linked(HOUR_MS);
      server.script.push(answer);
      const token = session.accessToken();
      await clock.advance(10_000);
      expect(await token).toBe('a2');
      expect([server.spent, session.link.state()]).toEqual([['r1', 'r1'], 'linked']);
    },
  );

  it('stays ended after a restart', async () => {
    const before = linked(HOUR_MS);
    before.server.current = 2;
    await refusedToken(before);
    const after = start(before.clock, before.vault, before.server);
    expect(await failureOf(after.session.accessToken())).toMatchObject({ code: 'revoked' });
    expect(after.server.spent).toEqual(['r1', 'r1']);
  });

  it('goes on with the newer token that another process stored meanwhile (faults#14)', async () => {
    const { session, server, vault, clock, token } = await renewing();
    server.current = 7;
    vault.link = storedBy(9, 'linked', pair(7, clock.now()));
    server.answer();
    expect(await token).toBe('a7');
    expect(session.link.state()).toBe('linked');
    expect(server.spent).toEqual(['r1']);
  });

  it('goes on with a newer token even when that has aged, spending it (faults#14)', async () => {
    const { session, server, vault, clock } = linked(HOUR_MS);
    server.current = 7;
    vault.link = storedBy(9, 'linked', pair(7, clock.now() - HOUR_MS));
    expect(await session.accessToken()).toBe('a8');
    expect(server.spent).toEqual(['r1', 'r7']);
  });

  it('is not reported when another process linked anew while it was refused', async () => {
    const { session, server, vault, clock, lines } = linked(HOUR_MS);
    vault.stealBefore = storedBy(9, 'linked', pair(7, clock.now()));
    const refusal = new RelinkError('revoked', 'Link again.');
    server.script.push(refusal, refusal);
    const token = session.accessToken();
    await clock.advance(10_000);
    expect(await token).toBe('a7');
    expect(vault.link).toMatchObject({ state: 'linked', generation: 9, interrupted: false });
    expect(lines).not.toContain('Link again.');
  });

  it('of an old backup is tried, verified, and then left alone (faults#18)', async () => {
    const { session, server, clock } = linked(30 * 24 * HOUR_MS);
    server.current = 42;
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await refusedToken({ session, clock }, HOUR_MS)).toMatchObject({ disposition: 'relink' });
    }
    expect(server.spent).toEqual(['r1', 'r1']);
  });
});

describe('a refresh token that another computer has spent', () => {
  /** An hour-old link whose access token the service accepts until this long before its renewal. */
  async function refusedAfter(silenceMs: number, meanwhile?: (session: TokenSession) => void) {
    const fixture = linked(DUE_MS - 60_000);
    const { session, server, clock, lines } = fixture;
    expect(await session.accessToken()).toBe('a1');
    session.accepted('a1');
    server.current = 2;
    await clock.advance(silenceMs);
    meanwhile?.(session);
    // What is asked for while the old one is good is answered with it.
    session.accessToken().catch(() => {});
    await clock.advance(10_000);
    return { state: session.link.state(), lines };
  }

  it('is reported as such where the access token was good to the end (faults#138)', async () => {
    const { state, lines } = await refusedAfter(61_000);
    expect([state, lines]).toEqual(['used-elsewhere', [lossWords('used-elsewhere')]]);
  });

  it('is an end of the access where the service refused the access token first', async () => {
    const { state } = await refusedAfter(61_000, (session) => {
      session.invalidate('a1');
    });
    expect(state).toBe('revoked');
  });

  it('is an end of the access where the service has accepted nothing for minutes, as after a sleep', async () => {
    expect((await refusedAfter(180_000)).state).toBe('revoked');
  });
});

describe('a link that a person makes or ends', () => {
  it('begins with the tokens of the exchange, whatever was stored before', async () => {
    const clock = new ManualClock();
    const { session, vault } = start(clock, new MemoryVault('revoked', null), new StandInTokens(clock));
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'revoked' });
    session.adopt(pair(5, clock.now()));
    expect(await session.accessToken()).toBe('a5');
    expect(vault.link).toMatchObject({ state: 'linked', tokens: { refreshToken: 'r5' } });
  });

  it.each([
    ['is not overwritten by the answer to a renewal of the link before', 1],
    ['is not ended by a refusal of the link before', 50],
  ])('%s', async (_, current) => {
    const { session, server, vault, clock, token } = await renewing();
    server.current = current;
    session.adopt(pair(50, clock.now()));
    server.answer();
    expect(await token).toBe('a50');
    expect([session.link.state(), vault.link.tokens?.refreshToken]).toEqual(['linked', 'r50']);
  });

  it('with the refresh token of the link before keeps the successor that arrives for it', async () => {
    const { session, server, vault, clock, token } = await renewing();
    // As when the service gives the same tokens again, which it had lost in a restart.
    session.adopt(pair(1, clock.now() - HOUR_MS));
    server.answer();
    expect(await token).toBe('a2');
    expect(vault.link.tokens?.refreshToken).toBe('r2');
    expect(server.spent).toEqual(['r1']);
  });

  it('is used at once, though the same access token was refused before the service issued it again', async () => {
    const { session, server, clock } = linked();
    session.invalidate('a1');
    session.adopt(pair(1, clock.now()));
    expect(await session.accessToken()).toBe('a1');
    expect(server.spent).toEqual([]);
  });

  it.each([
    ['unlinked', (session: TokenSession) => session.unlink()],
    ['signed-out', (session: TokenSession, at: number) => session.link.signedOut('resident', at)],
  ] as const)('ends as %s, also for calls that wait', async (code, end) => {
    const clock = new ManualClock();
    const stored = new MemoryVault('linked', pairOf('resident', clock.now()));
    const { session, server, vault } = start(clock, stored, new StandInTokens(clock));
    await clock.advance(HOUR_MS);
    server.script.push('silent');
    const waiting = failureOf(session.accessToken());
    await settle();
    end(session, clock.now());
    server.answer();
    expect(await waiting).toMatchObject({ code });
    expect(vault.link).toMatchObject({ state: code, tokens: null });
    expect(await failureOf(session.accessToken())).toMatchObject({ disposition: 'relink', code });
  });

  it.each<[string, string | null, (now: number) => TokenPair, boolean]>([
    ['at the instant of its issue', 'resident', (now) => pairOf('resident', now), true],
    ['a millisecond before it', 'resident', (now) => pairOf('resident', now + 1), false],
    ['of somebody else', 'neighbour', () => pairOf('resident', 0), false],
    ['of nobody knows whom', null, () => pairOf('resident', 0), false],
    ['that nobody can compare with the tokens in time', 'resident', () => pairOf('resident', null), false],
    ['while its token does not name its person', 'resident', (now) => pair(2, now), false],
  ])('is judged by the person and the time of a reported sign-out: %s', (_title, userId, tokens, ends) => {
    const { session, clock } = linked(HOUR_MS);
    session.adopt(tokens(clock.now()));
    expect(session.link.signedOut(userId, clock.now())).toBe(ends);
    expect(session.link.state()).toBe(ends ? 'signed-out' : 'linked');
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is judged by the times of the service, though the clock of this machine is off by %i ms',
    (offMs) => {
      const { session, clock } = linked(HOUR_MS);
      const issuedAt = clock.now();
      session.adopt({ ...pairOf('resident', issuedAt), receivedAt: issuedAt + offMs });
      expect(session.link.signedOut('resident', issuedAt - 60_000)).toBe(false);
      expect(session.link.signedOut('resident', issuedAt + 60_000)).toBe(true);
      expect(session.link.state()).toBe('signed-out');
    },
  );

  it('ends a pause that belonged to the former link', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(new FinalError('bad-configuration', 'Check the client secret.'));
    await failureOf(session.accessToken());
    session.adopt(pair(5, clock.now()));
    expect(await session.accessToken()).toBe('a5');
  });

  it('is reported to listeners until they leave, and only when it changes', () => {
    const { session, clock } = linked();
    const states: LinkState[] = [];
    const leave = session.link.subscribe((state) => states.push(state));
    session.adopt(pair(2, clock.now()));
    session.unlink();
    session.unlink();
    session.adopt(pair(3, clock.now()));
    leave();
    session.unlink();
    expect(states).toEqual(['unlinked', 'linked']);
  });
});
