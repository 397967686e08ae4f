// Forged and repeated ways back from the service's page, against the real authorization server of the simulator.
import { describe, expect, it } from 'vitest';
import { LINK_TIMEOUT_MS } from '../../../src/setup/link-machine.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { consent } from '../../stand-ins/service/simulated.ts';

/** POSTs to the token endpoint. */
async function tokenPosts(home: SimulatedHome): Promise<number> {
  const posts = await home.requests('POST', '/token');
  return posts.length;
}

/** Begins a linking, gives consent, and hands out the genuine address of the callback. */
async function genuineAnswer(home: SimulatedHome): Promise<URL> {
  const { authorizeUrl } = await home.app.operations['link.start']({});
  return new URL(await consent(authorizeUrl));
}

async function finish(home: SimulatedHome, url: URL): Promise<{ readonly link: string }> {
  return home.app.operations['link.finish']({ redirectedUrl: url.href });
}

/** Each forger is given the genuine address of a linking under way and makes a forged one. */
const FORGERIES: readonly (readonly [string, (home: SimulatedHome, genuine: URL) => Promise<URL>])[] = [
  [
    'without state',
    async (_home, genuine) => {
      genuine.searchParams.delete('state');
      return genuine;
    },
  ],
  [
    'with a wrong state',
    async (_home, genuine) => {
      genuine.searchParams.set('state', 'a-state-of-my-own');
      return genuine;
    },
  ],
  [
    'with a state that was used, and another code',
    async (home, genuine) => {
      await finish(home, genuine);
      genuine.searchParams.set('code', 'a-code-of-my-own');
      return genuine;
    },
  ],
  [
    'with a state that is too old',
    async (home, genuine) => {
      await home.clock.advance(LINK_TIMEOUT_MS + 1);
      return genuine;
    },
  ],
  [
    'while nobody waits, because the person denied',
    async (home, genuine) => {
      const denied = new URL(genuine);
      denied.searchParams.delete('code');
      denied.searchParams.set('error', 'access_denied');
      await expect(finish(home, denied)).rejects.toThrow('You denied access');
      return genuine;
    },
  ],
];

describe('a callback from the service', () => {
  it.each(FORGERIES)(
    '%s is refused, and nothing is posted to the token endpoint (faults#56)',
    async (_, forge) => {
      const home = await SimulatedHome.open();
      const forged = await forge(home, await genuineAnswer(home));
      const before = await tokenPosts(home);
      await expect(finish(home, forged)).rejects.toMatchObject({ disposition: 'final', code: 'bad-request' });
      expect(await tokenPosts(home)).toBe(before);
    },
  );

  it('without a linking that asked for it is refused (faults#56)', async () => {
    const home = await SimulatedHome.open();
    const url = new URL(`${String(home.config.partner?.redirectUri)}?code=c-1&state=s-1`);
    await expect(finish(home, url)).rejects.toThrow('No sign-in is in progress');
    expect(await tokenPosts(home)).toBe(0);
    expect(home.app.runtime.linkState()).toBe('unlinked');
  });

  it('that is forged does not end the linking that is under way (faults#56)', async () => {
    const home = await SimulatedHome.open();
    const genuine = await genuineAnswer(home);
    const forged = new URL(genuine);
    forged.searchParams.set('state', 'a-state-of-my-own');
    await expect(finish(home, forged)).rejects.toThrow('belongs to another sign-in');
    expect(await finish(home, genuine)).toEqual({ link: 'linked', accountChange: null, unanswered: null });
  });

  it('to another address than the redirect URI is refused, with a genuine state and code (faults#56)', async () => {
    const home = await SimulatedHome.open();
    const genuine = await genuineAnswer(home);
    for (const address of ['https://elsewhere.example/callback', `${genuine.origin}/another-path`]) {
      const forged = new URL(address);
      forged.search = genuine.search;
      await expect(finish(home, forged)).rejects.toThrow('not the address of the redirect URI');
    }
    expect(await tokenPosts(home)).toBe(0);
  });

  it('that comes twice at once, and again later, is exchanged once, and each caller gets the same answer (faults#57)', async () => {
    const home = await SimulatedHome.open();
    const genuine = await genuineAnswer(home);
    const linked = { link: 'linked', accountChange: null, unanswered: null };
    expect(await Promise.all([finish(home, genuine), finish(home, genuine)])).toEqual([linked, linked]);
    expect(await finish(home, genuine)).toEqual(linked);
    expect(await tokenPosts(home)).toBe(1);
    expect(home.app.runtime.linkState()).toBe('linked');
  });

  it('is not accepted again once its time is over (faults#56)', async () => {
    const home = await SimulatedHome.open();
    const genuine = await genuineAnswer(home);
    await finish(home, genuine);
    await home.clock.advance(LINK_TIMEOUT_MS);
    const before = await tokenPosts(home);
    await expect(finish(home, genuine)).rejects.toThrow('used already');
    expect(await tokenPosts(home)).toBe(before);
  });

  it('is repeated in no error, because it holds the code (faults#66)', async () => {
    const home = await SimulatedHome.open();
    const genuine = await genuineAnswer(home);
    const [code = '', state = ''] = ['code', 'state'].map((name) => genuine.searchParams.get(name) ?? '');
    await finish(home, genuine);
    const forged = new URL(`${genuine.href}&error=denied`);
    const error: unknown = await finish(home, forged).catch((reason: unknown) => reason);
    expect(String(error)).toContain('used already');
    expect(String(error)).not.toContain(code);
    expect(String(error)).not.toContain(state);
    expect(home.lines.join('\n')).not.toContain(code);
  });
});

