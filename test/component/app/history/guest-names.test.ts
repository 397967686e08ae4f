// Who came is said by the code's id, in every way out: two people are never one because their codes were called the same.
import { expect, it } from 'vitest';
import { openPushedHome } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

it.each(['webhooks', 'polling'] as const)(
  'with %s, a guest of another script is called by name, and a later one whose code has the same name is not taken for them',
  async (hears) => {
    const home = await (hears === 'webhooks' ? openPushedHome() : SimulatedHome.linked());
    const { operations } = home.app;
    const listed = async () => home.answered(operations['guests.list']({}));
    const front = home.idOf('Front door');
    const always = { kind: 'always' } as const;
    const comes = async (name: string, pin: string): Promise<void> => {
      await home.answered(
        operations['guests.add']({ draft: { name, pin, schedule: always }, locks: [front] }),
      );
      await home.clock.advance(20_000);
      expect(await listed()).toMatchObject([{ name, nameOnLock: 'Guest' }]);
      expect(home.simulator.world.typeCode(front, pin)).toBe('accepted');
      await home.clock.advance(90_000);
      await home.answered(operations['history.refresh']({}));
      expect(home.app.runtime.lock(front)?.lastMove?.by.name).toBe(name);
    };
    await comes('安娜', '4711');
    await home.answered(operations['guests.remove']({ guest: (await listed())[0]?.id ?? '' }));
    await home.clock.advance(200_000);
    expect(await listed()).toEqual([]);
    await home.control('locks/Front%20door/turn-thumbturn');
    await home.clock.advance(90_000);
    await comes('Анна', '4712');
    const { today } = await home.answered(operations['history.look']({ limit: 50, weeksAgo: 0 }));
    const byCode = today.visitors.filter(({ method }) => method === 'access-code');
    expect(byCode.map(({ name, count }) => [name, count])).toEqual([
      ['Анна', 1],
      ['安娜', 1],
    ]);
    const people = await home.answered(operations['history.people']({}));
    expect(people).toEqual(expect.arrayContaining(['安娜', 'Анна']));
  },
);
