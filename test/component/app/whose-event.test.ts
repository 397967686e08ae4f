// Events of somebody else: of a person who was linked before, or while nobody is. They are acknowledged and change nothing.
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../../src/simulator/scenario/scenario.ts';
import { freePort } from '../../harness/free-port.ts';
import { pushOptions } from './pushed-home.ts';
import { SimulatedHome } from './simulated-home.ts';

/** Two people with a home each. */
const TWO_HOMES = {
  users: [
    { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
    { userId: 'neighbour', friendlyName: 'Neighbour', email: 'neighbour@home.example' },
  ],
  locks: [
    { name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner' } },
    { name: 'Cellar', type: 'WifiDeadbolt', roles: { neighbour: 'owner' } },
  ],
} satisfies Scenario;

/** A home that the resident has linked, registered and proven by the self-test. */
async function residentsHome(): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked({
    simulator: { scenario: TWO_HOMES, webhooks: { allowHttpToLoopback: true } },
    options: pushOptions(await freePort()),
  });
  await delivered(home, 2_000);
  return home;
}

async function delivered(home: SimulatedHome, ms = 0): Promise<void> {
  await home.clock.advance(ms);
  await home.simulator.deliveriesIdle();
  await home.clock.advance(0);
}

/** The neighbour links the account in the resident's place. */
async function linkNeighbour(home: SimulatedHome): Promise<void> {
  await home.control('house/configure-authorization', { autoApproveUserId: 'neighbour' });
  await home.link();
  await delivered(home, 3_000);
}

describe('the sign-out of the person who was linked before', () => {
  it('ends nothing for the one who is linked now', async () => {
    const home = await residentsHome();
    await linkNeighbour(home);
    await home.app.operations['link.confirm']({ keep: true });
    await home.control('house/sign-out-everywhere', { userId: 'resident' });
    await delivered(home, 3_000);
    expect(home.app.house.linkState()).toBe('linked');
  });
});
