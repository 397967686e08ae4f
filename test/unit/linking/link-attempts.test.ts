// The linking that waits, as one owner of the account leaves it to the next, with a disk in memory.
import { describe, expect, it } from 'vitest';
import type { TokenPair } from '../../../src/domain/ports.ts';
import { LinkAttempts } from '../../../src/linking/link-attempts.ts';
import { LINK_TIMEOUT_MS } from '../../../src/linking/link-machine.ts';
import { LinkSession } from '../../../src/linking/link-session.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const REDIRECT_URI = 'https://home.example/callback';
const TOKENS: TokenPair = { accessToken: 'a', refreshToken: 'r', receivedAt: 0, expiresInMs: 1, issuedAt: 0 };

/** One disk, and the processes of one account. */
class Disk {
  readonly clock = new ManualClock();
  readonly values = new Map<string, unknown>();
  readonly broken = new Set<'write' | 'erase'>();
  audience = 'one';
  /** The codes that were exchanged. */
  readonly exchanged: string[] = [];

  process(): LinkSession {
    const written = (kind: 'write' | 'erase', work: () => void): void => {
      if (this.broken.has(kind)) {
        throw new RetryError('storage-failed', 'The disk is full.');
      }
      work();
    };
    return new LinkSession({
      server: {
        authorizeUrl: ({ state }) => `https://auth.example/?state=${state}`,
        exchange: async (code) => {
          this.exchanged.push(code);
          return Promise.resolve(TOKENS);
        },
      },
      adopt: () => {},
      attempts: new LinkAttempts({
        secrets: {
          read: (key) => this.values.get(key),
          write: (key, value) => written('write', () => this.values.set(key, value)),
          erase: (key) => written('erase', () => this.values.delete(key)),
        },
        audience: () => this.audience,
        clock: this.clock,
        log: silentLog,
      }),
      clock: this.clock,
      redirectUri: REDIRECT_URI,
      pkce: true,
      onChange: () => {},
    });
  }
}

/** Where the person is sent back to after consent. */
function answerTo(session: LinkSession): string {
  const state = new URL(session.start().authorizeUrl).searchParams.get('state');
  return `${REDIRECT_URI}?code=c&state=${state ?? ''}`;
}

describe('a linking that waits', () => {
  it('is taken over by the next owner, and continued where its owner has the account again', async () => {
    const disk = new Disk();
    const [first, second] = [disk.process(), disk.process()];
    const answer = answerTo(first);
    first.resume();
    expect(first.waitsForMs).toBe(LINK_TIMEOUT_MS);
    second.resume();
    await second.finish(answer);
    expect(disk.exchanged).toEqual(['c']);
  });

  it('has ended for its first owner as well when the next one has finished it', async () => {
    const disk = new Disk();
    const [first, second] = [disk.process(), disk.process()];
    const answer = answerTo(first);
    second.resume();
    await second.finish(answer);
    first.resume();
    expect(first.waitsForMs).toBeNull();
    await expect(first.finish(answer)).rejects.toThrow('No sign-in is in progress');
    expect(disk.exchanged).toEqual(['c']);
  });

  it('is dropped when config.json or a page names another service, client or redirect URI meanwhile', async () => {
    const disk = new Disk();
    const answer = answerTo(disk.process());
    disk.audience = 'another';
    const next = disk.process();
    next.resume();
    expect(next.waitsForMs).toBeNull();
    await expect(next.finish(answer)).rejects.toThrow('No sign-in is in progress');
    expect(disk.exchanged).toEqual([]);
  });

  it.each([
    ['keep the newer one', ['write']],
    ['drop the older one either', ['write', 'erase']],
  ] as const)('is not replaced by an older one when the disk does not %s', async (_, broken) => {
    const disk = new Disk();
    const session = disk.process();
    const older = answerTo(session);
    for (const work of broken) {
      disk.broken.add(work);
    }
    session.start();
    session.resume();
    await expect(session.finish(older)).rejects.toMatchObject({ code: 'bad-request' });
    expect(disk.exchanged).toEqual([]);
  });
});
