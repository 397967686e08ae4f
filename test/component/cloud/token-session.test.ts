// One account's access token: how long it serves, when it is renewed, and the end of the process.
import { describe, expect, it } from 'vitest';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import type { TokenPair } from '../../../src/domain/ports.ts';
import { FinalError, RetryError, WaitError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { MemoryVault } from '../../stand-ins/database/vault.ts';
import { HOUR_MS, pair, StandInTokens } from '../../stand-ins/service/tokens.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';
import { DUE_MS, linked, random, refusedToken, renewing, start } from './token-fixture.ts';

describe('an access token', () => {
  it('is renewed before it ends, and meanwhile the old one serves', async () => {
    const { session, server, clock } = linked(DUE_MS + 1_000);
    expect(await session.accessToken()).toBe('a1');
    await settle();
    expect(await session.accessToken()).toBe('a2');
    await clock.advance(DUE_MS - 1_000);
    expect(await session.accessToken()).toBe('a2');
    expect(server.spent).toEqual(['r1']);
  });

  it.each([
    [0, 0.75],
    [0.999, 0.85],
  ])('is renewed at 75 to 85 percent of its life, spread by chance: %d gives %d', async (drawn, share) => {
    const clock = new ManualClock();
    const server = new StandInTokens(clock);
    const vault = new MemoryVault('linked', pair(1, clock.now()));
    const session = new TokenSession({ vault, server, clock, log: silentLog, random: () => drawn });
    await clock.advance(share * HOUR_MS - 60_000);
    await session.accessToken();
    await settle();
    expect(server.spent).toEqual([]);
    await clock.advance(60_000);
    await session.accessToken();
    await settle();
    expect(server.spent).toEqual(['r1']);
    await session.dispose();
  });

  it('that has ended is renewed once for a hundred callers, and stored before its first use (faults#6)', async () => {
    const { session, server, vault } = linked(HOUR_MS);
    server.script.push('silent');
    const calls = Array.from({ length: 100 }, async () => session.accessToken());
    await settle();
    server.answer();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['a2']));
    expect(server.spent).toEqual(['r1']);
    expect(vault.link).toMatchObject({ state: 'linked', tokens: { accessToken: 'a2', refreshToken: 'r2' } });
  });

  it('that was refused is not handed out again', async () => {
    const { session, server } = linked();
    session.invalidate('a1');
    expect(await session.accessToken()).toBe('a2');
    session.invalidate('a1');
    expect(await session.accessToken()).toBe('a2');
    expect(server.spent).toEqual(['r1']);
  });

  it('that ended in a sleep is renewed, though it was issued a moment before the machine slept', async () => {
    const { session, clock, server } = linked();
    session.invalidate('a1');
    expect(await session.accessToken()).toBe('a2');
    session.invalidate('a2');
    expect(await session.accessToken()).toBe('a2');
    // As a suspended machine's clocks do: the wall clock alone counts the time.
    clock.jumpWallTo(clock.now() + HOUR_MS);
    session.invalidate('a2');
    expect(await session.accessToken()).toBe('a3');
    expect(server.spent).toEqual(['r1', 'r2']);
  });

  it('that the server issues again after it was refused is used, and costs a renewal a minute at most', async () => {
    const clock = new ManualClock();
    const vault = new MemoryVault('linked', pair(1, clock.now()));
    let renewals = 0;
    const refresh = async (): Promise<TokenPair> => {
      renewals += 1;
      return Promise.resolve({ ...pair(renewals + 1, clock.now()), accessToken: 'a1' });
    };
    const session = new TokenSession({ vault, server: { refresh }, clock, log: silentLog, random });
    for (let second = 0; second < 120; second += 1) {
      expect(await session.accessToken()).toBe('a1');
      session.invalidate('a1');
      await clock.advance(1_000);
    }
    expect(renewals).toBe(2);
    await session.dispose();
  });

  it('near its end is still handed out while the server fails, and the server is called with pauses (faults#13)', async () => {
    const { session, server, clock } = linked(DUE_MS + 1_000);
    server.script.push(...Array.from({ length: 100 }, () => new RetryError('server-fault', 'HTTP 500')));
    for (let second = 0; second < 240; second += 1) {
      expect(await session.accessToken()).toBe('a1');
      await clock.advance(1_000);
    }
    expect(session.link.state()).toBe('linked');
    expect(server.spent.length).toBeLessThan(25);
  });

  it.each([1, -1])(
    'is judged by monotonic time when the wall clock jumps %i day (faults#20)',
    async (days) => {
      const { session, server, clock } = linked();
      expect(await session.accessToken()).toBe('a1');
      clock.jumpWallTo(clock.now() + days * 86_400_000);
      await clock.advance(HOUR_MS / 2);
      expect(await session.accessToken()).toBe('a1');
      expect(server.spent).toEqual([]);
    },
  );

  it.each([1, -1])(
    'of before a restart with a clock that jumped %i day costs one renewal at most (faults#20)',
    async (days) => {
      const before = linked();
      before.clock.jumpWallTo(before.clock.now() + days * 86_400_000);
      const after = start(before.clock, before.vault, before.server);
      for (let turn = 0; turn < 10; turn += 1) {
        await after.session.accessToken();
        await after.clock.advance(60_000);
      }
      expect(after.server.spent).toEqual(['r1']);
    },
  );
});

