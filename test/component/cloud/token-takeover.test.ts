// The link of one account while another process changes it: an older value never overwrites a newer one.
import { describe, expect, it } from 'vitest';
import type { LinkState } from '../../../src/domain/account/account.ts';
import type { TokenPair } from '../../../src/domain/ports.ts';
import { FinalError } from '../../../src/support/errors.ts';
import { HOUR_MS, pair } from '../../stand-ins/service/tokens.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';
import { type Fixture, linked, pairOf, renewing, storedBy } from './token-fixture.ts';

describe('a link that another process changes', () => {
  /** A renewal that is under way while its process stands still, and what the owner that took over stored meanwhile. */
  async function overtaken(state: LinkState, tokens: TokenPair | null): Promise<Fixture> {
    const fixture = await renewing();
    fixture.vault.link = storedBy(2, state, tokens);
    fixture.server.answer();
    await settle();
    return fixture;
  }

  it('is not overwritten by a renewal that began before (faults#14)', async () => {
    const { session, vault, server } = await overtaken('linked', pair(7, new ManualClock().now()));
    expect(vault.link).toMatchObject({ tokens: { refreshToken: 'r7' }, generation: 2, interrupted: false });
    expect(await session.accessToken()).toBe('a7');
    expect(server.spent).toEqual(['r1']);
  });

  it('stays ended when a renewal succeeds that began before', async () => {
    const { session, vault } = await overtaken('unlinked', null);
    expect(vault.link).toMatchObject({ state: 'unlinked', generation: 2, interrupted: false });
    expect(session.link.state()).toBe('unlinked');
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'unlinked' });
  });

  it('is not overwritten by tokens that the disk refused before, and is reported', async () => {
    const { vault, server, clock, states } = await renewing();
    vault.broken = true;
    server.answer();
    await settle();
    vault.link = storedBy(2, 'signed-out', null);
    vault.broken = false;
    await clock.advance(2_000);
    expect(vault.link).toMatchObject({ state: 'signed-out', generation: 2, interrupted: false });
    expect(states).toEqual(['signed-out']);
  });

  it('is replaced when a person links in this process all the same', () => {
    const { session, vault, clock } = linked();
    vault.link = storedBy(5, 'signed-out', null);
    session.adopt(pair(3, clock.now()));
    expect(vault.link).toMatchObject({ ...storedBy(6, 'linked', null), tokens: { refreshToken: 'r3' } });
  });

  it('outlasts the report of an older sign-out that comes to a process which does not know it yet', () => {
    const { session, vault, clock } = linked();
    session.adopt(pairOf('resident', clock.now()));
    vault.link = storedBy(5, 'linked', pairOf('resident', clock.now() + 60_000));
    session.link.signedOut('resident', clock.now() + 30_000);
    expect(vault.link).toMatchObject({ state: 'linked', generation: 5, interrupted: false });
    expect(session.link.state()).toBe('linked');
  });

  it.each([
    ['linked', pair(7, new ManualClock().now()), []],
    ['unlinked', null, ['unlinked']],
  ] as const)(
    'is taken over as it is when this process becomes the owner: %s',
    async (state, tokens, reported) => {
      const { session, vault, server, states } = linked(HOUR_MS);
      vault.link = storedBy(2, state, tokens);
      session.reload();
      expect(session.link.state()).toBe(state);
      expect(states).toEqual(reported);
      expect(server.spent).toEqual([]);
      const found = tokens === null ? await failureOf(session.accessToken()) : await session.accessToken();
      expect(found).toEqual(tokens === null ? expect.objectContaining({ code: state }) : 'a7');
    },
  );

  it('ends a pause that belonged to the former link', async () => {
    const { session, vault, server, clock } = linked(HOUR_MS);
    server.script.push(new FinalError('bad-configuration', 'Check the client secret.'));
    await failureOf(session.accessToken());
    server.current = 7;
    vault.link = storedBy(2, 'linked', pair(7, clock.now() - HOUR_MS));
    session.reload();
    expect(await session.accessToken()).toBe('a8');
  });
});
