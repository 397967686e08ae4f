// A real disk that is full, or turns read-only, for half an hour: the locks are shown as they are, and can be moved.
import { describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { type DiskTrouble, mountSmallDisk } from '../../../support/broken-disk.ts';

/** One polling interval, and 2 s. */
const SHOWN_WITHIN_MS = 32_000;
const FRONT = 'Front door';

/** A linked account on a disk that has just broken; null where this user may mount none. */
async function homeOnBroken(trouble: DiskTrouble): Promise<SimulatedHome | null> {
  const disk = mountSmallDisk();
  if (disk === null) {
    return null;
  }
  const home = await SimulatedHome.linked({ folder: disk.folder });
  await home.clock.advance(20_000);
  disk.break(trouble);
  return home;
}

function shown(home: SimulatedHome): [string, BoltPosition | null] {
  const lock = home.app.runtime.lock(home.idOf(FRONT));
  return lock === undefined ? ['missing', null] : [boltOf(lock), lock.target];
}

async function moves(home: SimulatedHome): Promise<number> {
  return (await home.requests('POST', '/commands')).length;
}

describe.each<DiskTrouble>(['full', 'read-only'])('a disk that is %s (faults#108)', (trouble) => {
  it('a worn disk hides no open door, and every request to move a lock is carried out once', async ({
    skip,
  }) => {
    const home = (await homeOnBroken(trouble)) ?? skip('This user may mount no disk.');
    const id = home.idOf(FRONT);
    for (let minutes = 0; minutes < 30; minutes += 5) {
      await home.clock.advance(160_000);
      await home.control(`locks/${FRONT}/turn-thumbturn`, { to: 'Unlocked' });
      await home.clock.advance(SHOWN_WITHIN_MS);
      expect([minutes, shown(home)]).toEqual([minutes, ['unsecured', null]]);
      for (const target of ['secured', 'unsecured', 'secured'] as const) {
        const before = await moves(home);
        const answer = home.app.runtime.request(id, target);
        await home.clock.advance(15_000);
        expect(await answer).toEqual({ kind: 'accepted' });
        expect([await moves(home), shown(home)]).toEqual([before + 1, [target, null]]);
      }
    }
  });

  it('a lock is unknown a minute after the token has ended, which a worn disk keeps from being renewed', async ({
    skip,
  }) => {
    const home = (await homeOnBroken(trouble)) ?? skip('This user may mount no disk.');
    await home.clock.advance(3_600_000 + 95_000);
    expect(shown(home)).toEqual(['unknown', null]);
    expect(await home.requests('POST', '/OAuth2/token')).toHaveLength(1);
  });
});
