// One account's access token through renewals, lost answers, failing disks and revocations.
import { afterEach, describe, expect, it } from 'vitest';
import { TokenSession } from '../../../src/cloud/token-session.ts';
import type { LinkState } from '../../../src/domain/account.ts';
import type { StoredLink, TokenPair, TokenVault } from '../../../src/domain/ports.ts';
import { FinalError, RelinkError, RetryError, WaitError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';
import { failureOf } from './failure-of.ts';

const HOUR_MS = 3_600_000;

/** Renewals are due at 80 % of a token's life. */
const chance = (): number => 0.5;
const DUE_MS = 0.8 * HOUR_MS;

/** A vault in memory whose disk can fail. */
class FakeVault implements TokenVault {
  link: StoredLink;
  broken = false;
  writes = 0;
  /** What another process stores in the very moment before our next write. */
  stealBefore: StoredLink | null = null;

  constructor(state: LinkState, tokens: TokenPair | null) {
    this.link = { state, tokens, generation: 1 };
  }
  read(): StoredLink {
    return this.link;
  }
  rehearse(): void {
    if (this.broken) {
      throw new RetryError('storage-failed', 'The disk is full.');
    }
  }
  write(state: LinkState, tokens: TokenPair | null, over?: number): number | null {
    this.rehearse();
    this.link = this.stealBefore ?? this.link;
    this.stealBefore = null;
    if (over !== undefined && over !== this.link.generation) {
      return null;
    }
    this.writes += 1;
    this.link = { state, tokens, generation: this.link.generation + 1 };
    return this.link.generation;
  }
}

/** An authorization server that rotates refresh tokens `r1`, `r2`, ... and can misbehave before or after that. */
class RotatingServer {
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

function pair(count: number, receivedAt: number): TokenPair {
  return {
    accessToken: `a${String(count)}`,
    refreshToken: `r${String(count)}`,
    receivedAt,
    expiresInMs: HOUR_MS,
    issuedAt: receivedAt,
  };
}

/** A pair whose access token tells whose it is. */
function pairOf(sub: string, issuedAt: number | null): TokenPair {
  const claims = Buffer.from(JSON.stringify({ sub })).toString('base64url');
  return { ...pair(1, issuedAt ?? 0), accessToken: `e30.${claims}.c2ln`, issuedAt };
}

interface Bench {
  readonly clock: ManualClock;
  readonly vault: FakeVault;
  readonly server: RotatingServer;
  readonly session: TokenSession;
  readonly lines: string[];
}

const open: Bench[] = [];
afterEach(async () => {
  for (const { session, clock, server } of open.splice(0)) {
    server.answer();
    await session.dispose();
    await settle();
    if (clock.pendingTimers > 0) {
      throw new Error('The session left a timer behind');
    }
  }
});

function start(clock: ManualClock, vault: FakeVault, server: RotatingServer): Bench {
  const lines: string[] = [];
  const log = {
    ...silentLog,
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
  };
  const bench = {
    clock,
    vault,
    server,
    lines,
    session: new TokenSession({ vault, server, clock, log, chance }),
  };
  open.push(bench);
  return bench;
}

/** A linked account whose access token is `ageMs` old. */
function linked(ageMs = 0): Bench {
  const clock = new ManualClock();
  return start(clock, new FakeVault('linked', pair(1, clock.now() - ageMs)), new RotatingServer(clock));
}

describe('an access token', () => {
  it('is handed out while it is fresh', async () => {
    const { session, server } = linked(DUE_MS - 1_000);
    expect(await session.accessToken()).toBe('a1');
    expect(server.spent).toEqual([]);
  });

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
    const server = new RotatingServer(clock);
    const vault = new FakeVault('linked', pair(1, clock.now()));
    const session = new TokenSession({ vault, server, clock, log: silentLog, chance: () => drawn });
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

  it('that has ended is renewed once for a hundred callers (faults#6)', async () => {
    const { session, server } = linked(HOUR_MS);
    server.script.push('silent');
    const calls = Array.from({ length: 100 }, async () => session.accessToken());
    await settle();
    server.answer();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['a2']));
    expect(server.spent).toEqual(['r1']);
  });

  it('that was refused is not handed out again', async () => {
    const { session, server } = linked();
    session.invalidate('a1');
    expect(await session.accessToken()).toBe('a2');
    session.invalidate('a1');
    expect(await session.accessToken()).toBe('a2');
    expect(server.spent).toEqual(['r1']);
  });

  it('that the server gives out again after it was refused is used, and costs a renewal a minute at most', async () => {
    const clock = new ManualClock();
    const vault = new FakeVault('linked', pair(1, clock.now()));
    let renewals = 0;
    const refresh = async (): Promise<TokenPair> => {
      renewals += 1;
      return Promise.resolve({ ...pair(renewals + 1, clock.now()), accessToken: 'a1' });
    };
    const session = new TokenSession({ vault, server: { refresh }, clock, log: silentLog, chance });
    for (let second = 0; second < 120; second += 1) {
      expect(await session.accessToken()).toBe('a1');
      session.invalidate('a1');
      await clock.advance(1_000);
    }
    expect(renewals).toBe(2);
    await session.dispose();
  });

  it('is stored before anybody uses it', async () => {
    const { session, vault } = linked(HOUR_MS);
    const token = await session.accessToken();
    expect(vault.link).toMatchObject({ state: 'linked', tokens: { accessToken: token, refreshToken: 'r2' } });
  });

  it('near its end is still handed out while the server stumbles, and the server is not hammered (faults#13)', async () => {
    const { session, server, clock } = linked(DUE_MS + 1_000);
    server.script.push(...Array.from({ length: 100 }, () => new RetryError('server-fault', 'HTTP 500')));
    for (let second = 0; second < 240; second += 1) {
      expect(await session.accessToken()).toBe('a1');
      await clock.advance(1_000);
    }
    expect(session.state()).toBe('linked');
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
    const { session, server, vault, clock, lines } = linked(HOUR_MS);
    server.script.push('silent');
    const token = session.accessToken();
    await settle();
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
    const token = failureOf(session.accessToken());
    await clock.advance(4_000);
    expect(await token).toMatchObject({ disposition: 'relink' });
    expect(server.spent).toEqual(['r1', 'r1']);
    expect(session.state()).toBe('revoked');
  });

  it('is tried three times, then there is a pause (faults#12)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(...Array.from({ length: 6 }, () => new RetryError('timed-out', 'No answer.')));
    const first = failureOf(session.accessToken());
    await clock.advance(4_000);
    expect(await first).toMatchObject({ code: 'timed-out' });
    expect(server.spent).toHaveLength(3);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'timed-out' });
    expect(server.spent).toHaveLength(3);
    expect(session.state()).toBe('linked');
    await clock.advance(2_000);
    const second = failureOf(session.accessToken());
    await clock.advance(4_000);
    expect(await second).toMatchObject({ code: 'timed-out' });
    expect(server.spent).toHaveLength(6);
  });

  it('that the server asks to wait with is not tried before, and says how long yet (faults#13, faults#38)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(new WaitError('rate-limited', 'HTTP 429', 37_000));
    expect(await failureOf(session.accessToken())).toMatchObject({ waitMs: 37_000 });
    await clock.advance(36_000);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'rate-limited', waitMs: 1_000 });
    expect(server.spent).toHaveLength(1);
    await clock.advance(1_000);
    expect(await session.accessToken()).toBe('a2');
  });

  it('that fails by the configuration is not repeated in a loop', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(new FinalError('bad-configuration', 'Check the client secret.'));
    for (let second = 0; second < 299; second += 1) {
      expect(await failureOf(session.accessToken())).toMatchObject({ code: 'bad-configuration' });
      await clock.advance(1_000);
    }
    expect(server.spent).toHaveLength(1);
    expect(session.state()).toBe('linked');
  });

  it('that fails by what a person mends meanwhile is tried again at once, and leaves no pause', async () => {
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

  it('without a network is tried again as soon as it may be back', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    for (let turn = 0; turn < 10; turn += 1) {
      server.script.push(new RetryError('unreachable', 'No network.'));
      expect(await failureOf(session.accessToken())).toMatchObject({ code: 'unreachable' });
      await clock.advance(2_000);
    }
    expect(await session.accessToken()).toBe('a2');
  });
});

