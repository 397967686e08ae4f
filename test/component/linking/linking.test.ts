// Forged and repeated ways back from the service's page, against the real authorization server of the simulator.
import { describe, expect, it } from 'vitest';
import { LINK_TIMEOUT_MS } from '../../../src/linking/link-machine.ts';
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

/** The same address with other parameters; null leaves one out. */
function changed(genuine: URL, parameters: Readonly<Record<string, string | null>>): URL {
  const url = new URL(genuine);
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.delete(name);
    if (value !== null) {
      url.searchParams.set(name, value);
    }
  }
  return url;
}

async function finish(home: SimulatedHome, url: URL): Promise<{ readonly link: string }> {
  return home.app.operations['link.finish']({ redirectedUrl: url.href });
}

describe('a callback from the service', () => {
  it('that is forged is refused, posts nothing to the token endpoint, and does not end the linking (faults#56)', async () => {
    const home = await SimulatedHome.open();
    const genuine = await genuineAnswer(home);
    const forgeries: readonly (readonly [string, URL])[] = [
      ['The address has no "state"', changed(genuine, { state: null })],
      ['belongs to another sign-in', changed(genuine, { state: 'a-state-of-my-own' })],
      ['not the address of the redirect URI', new URL(genuine.search, 'https://elsewhere.example/callback')],
      ['not the address of the redirect URI', new URL(`/another-path${genuine.search}`, genuine)],
    ];
    for (const [words, forged] of forgeries) {
      await expect(finish(home, forged)).rejects.toMatchObject({
        disposition: 'final',
        code: 'bad-request',
        message: expect.stringContaining(words) as string,
      });
    }
    expect(await tokenPosts(home)).toBe(0);
    expect(await finish(home, genuine)).toEqual({ link: 'linked', accountChange: null, unanswered: null });
  });

  it.each<readonly [string, (home: SimulatedHome, genuine: URL) => Promise<URL>]>([
    [
      'with a state that was used, and another code',
      async (home, genuine) => {
        await finish(home, genuine);
        return changed(genuine, { code: 'a-code-of-my-own' });
      },
    ],
    [
      'once its time is over after it was accepted',
      async (home, genuine) => {
        await finish(home, genuine);
        await home.clock.advance(LINK_TIMEOUT_MS);
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
        const denied = changed(genuine, { code: null, error: 'access_denied' });
        await expect(finish(home, denied)).rejects.toThrow('You denied access');
        return genuine;
      },
    ],
  ])('%s is refused, and posts nothing to the token endpoint (faults#56)', async (_, late) => {
    const home = await SimulatedHome.open();
    const url = await late(home, await genuineAnswer(home));
    const before = await tokenPosts(home);
    await expect(finish(home, url)).rejects.toMatchObject({ disposition: 'final', code: 'bad-request' });
    expect(await tokenPosts(home)).toBe(before);
  });

  it('without a linking that asked for it is refused (faults#56)', async () => {
    const home = await SimulatedHome.open();
    const url = new URL(`${String(home.config.partner?.redirectUri)}?code=c-1&state=s-1`);
    await expect(finish(home, url)).rejects.toThrow('No sign-in is in progress');
    expect(await tokenPosts(home)).toBe(0);
    expect(home.app.runtime.linkState()).toBe('unlinked');
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
  /** Ends it with an answer of the service that takes 5 s; resolves with how it ended. */
  async function finishLate(
    home: SimulatedHome,
    genuine: URL,
    meanwhile: () => Promise<unknown>,
  ): Promise<unknown> {
    const slow = { kind: 'latency', delayMs: 5_000, when: 'after-work', path: '/**/token', often: 'once' };
    await home.control('house/inject-fault', slow);
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
