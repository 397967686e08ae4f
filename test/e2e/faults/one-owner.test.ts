// Three real processes and one account: who renews the token, who takes over, and which rows are stored before the end.
import { describe, expect, it } from 'vitest';
import { mostMs } from '../../harness/how-often.ts';
import { Account, newestRefreshToken, SLOW_RENEWAL } from './account.ts';
import { raceForTokens } from './token-races.ts';

/** A thousand in torture. */
const ROUNDS = 6;
const HOUR_MS = 3_600_000;
/** Its first reading included. */
const TAKEN_OVER_WITHIN_MS = 5_000;
const ENDED_WITHIN_MS = 4_000;

describe('three processes that want a token at once', () => {
  it(`have it renewed by the owner alone: one POST a round, ${ROUNDS} rounds (faults#7)`, async () => {
    const { races, uncaught } = await raceForTokens(ROUNDS);
    expect(races.filter(({ posts, mostPosts }) => posts > mostPosts)).toEqual([]);
    // A poll of the owner may have renewed the token just before a round.
    expect(races.filter(({ posts }) => posts > 0).length).toBeGreaterThan(1);
    expect(uncaught).toEqual([]);
  });
});

describe('an owner that is gone', () => {
  it('is followed at once by the next process when it was killed, which goes on with its link (faults#17, faults#162)', async () => {
    const account = await Account.open();
    const first = account.process('plugin');
    await first.ready;
    await account.link(first);
    const second = account.process('plugin');
    const waited = await Promise.race([
      second.ready.then(() => 'owned'),
      first.ask('locks').then(() => 'waits'),
    ]);
    expect(waited).toBe('waits');

    await first.end('SIGKILL');
    const killedAt = performance.now();
    await second.ready;
    const tookMs = performance.now() - killedAt;
    console.log(`The account was taken over ${Math.round(tookMs)} ms after its owner was killed`);
    expect(tookMs).toBeLessThan(mostMs(TAKEN_OVER_WITHIN_MS));
    expect(await second.ask('status')).toMatchObject({ link: 'linked', locks: 3 });
    expect(await account.renewals()).toHaveLength(0);
  });

  it('by SIGTERM in the midst of a renewal has stored its successor before, in under 4 s (faults#19)', async () => {
    const account = await Account.open();
    const plugin = account.process('plugin');
    await plugin.ready;
    await account.link(plugin);
    const before = account.storedRefreshToken();
    await account.control('house/inject-fault', SLOW_RENEWAL);
    account.simulator.clock.advance(HOUR_MS + 1);
    const called = await account.tokenCalls();
    const refresh = plugin.ask('refresh').catch(() => 'the process ended');
    await expect.poll(async () => account.tokenCalls()).toBe(called + 1);

    const reportedAt = performance.now();
    await plugin.end('SIGTERM');
    expect(performance.now() - reportedAt).toBeLessThan(mostMs(ENDED_WITHIN_MS));
    await refresh;
    const stored = account.storedRefreshToken();
    expect(stored).not.toBe(before);
    expect(stored).toBe(newestRefreshToken(await account.requests()));
    expect(plugin.uncaught).toEqual([]);
  });
});