describe('a linking that has ended', () => {
  /** The time that the service takes to answer the next exchange. */
  async function slowExchange(home: SimulatedHome): Promise<void> {
    await home.control('house/inject-fault', {
      kind: 'latency',
      delayMs: 5_000,
      when: 'after-work',
      path: '/**/token',
      often: 'once',
    });
  }

  /** Ends it while the clock goes on; resolves with how it ended. */
  async function finishLate(
    home: SimulatedHome,
    genuine: URL,
    meanwhile: () => Promise<unknown>,
  ): Promise<unknown> {
    await slowExchange(home);
    const finishing = finish(home, genuine).catch((reason: unknown) => reason);
    await home.clock.advance(1_000);
    await meanwhile();
    await home.clock.advance(10_000);
    return finishing;
  }

  it('because the account was unlinked does not link it again with a later answer', async () => {
    const home = await SimulatedHome.linked();
    const { operations } = home.app;
    const ended = await finishLate(home, await genuineAnswer(home), async () => operations.unlink({}));
    expect(ended).toMatchObject({ code: 'bad-request', reason: 'overtaken' });
    expect(await operations['link.show']({})).toMatchObject({ state: 'unlinked', ended: null });
  });

  it('because a newer one was begun does not overwrite its link', async () => {
    const home = await SimulatedHome.open();
    const ended = await finishLate(home, await genuineAnswer(home), async () => home.link());
    expect(ended).toMatchObject({ code: 'bad-request', reason: 'overtaken' });
    expect(await home.app.operations['link.show']({})).toMatchObject({
      state: 'linked',
      ended: { outcome: 'linked' },
    });
    expect(home.lines.filter((line) => line === 'Account connected.')).toHaveLength(1);
  });

  it('because the account was unlinked is refused, also after a restart', async () => {
    const home = await SimulatedHome.linked();
    const genuine = await genuineAnswer(home);
    await home.app.operations.unlink({});
    expect(await home.app.operations['link.show']({})).toMatchObject({ waiting: null, ended: null });
    await expect(finish(home, genuine)).rejects.toThrow('No sign-in is in progress');
    await home.restart();
    await expect(finish(home, genuine)).rejects.toThrow('No sign-in is in progress');
    expect(home.app.runtime.linkState()).toBe('unlinked');
  });
});