describe('a link that the service ends', () => {
  it.each(['revoked', 'expired'] as const)(
    'because it is %s is asked for once, said once, and then quiet (faults#15, faults#16)',
    async (code) => {
      const { session, server, clock, lines, vault } = linked(HOUR_MS);
      const states: LinkState[] = [];
      session.subscribe((state) => states.push(state));
      server.script.push(new RelinkError(code, 'Link the account again.'));
      for (let turn = 0; turn < 100; turn += 1) {
        expect(await failureOf(session.accessToken())).toMatchObject({ disposition: 'relink', code });
        await clock.advance(60_000);
      }
      expect(server.spent).toEqual(['r1']);
      expect(lines).toHaveLength(1);
      expect(states).toEqual([code]);
      expect(vault.link).toMatchObject({ state: code, tokens: null });
    },
  );

  it('stays ended after a restart', async () => {
    const before = linked(HOUR_MS);
    before.server.script.push(new RelinkError('revoked', 'Link again.'));
    await failureOf(before.session.accessToken());
    const after = start(before.clock, before.vault, before.server);
    expect(await failureOf(after.session.accessToken())).toMatchObject({ code: 'revoked' });
    expect(after.server.spent).toEqual(['r1']);
  });

  it('goes on with the newer token that somebody else stored meanwhile (faults#14)', async () => {
    const { session, server, vault, clock } = linked(HOUR_MS);
    server.script.push('silent');
    const token = session.accessToken();
    await settle();
    server.current = 7;
    vault.link = { state: 'linked', tokens: pair(7, clock.now()), generation: 9 };
    server.answer();
    expect(await token).toBe('a7');
    expect(session.state()).toBe('linked');
    expect(server.spent).toEqual(['r1']);
  });

  it('goes on with a newer token even when that has aged, spending it (faults#14)', async () => {
    const { session, server, vault, clock } = linked(HOUR_MS);
    server.current = 7;
    vault.link = { state: 'linked', tokens: pair(7, clock.now() - HOUR_MS), generation: 9 };
    expect(await session.accessToken()).toBe('a8');
    expect(server.spent).toEqual(['r1', 'r7']);
  });

  it('is not told when another process linked anew while it was refused', async () => {
    const { session, server, vault, clock, lines } = linked(HOUR_MS);
    vault.stealBefore = { state: 'linked', tokens: pair(7, clock.now()), generation: 9 };
    server.script.push(new RelinkError('revoked', 'Link again.'));
    expect(await session.accessToken()).toBe('a7');
    expect(vault.link).toMatchObject({ state: 'linked', generation: 9 });
    expect(lines).not.toContain('Link again.');
  });

  it('from an old backup is tried once (faults#18)', async () => {
    const { session, server, clock } = linked(30 * 24 * HOUR_MS);
    server.current = 42;
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await failureOf(session.accessToken())).toMatchObject({ disposition: 'relink' });
      await clock.advance(HOUR_MS);
    }
    expect(server.spent).toEqual(['r1']);
  });
});