describe('an end of the process', () => {
  it('waits for a renewal under way and stores it first, though the answer takes 4.4 s, nearly all that Homebridge leaves (faults#19, faults#111)', async () => {
    const { session, server, vault, clock, token } = await renewing();
    let isClosed = false;
    const closing = session.dispose().finally(() => {
      isClosed = true;
    });
    await clock.advance(4_400);
    expect(isClosed).toBe(false);
    server.answer();
    await closing;
    expect(await token).toBe('a2');
    expect(vault.link.tokens?.refreshToken).toBe('r2');
  });

  it('waits no longer than Homebridge allows: less than 5 s (faults#19, faults#111)', async () => {
    const { session, server, clock, token } = await renewing();
    const before = clock.monotonic();
    const closing = session.dispose();
    await clock.advance(4_999);
    await closing;
    expect(clock.monotonic() - before).toBeLessThan(5_000);
    server.answer();
    expect(await token).toBe('a2');
  });

  it('begins no further try of a renewal', async () => {
    const { session, server } = linked(HOUR_MS);
    server.script.push(new RetryError('server-fault', 'HTTP 500'));
    const token = failureOf(session.accessToken());
    await settle();
    await session.dispose();
    expect(await token).toMatchObject({ code: 'aborted' });
    expect(server.spent).toEqual(['r1']);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'aborted' });
  });

  it('tries once more to store a token that the disk refused', async () => {
    const { session, vault, clock } = linked();
    vault.broken = true;
    session.adopt(pair(5, clock.now()));
    vault.broken = false;
    await session.dispose();
    expect(vault.link.tokens?.refreshToken).toBe('r5');
  });
});

describe('a renewal that the end of the process has interrupted (faults#111)', () => {
  /** The process has ended while the answer to `r1` was under way. */
  async function interrupted() {
    const before = await renewing();
    const closing = before.session.dispose();
    await before.clock.advance(4_999);
    await closing;
    return { ...before, after: start(before.clock, before.vault, before.server) };
  }

  it('is tried once by the next process, which logs the reason when the service refuses', async () => {
    const { server, after } = await interrupted();
    server.current = 2;
    expect(await refusedToken(after)).toMatchObject({ disposition: 'relink' });
    expect(server.spent).toEqual(['r1', 'r1']);
    expect(
      after.lines.filter((line) => line.includes('was stopped while it was being renewed')),
    ).toHaveLength(1);
  });

  it('is known to a process that ran before, and takes the account over', async () => {
    const { clock, vault, server, session, lines } = linked(HOUR_MS);
    vault.link = { ...vault.link, interrupted: true };
    session.reload();
    server.current = 2;
    expect(await refusedToken({ session, clock })).toMatchObject({ disposition: 'relink' });
    expect(server.spent).toEqual(['r1']);
    expect(lines.join()).toContain('was stopped while it was being renewed');
  });

  it('keeps the link where the service had not taken the token', async () => {
    const { after, vault } = await interrupted();
    expect(await after.session.accessToken()).toBe('a2');
    expect(vault.link).toMatchObject({ interrupted: false, tokens: { refreshToken: 'r2' } });
    expect(after.lines.join()).toContain('the last stop had interrupted that');
  });

  it('stays known while the service is out of reach', async () => {
    const { after, vault, server } = await interrupted();
    server.script.push(new RetryError('unreachable', 'No answer.'));
    expect(await refusedToken(after)).toMatchObject({ code: 'unreachable' });
    expect(vault.link.interrupted).toBe(true);
  });

  it('is forgotten where the answer came in time: a later refusal is verified as usual', async () => {
    const before = linked(HOUR_MS);
    expect(await before.session.accessToken()).toBe('a2');
    const after = start(before.clock, before.vault, before.server);
    await before.clock.advance(HOUR_MS);
    before.server.current = 9;
    expect(await refusedToken(after)).toMatchObject({ disposition: 'relink' });
    expect(before.server.spent).toEqual(['r1', 'r2', 'r2']);
  });

  it.each([
    ['refused for another reason', new FinalError('bad-configuration', 'Check the client secret.')],
    ['out of reach', new RetryError('unreachable', 'No network.')],
  ])('is forgotten after the service was %s', async (_, error) => {
    const { session, server, vault } = linked(HOUR_MS);
    server.script.push(error);
    const token = failureOf(session.accessToken());
    await settle();
    await session.dispose();
    await token;
    expect(vault.link.interrupted).toBe(false);
  });
});

describe('an answer of the service', () => {
  it('ends the pause of a client that was refused, after half a minute, and no pause that the service asked for', async () => {
    for (const [error, tries] of [
      [new FinalError('bad-configuration', 'unauthorized_client'), 2],
      [new WaitError('rate-limited', 'Later.', 300_000), 1],
    ] as const) {
      const { session, server, clock } = linked(HOUR_MS);
      server.script.push(error);
      await failureOf(session.accessToken());
      await clock.advance(29_999);
      session.signOfLife();
      await failureOf(session.accessToken());
      expect(server.spent).toHaveLength(1);
      await clock.advance(1);
      session.signOfLife();
      await session.accessToken().catch(() => null);
      expect(server.spent).toHaveLength(tries);
    }
  });

  it('renews a token at once that was accepted and has ended early twice within a minute', async () => {
    const { session, server } = linked();
    session.invalidate('a1');
    expect(await session.accessToken()).toBe('a2');
    session.accepted('a2');
    session.invalidate('a2');
    expect(await session.accessToken()).toBe('a2');
    session.signOfLife();
    session.invalidate('a2');
    expect(await session.accessToken()).toBe('a3');
    // This one was never accepted: the token is not the fault (faults#89).
    session.signOfLife();
    session.invalidate('a3');
    expect(await session.accessToken()).toBe('a3');
    expect(server.spent).toEqual(['r1', 'r2']);
  });
});
