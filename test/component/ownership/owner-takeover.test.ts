// One process after another owns the account: the changes of the predecessor hold, and an end in the middle leaves nothing behind.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { freePort } from '../../harness/free-port.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

/** A process that was there before its predecessor did this, and then takes over. */
async function takenOver(home: SimulatedHome, before: () => Promise<void>): Promise<App> {
  const successor = home.another();
  const started = successor.start();
  onTestFinished(async () => successor.dispose());
  await home.clock.advance(2_000);
  await before();
  await home.app.dispose();
  await home.clock.advance(31_000);
  await started;
  return successor;
}

describe('a process that takes the account over', () => {
  it('knows the link that was made while it waited', async () => {
    const home = await SimulatedHome.open();
    const { runtime } = await takenOver(home, async () => home.link());
    expect([runtime.linkState(), runtime.locks().length > 0]).toEqual(['linked', true]);
  });

  it('knows the link that was ended while it waited', async () => {
    const home = await SimulatedHome.linked();
    const { runtime } = await takenOver(home, async () => {
      await home.app.operations.unlink({});
    });
    expect(runtime.linkState()).toBe('unlinked');
  });

  it('spends no refresh token that its predecessor spent', async () => {
    const home = await SimulatedHome.linked();
    const { runtime } = await takenOver(home, async () => home.clock.advance(65 * 60_000));
    await home.clock.advance(65 * 60_000);
    const spent = (await home.requests('POST', '/token'))
      .map(({ body }) => /refresh_token=([^&]+)/.exec(body ?? '')?.[1])
      .filter((token) => token !== undefined);
    expect(spent.length).toBeGreaterThan(1);
    expect(new Set(spent).size).toBe(spent.length);
    expect(runtime.linkState()).toBe('linked');
  });
});

it.each([0, 1, 2, 3, 4, 6, 8, 12])(
  'an end in the middle of a start leaves no socket, listener or timer behind, %i turns after its beginning',
  async (commits) => {
    const port = await freePort();
    const home = await SimulatedHome.open({ options: { webhooks: { enabled: true, port } } });
    await home.app.dispose();
    const timers = home.clock.pendingTimers;
    const app = home.another();
    const started = app.start();
    for (let turn = 0; turn < commits; turn += 1) {
      await Promise.resolve();
    }
    await Promise.all([app.dispose(), home.clock.advance(5_000)]);
    await started;
    const [account = ''] = readdirSync(join(home.folder, 'latchkey'));
    const left = readdirSync(join(home.folder, 'latchkey', account)).filter((name) => name.endsWith('.sock'));
    expect([left, home.clock.pendingTimers - timers]).toEqual([[], 0]);
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap')).toHaveLength(1);
  },
);
