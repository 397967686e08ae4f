// A pause that the service asked for counts for each process of the account, whichever met it.
import { describe, expect, it } from 'vitest';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { begin, writeConfig } from '../cli/terminal.ts';

const HOUR_S = 3_600;

async function refusing(home: SimulatedHome, path: string, status: number, seconds: number): Promise<void> {
  const wait = { seconds, said: 'retry-after' };
  await home.control('house/inject-fault', { path, kind: 'status', status, wait, often: 'once' });
}

const listings = async (home: SimulatedHome): Promise<number> =>
  (await home.requests('GET', '/devices')).length;

describe('a pause of the service', () => {
  it('lasts over a restart, and not longer', async () => {
    const home = await SimulatedHome.linked();
    await refusing(home, '**/devices', 429, 300);
    await home.clock.advance(31_000);
    const before = await listings(home);
    await home.restart();
    await home.clock.advance(200_000);
    expect(await listings(home)).toBe(before);
    await home.clock.advance(130_000);
    expect(await listings(home)).toBeGreaterThan(before);
  });

  it.each([
    ['away (503) is over after a minute', 503, 1],
    ['a limit (429) counts for all of its hour', 429, 0],
  ])('for being %s', async (_, status, listed) => {
    const home = await SimulatedHome.linked();
    await refusing(home, '**/devices', status, HOUR_S);
    await home.clock.advance(31_000);
    const before = await listings(home);
    await home.clock.advance(50_000);
    expect(await listings(home)).toBe(before);
    await home.clock.advance(20_000);
    expect(await listings(home)).toBe(before + listed);
  });

  it('is asked for again each minute by a service that stays away, and then less often', async () => {
    const home = await SimulatedHome.linked();
    await home.control('house/inject-fault', {
      path: '**/devices',
      kind: 'status',
      status: 503,
      wait: { seconds: HOUR_S, said: 'retry-after' },
      often: 'always',
    });
    await home.clock.advance(31_000);
    const before = await listings(home);
    await home.clock.advance(HOUR_S * 1_000);
    const asked = (await listings(home)) - before;
    expect(asked).toBeGreaterThanOrEqual(30);
    expect(asked).toBeLessThanOrEqual(60);
  });

  it('that the plugin was given keeps a command line that works alone from asking', async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    await refusing(home, '**/devices', 429, 300);
    await home.clock.advance(31_000);
    const before = await listings(home);
    await home.app.dispose();
    const { status, err } = await begin(home, ['locks'], home.clock).ended;
    expect([status, err]).toEqual([4, expect.stringContaining('asked for a pause')]);
    expect(await listings(home)).toBe(before);
  });

  it('of the token server lasts over a restart', async () => {
    const home = await SimulatedHome.linked();
    await refusing(home, '**/token', 429, HOUR_S);
    await home.clock.advance(HOUR_S * 1_000);
    const before = (await home.requests('POST', '/token')).length;
    await home.restart();
    await home.clock.advance(600_000);
    expect((await home.requests('POST', '/token')).length).toBe(before);
  });

  it('whose beginning lies ahead of a clock that was set back is not believed', async () => {
    const home = await SimulatedHome.linked();
    await refusing(home, '**/devices', 429, 300);
    await home.clock.advance(31_000);
    const before = await listings(home);
    home.clock.jumpWallTo(home.clock.now() - HOUR_S * 1_000);
    await home.restart();
    expect(await listings(home)).toBeGreaterThan(before);
  });
});