describe('a link that a person makes or ends', () => {
  it('begins with the tokens of an exchange, whatever was before', async () => {
    const clock = new ManualClock();
    const { session, vault } = start(clock, new FakeVault('revoked', null), new RotatingServer(clock));
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'revoked' });
    session.adopt(pair(5, clock.now()));
    expect(await session.accessToken()).toBe('a5');
    expect(vault.link).toMatchObject({ state: 'linked', tokens: { refreshToken: 'r5' } });
  });

  it('is not overwritten by the answer to a renewal of the link before', async () => {
    const { session, server, vault, clock } = linked(HOUR_MS);
    server.script.push('silent');
    const waiting = session.accessToken();
    await settle();
    session.adopt(pair(50, clock.now()));
    server.answer();
    expect(await waiting).toBe('a50');
    expect(vault.link.tokens?.refreshToken).toBe('r50');
  });

  it('is not ended by a refusal of the link before', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push('silent');
    const waiting = session.accessToken();
    await settle();
    server.current = 50;
    session.adopt(pair(50, clock.now()));
    server.answer();
    expect(await waiting).toBe('a50');
    expect(session.state()).toBe('linked');
  });

  it.each([
    ['unlinked', (session: TokenSession) => session.unlink()],
    ['signed-out', (session: TokenSession, at: number) => session.signedOut('resident', at)],
  ] as const)('ends as %s, for those who wait as well', async (code, end) => {
    const clock = new ManualClock();
    const stored = new FakeVault('linked', pairOf('resident', clock.now()));
    const { session, server, vault } = start(clock, stored, new RotatingServer(clock));
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

  it('outlives the word of a sign-out from before it was made', () => {
    const { session, clock } = linked(HOUR_MS);
    session.adopt(pairOf('resident', clock.now() + 60_000));
    expect(session.signedOut('resident', clock.now())).toBe(false);
    expect(session.state()).toBe('linked');
  });

  it.each([
    ['of somebody else', 'neighbour', 0],
    ['of nobody knows whom', null, 0],
    ['that nobody can compare with the tokens in time', 'resident', null],
  ])('outlives the word of a sign-out %s', (_title, userId, issuedAt) => {
    const { session, clock } = linked(HOUR_MS);
    session.adopt(pairOf('resident', issuedAt));
    expect(session.signedOut(userId, clock.now())).toBe(false);
    expect(session.state()).toBe('linked');
  });

  it('outlives a sign-out while its token does not tell whose it is', () => {
    const { session, clock } = linked(HOUR_MS);
    expect(session.signedOut('resident', clock.now())).toBe(false);
    expect(session.state()).toBe('linked');
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is judged by the times of the service, though the clock of this machine is off by %i ms',
    (offMs) => {
      const { session, clock } = linked(HOUR_MS);
      const issuedAt = clock.now();
      session.adopt({ ...pairOf('resident', issuedAt), receivedAt: issuedAt + offMs });
      expect(session.signedOut('resident', issuedAt - 60_000)).toBe(false);
      expect(session.signedOut('resident', issuedAt + 60_000)).toBe(true);
      expect(session.state()).toBe('signed-out');
    },
  );

  it('ends a pause that was meant for the link before', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push(new FinalError('bad-configuration', 'Check the client secret.'));
    await failureOf(session.accessToken());
    session.adopt(pair(5, clock.now()));
    expect(await session.accessToken()).toBe('a5');
  });

  it('is told to listeners until they leave, and only when it changes', () => {
    const { session, clock } = linked();
    const states: LinkState[] = [];
    const leave = session.subscribe((state) => states.push(state));
    session.adopt(pair(2, clock.now()));
    session.unlink();
    session.unlink();
    session.adopt(pair(3, clock.now()));
    leave();
    session.unlink();
    expect(states).toEqual(['unlinked', 'linked']);
  });
});

