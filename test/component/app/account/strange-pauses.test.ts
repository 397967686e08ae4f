// A pause that makes no sense stops no person for a day: a tap waits for one window of the limits, then one call shows.
import { describe, expect, it } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

const HOUR_MS = 3_600_000;

/** What a service writes by mistake: milliseconds for seconds, a date in a far year, twenty digits. */
const STRANGE: readonly (readonly [string, { readonly seconds: number; readonly said: string }])[] = [
  ['milliseconds in place of seconds', { seconds: 37_000, said: 'x-retry-after' }],
  ['a date in the year 2099', { seconds: 2_300_000_000, said: 'reset-iso' }],
  ['an instant in the year 2099', { seconds: 2_300_000_000, said: 'reset-epoch' }],
  ['more digits than a number holds', { seconds: Number.MAX_SAFE_INTEGER, said: 'retry-after' }],
  ['a sentence with a number of milliseconds', { seconds: 37_000, said: 'text' }],
];

async function opened(home: SimulatedHome): Promise<void> {
  await home.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
  await home.clock.advance(31_000);
}

function bolt(home: SimulatedHome): string {
  return home.simulator.world.inspect(home.idOf('Front door')).bolt;
}

/** How many commands the service was sent. */
const commands = async (home: SimulatedHome): Promise<number> => home.count('POST', '/commands');

describe('a pause of commands that is written as', () => {
  it.each(STRANGE)('%s holds "lock" up for a minute (faults#142)', async (_, wait) => {
    const home = await SimulatedHome.linked();
    await opened(home);
    await home.fail('**/commands', { status: 429, wait, often: 'once' });
    void home.app.runtime.request(home.idOf('Front door'), 'secured');
    await home.clock.advance(59_000);
    expect([await commands(home), bolt(home)]).toEqual([1, 'Unlocked']);
    await home.clock.advance(6_000);
    expect([await commands(home), bolt(home)]).toEqual([2, 'Locked']);
    // The service takes commands, so the pause is over for the next one.
    void home.app.runtime.request(home.idOf('Front door'), 'unsecured');
    await home.clock.advance(10_000);
    expect(bolt(home)).toBe('Unlocked');
  });

  it.each(STRANGE)('%s counts no longer after a restart (faults#142)', async (_, wait) => {
    const home = await SimulatedHome.linked();
    await opened(home);
    await home.fail('**/commands', { status: 429, wait, often: 'once' });
    void home.app.runtime.request(home.idOf('Front door'), 'unsecured');
    void home.app.runtime.request(home.idOf('Back door'), 'unsecured');
    await home.clock.advance(30_000);
    const before = await commands(home);
    await home.restart();
    await home.clock.advance(31_000);
    expect(await commands(home)).toBe(before);
    void home.app.runtime.request(home.idOf('Front door'), 'secured');
    await home.clock.advance(10_000);
    expect(bolt(home)).toBe('Locked');
  });

  it('an hour is meant: each minute at most one tap is tried, whatever is tapped', async () => {
    const home = await SimulatedHome.linked();
    await home.fail('**/commands', { status: 429, wait: { seconds: 3_600, said: 'retry-after' } });
    for (let tap = 0; tap < 60; tap += 1) {
      for (const name of ['Front door', 'Back door', 'Garage']) {
        void home.app.runtime.request(home.idOf(name), 'unsecured');
      }
      await home.clock.advance(5_000);
    }
    // The first three left before the pause was known.
    expect((await commands(home)) - 3).toBeGreaterThanOrEqual(4);
    expect((await commands(home)) - 3).toBeLessThanOrEqual(5);
  });
});

describe('a pause of the token server that makes no sense', () => {
  it.each(STRANGE)('as %s does not hold a tap up for a day (faults#142)', async (_, wait) => {
    const home = await SimulatedHome.linked();
    await home.fail('**/token', { status: 429, wait, often: 'once' });
    await home.clock.advance(2 * HOUR_MS);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked' });
    await home.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
    void home.app.runtime.request(home.idOf('Front door'), 'secured');
    await home.clock.advance(10_000);
    expect(bolt(home)).toBe('Locked');
    await home.clock.advance(60_000);
    expect(await home.app.operations.status({})).toMatchObject({ failing: null, longPauseMs: null });
  });
});

describe('a pause of more than an hour', () => {
  it('is named on the page, and ends when a person has everything tried (faults#142)', async () => {
    const home = await SimulatedHome.linked();
    await home.fail('**/devices', {
      status: 429,
      wait: { seconds: 86_400, said: 'x-retry-after' },
      often: 'once',
    });
    await home.clock.advance(3 * HOUR_MS);
    const status = await home.app.operations.status({});
    expect(status.longPauseMs).toBeGreaterThan(20 * HOUR_MS);
    const before = await home.count('GET', '/devices');
    expect(await home.answered(home.app.operations['try-now']({}))).toMatchObject({
      failing: null,
      longPauseMs: null,
    });
    expect(await home.count('GET', '/devices')).toBe(before + 1);
    await home.clock.advance(60_000);
    expect(await home.count('GET', '/devices')).toBeGreaterThan(before + 1);
  });

  it('that is asked for again stays, and a second try in the same minute is not sent', async () => {
    const home = await SimulatedHome.linked();
    await home.fail('**/devices', { status: 429, wait: { seconds: 86_400, said: 'x-retry-after' } });
    await home.clock.advance(3 * HOUR_MS);
    const before = await home.count('GET', '/devices');
    for (let often = 0; often < 5; often += 1) {
      await expect(home.answered(home.app.operations['try-now']({}))).rejects.toThrow('asked for a pause');
    }
    expect(await home.count('GET', '/devices')).toBe(before + 1);
    expect((await home.app.operations.status({})).longPauseMs).toBeGreaterThan(23 * HOUR_MS);
  });

  it('of an hour or less is not named', async () => {
    const home = await SimulatedHome.linked();
    await home.fail('**/devices', { status: 429, wait: { seconds: 3_600, said: 'x-retry-after' } });
    await home.clock.advance(60_000);
    expect(await home.app.operations.status({})).toMatchObject({ longPauseMs: null });
  });
});
