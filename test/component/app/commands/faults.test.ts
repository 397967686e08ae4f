// The simulator loses replies, fails commands whose bolt moved, and contradicts itself: the state that the whole app shows.
import { describe, expect, it } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

async function lockedHome(name: string) {
  const home = await SimulatedHome.linked();
  const id = home.idOf(name);
  await home.control(`locks/${name}/turn-thumbturn`, { to: 'Locked' });
  await home.clock.advance(40_000);
  const shown = async (): Promise<string> =>
    (await home.app.operations.locks({})).find((lock) => lock.id === id)?.bolt ?? 'gone';
  expect(await shown()).toBe('secured');
  return { home, id, shown };
}

describe('an unlock over the simulator', () => {
  it('whose reply is lost does not leave "locked" (faults#30)', async () => {
    const { home, id, shown } = await lockedHome('Front door');
    await home.control('house/inject-fault', {
      kind: 'cut',
      when: 'after-work',
      often: 'once',
      method: 'POST',
      path: '**/commands',
    });
    const answer = home.app.operations.move({ lock: id, to: 'unsecured' });
    await home.clock.advance(0);
    expect([await answer, await shown()]).toEqual([{ kind: 'uncertain' }, 'unknown']);
    await home.clock.advance(10_000);
    expect(await shown()).toBe('unsecured');
    expect(await home.requests('POST', '/commands')).toHaveLength(1);
  });

  it.each([1, 13])(
    'that failed with %d although the bolt moved does not leave "locked"',
    async (errorCode) => {
      const { home, id, shown } = await lockedHome('Front door');
      await home.control('locks/Front door/fail-next-commands', { errorCode, moves: true, delayMs: 1_500 });
      void home.app.operations.move({ lock: id, to: 'unsecured' });
      await home.clock.advance(2_200);
      expect(await shown()).toBe('unknown');
      await home.clock.advance(10_000);
      expect(await shown()).toBe('unsecured');
    },
  );

  it('that ends as successful and locked shows neither position, and the lock is read (faults#85)', async () => {
    const { home, id, shown } = await lockedHome('Front door');
    await home.control('house/inject-fault', {
      kind: 'other-lock-state',
      often: 'always',
      path: '**/commands/*',
    });
    void home.app.operations.move({ lock: id, to: 'unsecured' });
    const seen = new Set<string>();
    for (let step = 0; step < 40; step += 1) {
      await home.clock.advance(250);
      seen.add(await shown());
    }
    expect([...seen]).toEqual(['secured', 'unknown', 'unsecured']);
  });
});
