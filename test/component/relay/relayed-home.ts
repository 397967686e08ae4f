// An account whose events come through a relay, and what its tests ask of it and do to it.
import { expect } from 'vitest';
import { boltOf } from '../../../src/domain/locks/lock.ts';
import type { EnrolledHome } from '../../../src/relay/enrol-home.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

const FRONT = 'Front door';

/** Registered at the relay, and with its first listing. */
export async function relayedHome({ line }: EnrolledHome): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked({
    simulator: { webhooks: { allowHttpToLoopback: true } },
    options: { webhooks: { enabled: true, via: 'relay', enrolment: line } },
  });
  await until(
    home,
    async () => (await home.app.operations['webhooks.status']({})).registration === 'standing',
  );
  return home;
}

/** Messages on real sockets arrive while the clock of the home stands. */
export async function until(home: SimulatedHome, check: () => Promise<boolean> | boolean): Promise<void> {
  await expect
    .poll(async () => {
      await home.clock.advance(0);
      return check();
    })
    .toBe(true);
}

/** What the account shows of the front door. */
export const shown = (home: SimulatedHome): unknown =>
  home.app.runtime
    .locks()
    .filter(({ description }) => description.name === FRONT)
    .map((lock) => boltOf(lock))[0];

/** Where its bolt is. */
export const truth = (home: SimulatedHome): string =>
  home.simulator.world.inspect(home.idOf(FRONT)).bolt === 'Locked' ? 'secured' : 'unsecured';

export async function turnFront(home: SimulatedHome): Promise<void> {
  await home.control(`locks/${encodeURIComponent(FRONT)}/turn-thumbturn`);
}

/** Turns the front door, and waits for the account to show it. */
export async function expectTurnShown(home: SimulatedHome): Promise<void> {
  const before = shown(home);
  await turnFront(home);
  await until(home, () => shown(home) !== before);
  expect(shown(home)).toBe(truth(home));
}

/** How many deliveries the account has taken. */
export const accepted = async (home: SimulatedHome): Promise<number> =>
  (await home.app.operations['webhooks.status']({})).answers['accepted'] ?? 0;
