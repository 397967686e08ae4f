// A renewal of one account's token, through lost answers, failing disks, and servers that stumble.
import { describe, expect, it } from 'vitest';
import { RetryError, WaitError } from '../../../src/support/errors.ts';
import { HOUR_MS } from '../../stand-ins/service/tokens.ts';
import { settle } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';
import { linked, refusedToken, renewing } from './token-fixture.ts';

describe('a renewal', () => {
  it('is not sent when its successor could not be stored (faults#10)', async () => {
    const { session, server, vault, clock } = linked(HOUR_MS);
    vault.broken = true;
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'storage-failed' });
    expect(server.spent).toEqual([]);
    vault.broken = false;
    await clock.advance(2_000);
    expect(await session.accessToken()).toBe('a2');
  });

  it('whose successor the disk refuses is kept, used, and stored within 2 s of the repair (faults#11)', async () => {
    const { server, vault, clock, lines, token } = await renewing();
    vault.broken = true;
    server.answer();
    expect(await token).toBe('a2');
    await clock.advance(30_000);
    expect(vault.link.tokens?.refreshToken).toBe('r1');
    vault.broken = false;
    await clock.advance(2_000);
    expect(vault.link.tokens?.refreshToken).toBe('r2');
    expect(vault.writes).toBe(1);
    expect(lines).toHaveLength(2);
    await clock.advance(60_000);
    expect(vault.writes).toBe(1);
  });

  it('whose answer was lost after the server rotated is asked again with the same token (faults#12)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.grace = true;
    server.script.push('lost', 'lost');
    const token = session.accessToken();
    await clock.advance(4_000);
    expect(await token).toBe('a4');
    expect(server.spent).toEqual(['r1', 'r1', 'r1']);
  });

  it('whose answer was lost asks to be linked again only if the server is strict (faults#12)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push('lost');
    expect(await refusedToken({ session, clock }, 11_000)).toMatchObject({ disposition: 'relink' });
    expect(server.spent).toEqual(['r1', 'r1', 'r1']);
    expect(session.link.state()).toBe('revoked');
  });

  it('is tried three times, then there is a pause (faults#12)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(...Array.from({ length: 6 }, () => new RetryError('timed-out', 'No answer.')));
    expect(await refusedToken({ session, clock }, 4_000)).toMatchObject({ code: 'timed-out' });
    expect(server.spent).toHaveLength(3);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'timed-out' });
    expect(server.spent).toHaveLength(3);
    expect(session.link.state()).toBe('linked');
    await clock.advance(2_000);
    expect(await refusedToken({ session, clock }, 4_000)).toMatchObject({ code: 'timed-out' });
    expect(server.spent).toHaveLength(6);
  });

  it('of a slow server is asked for once; callers go after 30 s, and later ones are served (faults#81)', async () => {
    const { session, server, clock, token } = await renewing();
    const first = failureOf(token);
    await clock.advance(30_000);
    expect(await first).toMatchObject({ code: 'timed-out' });
    await clock.advance(25_000);
    const second = session.accessToken();
    server.answer();
    expect(await second).toBe('a2');
    await clock.advance(60_000);
    expect([server.spent, session.link.state()]).toEqual([['r1'], 'linked']);
  });

  it('that the server asks to delay is not tried before, and the error names the rest of the time (faults#13, faults#38)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(new WaitError('rate-limited', 'HTTP 429', 37_000));
    expect(await failureOf(session.accessToken())).toMatchObject({ waitMs: 37_000 });
    await clock.advance(36_000);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'rate-limited', waitMs: 1_000 });
    expect(server.spent).toHaveLength(1);
    await clock.advance(1_000);
    expect(await session.accessToken()).toBe('a2');
  });

  it('that failed for a reason that a person mends meanwhile is tried again at once, and leaves no pause', async () => {
    const { session, server } = linked(HOUR_MS);
    server.script.push('refused late');
    const token = session.accessToken();
    await settle();
    session.forgetFailures();
    server.answer();
    expect(await token).toBe('a2');
    expect(server.spent).toEqual(['r1', 'r1']);
    expect(await session.accessToken()).toBe('a2');
  });

  it('that succeeds ends the pause, and the next failure waits as the first one did', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    const fails = async (): Promise<void> => {
      server.script.push(...Array.from({ length: 3 }, () => new RetryError('server-fault', 'HTTP 500')));
      expect(await refusedToken({ session, clock }, 4_000)).toMatchObject({ code: 'server-fault' });
    };
    await fails();
    await clock.advance(2_000);
    await fails();
    await clock.advance(4_000);
    expect(await session.accessToken()).toBe('a2');
    await clock.advance(HOUR_MS);
    await fails();
    await clock.advance(2_000);
    expect(await session.accessToken()).toBe('a3');
  });
});
