// Commands at random travel times, over the real clients and the real simulator: who is first, bolt or word?
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { boltOf, lockId } from '../../../../src/domain/locks/lock.ts';
import { createRandom } from '../../../../src/simulator/world/random.ts';
import { howOften } from '../../../harness/how-often.ts';
import { RESIDENT, SimulatedHome } from '../../../homes/simulated-home.ts';

const LOCKS = 10;
const ROUNDS = howOften(15, 100);
/** From a quick latch to a bolt that takes nearly as long as a command may. */
const TRAVEL_MS = { least: 50, most: 25_000 } as const;

it(`a command to a lock whose bolt takes its time is confirmed after the bolt has moved, ${String(LOCKS * ROUNDS)} times of as many at random travel times`, async () => {
  const locks = Array.from({ length: LOCKS }, (_, number) => ({
    name: `Door ${number}`,
    type: 'WifiDeadbolt' as const,
    roles: { [RESIDENT]: 'owner' as const },
  }));
  const users = [{ userId: RESIDENT, friendlyName: 'Resident', email: 'resident@home.example' }];
  const home = await SimulatedHome.linked({ simulator: { scenario: { users, locks } } });
  const { world } = home.simulator;
  const ids = world.deviceIds().map((id) => lockId(id));
  const spoken: Record<BoltPosition, string> = { secured: 'Locked', unsecured: 'Unlocked' };
  const early: string[] = [];
  const seed = randomUUID();
  const random = createRandom(seed);
  let confirmed = 0;
  home.app.runtime.subscribe((event) => {
    if (event.type === 'lock-changed' && boltOf(event.lock) !== boltOf(event.previous)) {
      const shown = boltOf(event.lock);
      const { bolt } = world.inspect(event.lock.id);
      if ((shown === 'secured' || shown === 'unsecured') && bolt !== spoken[shown]) {
        early.push(`${shown} was shown while the bolt was ${bolt}`);
      }
      confirmed += 1;
    }
  });

  for (let round = 0; round < ROUNDS; round += 1) {
    const target: BoltPosition = round % 2 === 0 ? 'unsecured' : 'secured';
    for (const id of ids) {
      world.configure(id, {
        travelMs: random.integer(TRAVEL_MS.least, TRAVEL_MS.most),
        drainPerMovement: 0,
      });
      void home.app.runtime.request(id, target);
    }
    await home.clock.advance(TRAVEL_MS.most + 30_000);
    expect(ids.map((id) => world.inspect(id).bolt)).toEqual(ids.map(() => spoken[target]));
    expect(ids.map((id) => boltOf(home.app.runtime.lock(id) ?? expect.fail()))).toEqual(
      ids.map(() => target),
    );
  }
  console.log(
    `${confirmed} commands at random travel times (seed ${seed}): ${early.length} confirmed before the bolt moved`,
  );
  expect(early).toEqual([]);
  expect(confirmed).toBe(LOCKS * ROUNDS);
}, 120_000);