describe('a link that another process changes', () => {
  /** A renewal that is under way while its process stands still, and what the owner that took over stored meanwhile. */
  async function overtaken(state: LinkState, tokens: TokenPair | null): Promise<Bench> {
    const bench = linked(HOUR_MS);
    bench.server.script.push('silent');
    void bench.session.accessToken().catch(() => {});
    await settle();
    bench.vault.link = { state, tokens, generation: 2 };
    bench.server.answer();
    await settle();
    return bench;
  }

  it('is not overwritten by a renewal that began before (faults#14)', async () => {
    const { session, vault, server } = await overtaken('linked', pair(7, new ManualClock().now()));
    expect(vault.link).toMatchObject({ tokens: { refreshToken: 'r7' }, generation: 2 });
    expect(await session.accessToken()).toBe('a7');
    expect(server.spent).toEqual(['r1']);
  });

  it('stays ended when a renewal that began before succeeds', async () => {
    const { session, vault } = await overtaken('unlinked', null);
    expect(vault.link).toMatchObject({ state: 'unlinked', generation: 2 });
    expect(session.state()).toBe('unlinked');
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'unlinked' });
  });

  it('is not overwritten by what the disk refused before, and is told', async () => {
    const { session, vault, server, clock } = linked(HOUR_MS);
    const states: LinkState[] = [];
    session.subscribe((state) => states.push(state));
    server.script.push('silent');
    void session.accessToken().catch(() => {});
    await settle();
    vault.broken = true;
    server.answer();
    await settle();
    vault.link = { state: 'signed-out', tokens: null, generation: 2 };
    vault.broken = false;
    await clock.advance(2_000);
    expect(vault.link).toMatchObject({ state: 'signed-out', generation: 2 });
    expect(states).toEqual(['signed-out']);
  });

  it('is replaced by what a person does here all the same', () => {
    const { session, vault, clock } = linked();
    vault.link = { state: 'signed-out', tokens: null, generation: 5 };
    session.adopt(pair(3, clock.now()));
    expect(vault.link).toMatchObject({ state: 'linked', tokens: { refreshToken: 'r3' }, generation: 6 });
  });

  it('outlives the word of an older sign-out that comes to a process which does not know it yet', () => {
    const { session, vault, clock } = linked();
    session.adopt(pairOf('resident', clock.now()));
    vault.link = { state: 'linked', tokens: pairOf('resident', clock.now() + 60_000), generation: 5 };
    session.signedOut('resident', clock.now() + 30_000);
    expect(vault.link).toMatchObject({ state: 'linked', generation: 5 });
    expect(session.state()).toBe('linked');
  });

  it.each([
    ['linked', pair(7, new ManualClock().now()), []],
    ['unlinked', null, ['unlinked']],
  ] as const)('is taken as it is when this process becomes the owner: %s', async (state, tokens, told) => {
    const { session, vault, server } = linked(HOUR_MS);
    const states: LinkState[] = [];
    session.subscribe((heard) => states.push(heard));
    vault.link = { state, tokens, generation: 2 };
    session.reload();
    expect(session.state()).toBe(state);
    expect(states).toEqual(told);
    expect(server.spent).toEqual([]);
    const found = tokens === null ? await failureOf(session.accessToken()) : await session.accessToken();
    expect(found).toEqual(tokens === null ? expect.objectContaining({ code: state }) : 'a7');
  });

  it('ends a pause that was meant for the link before', async () => {
    const { session, vault, server, clock } = linked(HOUR_MS);
    server.script.push(new FinalError('bad-configuration', 'Check the client secret.'));
    await failureOf(session.accessToken());
    server.current = 7;
    vault.link = { state: 'linked', tokens: pair(7, clock.now() - HOUR_MS), generation: 2 };
    session.reload();
    expect(await session.accessToken()).toBe('a8');
  });
});

