// An account whose events come through a relay, and what its tests ask of it and do to it.
import { expect } from 'vitest';
import { boltOf } from '../../../src/domain/locks/lock.ts';
import { SimulatedHome } from '../../../test/homes/simulated-home.ts';
import type { EnrolledHome } from '../../src/enrol-home.ts';

const FRONT = 'Front door';

/** Options of an account at that relay. */
export const relayOptions = ({ line }: EnrolledHome) => ({
  webhooks: { enabled: true, via: 'relay', enrolment: line },
});

/** Registered at the relay, and with its first listing. */
export async function relayedHome(enrolled: EnrolledHome): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked({
    simulator: { webhooks: { allowHttpToLoopback: true } },
    options: relayOptions(enrolled),
  });
  await until(
    home,
    async () => (await home.app.operations['webhooks.status']({})).registration === 'standing',
  );
  return home;
}

/** What a real socket needs at most, in milliseconds, unless the machine is busy. */
const SOON_MS = 3_000;
/** The pauses of a connection that failed, in milliseconds: a poll of the service finds nothing that early. */
const PAUSES_MS = 15_000;

/** Messages on real sockets arrive while the clock of the home stands. It moves where a connection has to be opened again. */
export async function until(home: SimulatedHome, check: () => Promise<boolean> | boolean): Promise<void> {
  const startedAt = performance.now();
  let passedMs = 0;
  await expect
    .poll(async () => {
      const isLate = performance.now() - startedAt > SOON_MS && passedMs < PAUSES_MS;
      const stepMs = isLate ? 100 : 0;
      passedMs += stepMs;
      await home.clock.advance(stepMs);
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
