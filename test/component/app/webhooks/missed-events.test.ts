// Changes without an event: webhooks that are lost although the way is open, changes that cancel each other, and an account without any.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openPushedHome, turn } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

function history(home: SimulatedHome, limit = 400) {
  return home.app.operations.history({ lock: home.idOf('Front door'), limit, deviceTime: false });
}

async function health(home: SimulatedHome): Promise<string> {
  return (await home.app.operations['webhooks.status']({})).because;
}

async function listings(home: SimulatedHome): Promise<number> {
  return (await home.requests('GET', '/devices')).filter(({ url }) => url.endsWith('/devices')).length;
}

async function readings(home: SimulatedHome): Promise<number> {
  return (await home.requests('GET', '/history')).length;
}

/** The door is opened and locks itself between two listings, so that none sees it open. */
async function openAndRelock(home: SimulatedHome, afterMs = 0): Promise<void> {
  const before = await listings(home);
  do {
    await home.clock.advance(5_000);
  } while ((await listings(home)) === before);
  await home.clock.advance(afterMs);
  await turn(home);
  await home.clock.advance(10_000);
  await turn(home);
}

/** Removes the registration at the service, as another program with the same account would. */
async function loseRegistration(home: SimulatedHome): Promise<void> {
  const [subscription] = await home.app.operations['webhooks.list']({});
  const exchanges = await home.requests('POST', 'token');
  const { access_token: token } = z
    .object({ access_token: z.string() })
    .parse(JSON.parse(exchanges.at(-1)?.answer ?? '{}'));
  const answer = await fetch(
    `${home.simulator.baseUrl}/locks/events/subscriptions/${subscription?.id ?? ''}`,
    {
      method: 'DELETE',
      headers: {
        authorization: `Bearer ${token}`,
        'vendor-subscription-key': home.simulator.clients[0]?.subscriptionKeys[0] ?? '',
      },
    },
  );
  expect(answer.ok).toBe(true);
}

describe('webhooks that are lost', () => {
  it('are doubted within two listings though each listing shows the same position (faults#54)', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.clock.advance(2_000);
    await turn(home);
    await home.clock.advance(400_000);
    expect(await health(home)).toBe('self-test');
    await home.control('house/fail-deliveries', { kind: 'drop', often: 'always' });
    await openAndRelock(home);
    const asked = await listings(home);
    while ((await health(home)) !== 'missed-change' && (await listings(home)) < asked + 9) {
      await home.clock.advance(5_000);
    }
    expect((await listings(home)) - asked).toBeLessThanOrEqual(2);
    // A self-test comes through all the time, and proves nothing.
    await home.clock.advance(900_000);
    expect(await health(home)).toBe('missed-change');
    await home.control('house/clear-delivery-faults');
    await turn(home);
    expect(await health(home)).toBe('event');
    const { lines } = await history(home);
    expect(lines.filter(({ what }) => what === 'unsecured').length).toBe(3);
  });
});

describe('a lost webhook of an opening, before that of the relocking arrives', () => {
  it('is noticed by the second one: the history has both moves, and webhooks are doubted until the next', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.clock.advance(2_000);
    await turn(home);
    await home.clock.advance(400_000);
    await home.control('house/fail-deliveries', { kind: 'drop', often: 'once' });
    await openAndRelock(home, 35_000);
    expect(await health(home)).toBe('event');
    await home.clock.advance(100_000);
    expect(await health(home)).toBe('missed-change');
    const { lines } = await history(home);
    expect(lines.map(({ what }) => what)).toEqual(['secured', 'unsecured', 'secured', 'unsecured']);
    await turn(home);
    expect(await health(home)).toBe('event');
  });
});

describe('a registration that the service lost', () => {
  it('is made again as soon as a change is found that no webhook announced', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.clock.advance(400_000);
    const registered = async (): Promise<number> =>
      (await home.requests('POST', 'events/subscriptions')).length;
    await loseRegistration(home);
    await turn(home);
    await home.clock.advance(400_000);
    expect(await registered()).toBe(2);
  });
});

describe('webhooks that are only late', () => {
  it('are doubted only until they arrive', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.clock.advance(400_000);
    await home.control('house/fail-deliveries', { kind: 'delay', delayMs: 600_000, often: 'always' });
    await openAndRelock(home);
    await home.clock.advance(500_000);
    expect(await health(home)).toBe('missed-change');
    await home.clock.advance(110_000);
    await home.simulator.deliveriesIdle();
    await home.clock.advance(400_000);
    expect(await health(home)).not.toBe('missed-change');
  });
});

describe('a service that reports news of a quiet lock again and again', () => {
  it('keeps no working address in doubt', async () => {
    const home = await openPushedHome();
    await turn(home);
    for (let percent = 99; percent > 60; percent -= 1) {
      await home.control('locks/Front%20door/set-battery', { percent });
      await home.clock.advance(300_000);
    }
    expect(await health(home)).toBe('self-test');
    expect(await readings(home)).toBeLessThan(10);
  });
});

describe('without webhooks', () => {
  it('the history of a lock is read before the service forgets it, by one call for each move found, and few more', async () => {
    const home = await SimulatedHome.linked({ options: {} });
    await home.clock.advance(60_000);
    for (let time = 0; time < 150; time += 1) {
      await turn(home);
      await home.clock.advance(60_000);
    }
    expect(await readings(home)).toBeLessThan(160);
    const { lines } = await history(home);
    expect([lines.length, lines.some(({ what }) => what === 'gap')]).toEqual([150, false]);
  });
});

describe('a move while the plugin did not run', () => {
  it('is a gap in the history where the service has forgotten it, though webhooks alone reported the moves before', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.clock.advance(60_000);
    await turn(home);
    await home.clock.advance(60_000);
    await home.app.dispose();
    for (let time = 0; time < 151; time += 1) {
      await home.control('locks/Front%20door/turn-thumbturn');
      await home.clock.advance(60_000);
    }
    await home.restart();
    await home.clock.advance(60_000);
    const { lines } = await history(home);
    expect(lines.filter(({ what }) => what === 'gap')).toHaveLength(1);
  });
});

describe('unsigned events', () => {
  it('keep webhooks out of doubt: the readings that they cause count as announced', async () => {
    const home = await openPushedHome({ webhooks: { signature: 'none' } });
    await home.clock.advance(60_000);
    for (let time = 0; time < 3; time += 1) {
      await turn(home);
      await home.clock.advance(700_000);
    }
    expect(await health(home)).toBe('self-test');
    const { lines } = await history(home);
    expect(lines.filter(({ what }) => what === 'secured' || what === 'unsecured')).toHaveLength(3);
  });
});
