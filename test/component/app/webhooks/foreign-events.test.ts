// Events of somebody else: of a person who was linked before, or while nobody is. The service is asked to send none, and those
// that come all the same are acknowledged and change nothing.
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../harness/free-port.ts';
import { pushOptions, turn } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { TWO_HOMES } from '../../../homes/two-homes.ts';

/** A home that the resident has linked, registered and proven by the self-test. */
async function residentsHome(accessTokenForm: 'opaque' | 'jwt' = 'opaque'): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked({
    simulator: {
      scenario: TWO_HOMES,
      webhooks: { allowHttpToLoopback: true },
      authorization: { accessTokenForm },
    },
    options: pushOptions(await freePort()),
  });
  await delivered(home, 2_000);
  return home;
}

/** The service goes on telling of whoever was linked: it does not take our registrations away. */
async function keepRegistrations(home: SimulatedHome): Promise<void> {
  await home.fail('**/events/subscriptions/*', { method: 'DELETE', status: 500 });
}

async function delivered(home: SimulatedHome, ms = 0): Promise<void> {
  await home.clock.advance(ms);
  await home.simulator.deliveriesIdle();
  await home.clock.advance(0);
}

/** Presence and bolt of each lock, by its name. */
async function doors(home: SimulatedHome): Promise<Readonly<Record<string, string>>> {
  const locks = await home.app.operations.locks({});
  return Object.fromEntries(
    locks.map(({ description, presence, bolt }) => [description.name, `${presence} ${bolt}`]),
  );
}

/** The neighbour links the account in the resident's place. */
async function linkNeighbour(home: SimulatedHome): Promise<void> {
  await home.control('house/configure-authorization', { autoApproveUserId: 'neighbour' });
  await home.link();
  await delivered(home, 3_000);
}

it.each(['opaque', 'jwt'] as const)(
  'the sign-out of the person who was linked before does not end the link of the person who is linked now, by %s tokens',
  async (form) => {
    const home = await residentsHome(form);
    await keepRegistrations(home);
    await linkNeighbour(home);
    await home.answered(home.app.operations['link.confirm']({ keep: true }));
    await home.control('house/sign-out-everywhere', { userId: 'resident' });
    await delivered(home, 3_000);
    expect(home.app.runtime.linkState()).toBe('linked');
  },
);

it('a turn at a door of the person who was linked before is acknowledged and shown nowhere, while the question of the account is open', async () => {
  const home = await residentsHome();
  await keepRegistrations(home);
  await linkNeighbour(home);
  const before = await doors(home);
  expect(before).toEqual({ 'Front door': 'missing secured' });
  await turn(home);
  await delivered(home, 3_000);
  expect(await doors(home)).toEqual(before);
  expect(await home.app.operations['webhooks.status']({})).toMatchObject({ answers: { accepted: 1 } });
  await home.answered(home.app.operations['link.confirm']({ keep: true }));
  expect(await doors(home)).toEqual({ Cellar: 'reachable secured' });
});

describe('the registration of a former link', () => {
  const removals = async (home: SimulatedHome) => home.count('DELETE', '/events/subscriptions/');
  const accepted = async (home: SimulatedHome): Promise<number> =>
    (await home.app.operations['webhooks.status']({})).answers['accepted'] ?? 0;

  it('is removed when the account is unlinked, and when another one is linked, which is registered at once', async () => {
    const unlinked = await residentsHome();
    await unlinked.app.operations.unlink({});
    const replaced = await residentsHome();
    await linkNeighbour(replaced);
    for (const home of [unlinked, replaced]) {
      await turn(home);
      expect([await removals(home), await accepted(home)]).toEqual([1, 0]);
    }
    await replaced.answered(replaced.app.operations['link.confirm']({ keep: true }));
    await turn(replaced, 'Cellar');
    expect([await accepted(replaced), await doors(replaced)]).toEqual([1, { Cellar: 'reachable unsecured' }]);
  });

  it('stays when the same person links again', async () => {
    const home = await residentsHome();
    await home.link();
    await delivered(home, 3_000);
    expect(await removals(home)).toBe(0);
    await turn(home);
    expect(await doors(home)).toEqual({ 'Front door': 'reachable unsecured' });
  });

  it('never delays the end of the link, and a service that does not answer is waited for 4 s at the most', async () => {
    const home = await residentsHome();
    await home.fail('**/events/subscriptions', { kind: 'latency', delayMs: 60_000 });
    let isDone = false;
    const unlinking = home.app.operations.unlink({}).finally(() => {
      isDone = true;
    });
    expect(home.app.runtime.linkState()).toBe('unlinked');
    await home.clock.advance(3_900);
    expect(isDone).toBe(false);
    await home.clock.advance(200);
    expect(await unlinking).toEqual({ link: 'unlinked' });
    expect(home.lines.filter((line) => line.includes('is left over'))).toHaveLength(1);
  });

  it('causes no call where none was ever made', async () => {
    const home = await SimulatedHome.linked();
    const before = await home.count('GET', '');
    await home.app.operations.unlink({});
    await home.clock.advance(10_000);
    expect(await home.count('GET', '')).toBe(before);
  });
});
