// Half an hour in the real Home Assistant over all three ways: moves, commands, an outage, and not one line of complaint.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openWholeHome } from '../whole-home.ts';

const WAYS = ['mqtt', 'homekit_controller', 'matter'] as const;
const MINUTES = 31;
const MINUTE_MS = 60_000;

it(`the log of Home Assistant stays empty for ${String(MINUTES)} minutes`, async () => {
  const { home, stage, close } = await openWholeHome(WAYS);
  try {
    const locks = await Promise.all(WAYS.map(async (way) => home.lock(way, 'Front door')));
    const until = performance.now() + MINUTES * MINUTE_MS;
    for (let round = 0; performance.now() < until; round += 1) {
      const next = performance.now() + MINUTE_MS;
      const entity = locks[round % locks.length] ?? '';
      expect(await home.call('lock.unlock', entity)).toBeNull();
      await home.shows(entity, 'unlocked');
      await stage.lock('Front door').at('turn-thumbturn', { to: 'Locked' });
      for (const each of locks) {
        await home.shows(each, 'locked');
      }
      if (round % 10 === 5) {
        await stage.fault({ kind: 'status', status: 503, often: 'always' });
        await sleep(MINUTE_MS / 2);
        await stage.heal();
      }
      await sleep(Math.max(0, next - performance.now()));
    }
    expect(home.complaints()).toEqual([]);
  } finally {
    await close();
  }
});
