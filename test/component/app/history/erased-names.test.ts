// Whoever is erased from the history is named nowhere any more: not by the last move of a lock, and not among the recent activity.
import { expect, it } from 'vitest';
import { newMoves } from '../../../../src/domain/locks/moves.ts';
import { openPushedHome } from '../../../homes/pushed-home.ts';

it('nothing names an erased person, and nothing new has happened', async () => {
  const home = await openPushedHome();
  const { operations, runtime } = home.app;
  const front = home.idOf('Front door');
  const draft = { name: 'Cellist', pin: '4711', schedule: { kind: 'always' } } as const;
  await home.answered(operations['guests.add']({ draft, locks: [front] }));
  await home.clock.advance(20_000);
  expect(home.simulator.world.typeCode(front, '4711')).toBe('accepted');
  await home.clock.advance(90_000);
  const said = async (): Promise<string> =>
    JSON.stringify([await operations.activity({}), await operations.locks({}), runtime.locks()]);
  expect((await said()).split('Cellist').length).toBeGreaterThan(2);

  const moves: unknown[] = [];
  const pages: string[] = [];
  runtime.subscribe((event) => {
    if (event.type === 'lock-changed') {
      moves.push(...newMoves(event.previous, event.lock, runtime.serviceNow()));
    }
  });
  home.app.subscribe((event) => pages.push(JSON.stringify(event)));
  const [lines, { length: entries }] = [[...home.lines], await operations.activity({})];
  await home.answered(operations['history.erase']({ lock: null, person: 'cellist' }));
  expect(await said()).not.toContain('Cellist');
  expect(await operations.activity({})).toHaveLength(entries);
  // Open pages are told, and without the name.
  expect(pages.some((event) => event.includes('"activity"'))).toBe(true);
  expect(pages.join()).not.toContain('Cellist');
  await home.clock.advance(90_000);
  expect(await said()).not.toContain('Cellist');
  expect(moves).toEqual([]);
  expect(home.lines.slice(lines.length).filter((line) => line.includes('Front door'))).toEqual([]);
});