describe('an end of the process', () => {
  it('waits for a renewal under way and stores it first (faults#19)', async () => {
    const { session, server, vault } = linked(HOUR_MS);
    server.script.push('silent');
    const token = session.accessToken();
    await settle();
    const progress: string[] = [];
    const closing = session.dispose().finally(() => progress.push('closed'));
    await settle();
    expect(progress).toEqual([]);
    server.answer();
    await closing;
    expect(await token).toBe('a2');
    expect(vault.link.tokens?.refreshToken).toBe('r2');
  });

  it('does not wait for ever: less than 4 s (faults#19)', async () => {
    const { session, server, clock } = linked(HOUR_MS);
    server.script.push('silent');
    const token = session.accessToken();
    await settle();
    const before = clock.monotonic();
    const closing = session.dispose();
    await clock.advance(3_999);
    await closing;
    expect(clock.monotonic() - before).toBeLessThan(4_000);
    server.answer();
    expect(await token).toBe('a2');
  });

  it('begins no further try', async () => {
    const { session, server } = linked(HOUR_MS);
    server.script.push(new RetryError('server-fault', 'HTTP 500'));
    const token = failureOf(session.accessToken());
    await settle();
    await session.dispose();
    expect(await token).toMatchObject({ code: 'aborted' });
    expect(server.spent).toEqual(['r1']);
    expect(await failureOf(session.accessToken())).toMatchObject({ code: 'aborted' });
  });

  it('tries once more to store what the disk refused', async () => {
    const { session, vault, clock } = linked();
    vault.broken = true;
    session.adopt(pair(5, clock.now()));
    vault.broken = false;
    await session.dispose();
    expect(vault.link.tokens?.refreshToken).toBe('r5');
  });
});
