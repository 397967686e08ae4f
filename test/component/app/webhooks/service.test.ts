// Webhooks through the whole app: registered by itself, signed by the simulator, shown at once, and healed when it is lost.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebhookAddresses } from '../../../../src/app/webhooks/addresses.ts';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { freePort } from '../../../harness/free-port.ts';
import { openPushedHome, pushOptions, turn } from '../../../homes/pushed-home.ts';
import { RESIDENT, SimulatedHome } from '../../../homes/simulated-home.ts';
import { inWords } from '../../../support/in-words.ts';

function shown(home: SimulatedHome, name = 'Front door'): string | undefined {
  const lock = home.app.runtime.lock(home.idOf(name));
  return lock === undefined ? undefined : boltOf(lock);
}

describe('webhooks', () => {
  it('show a turn at the door at once, with its person, and without a listing', async () => {
    const home = await openPushedHome();
    const listings = await home.count('GET', '/devices');
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    expect(home.app.runtime.lock(home.idOf('Front door'))?.lastMove?.by.method).toBe('thumbturn');
    expect(await home.count('GET', '/devices')).toBe(listings);
  });

  it('end the link as signed out, without a call, when its token names the person', async () => {
    const home = await openPushedHome({ accessTokenForm: 'jwt' });
    const calls = async () => [await home.count('GET', ''), await home.count('POST', '/token')];
    const before = await calls();
    await home.control('house/sign-out-everywhere', { userId: RESIDENT });
    await home.simulator.deliveriesIdle();
    await home.clock.advance(0);
    expect(home.app.runtime.linkState()).toBe('signed-out');
    await home.clock.advance(3_600_000);
    expect(await calls()).toEqual(before);
    await home.link();
    await home.clock.advance(2_000);
    expect(shown(home)).toBe('secured');
  });

  it('stay registered across a restart, without another registration', async () => {
    const home = await openPushedHome();
    await home.restart();
    await home.clock.advance(2_000);
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    expect(await home.count('POST', 'events/subscriptions')).toBe(1);
  });
});

/** A port that another program uses until the test closes it. */
async function takenPort() {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    blocker.close();
  });
  await once(blocker, 'listening');
  const { port } = blocker.address() as { readonly port: number };
  return { blocker, port };
}

/** Where the service tells its events, in its own order. */
async function registered(home: SimulatedHome): Promise<readonly string[]> {
  const held = await home.app.operations['webhooks.list']({});
  return held.map(({ origin, whose }) => `${new URL(origin).port} ${whose}`);
}

function history(home: SimulatedHome, limit = 100) {
  return home.app.operations.history({ lock: home.idOf('Front door'), limit, deviceTime: false });
}

it('the registration of webhooks follows the public address, and leaves no former registration behind though the address changed twice while the service was down', async () => {
  const home = await openPushedHome();
  const ports = [await freePort(), await freePort()];
  await home.fail('**/events/subscriptions/*', { method: 'DELETE', status: 500 });
  for (const port of ports) {
    await home.restart(pushOptions(port));
    await home.clock.advance(2_000);
  }
  expect(await registered(home)).toHaveLength(3);
  await home.control('house/clear-faults');
  await home.clock.advance(120_000);
  expect(await registered(home)).toEqual([`${ports[1]} ours`]);
});

it('webhooks that are healthy cost at most 70 calls an hour, and are proven without any event', async () => {
  const home = await openPushedHome();
  await home.clock.advance(60_000);
  const status = await home.app.operations['webhooks.status']({});
  expect(status).toMatchObject({ health: 'healthy', because: 'self-test', registration: 'standing' });
  const calls = async (): Promise<number> => {
    const [gets, posts] = await Promise.all([home.requests('GET', ''), home.requests('POST', '')]);
    return gets.filter(({ url }) => !url.includes('/history')).length + posts.length;
  };
  const before = await calls();
  const listed = await home.count('GET', '/devices');
  await home.clock.advance(3_600_000);
  const made = (await calls()) - before;
  expect((await home.count('GET', '/devices')) - listed).toBeLessThanOrEqual(66);
  expect(made).toBeLessThanOrEqual(70);
  expect(made).toBeGreaterThan(50);
});

describe('a gap of the listener', () => {
  it('is kept as a gap where more happened than the service remembers', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.clock.advance(60_000);
    expect((await history(home)).lines.some(({ what }) => what === 'gap')).toBe(false);
    await home.app.dispose();
    for (let time = 0; time < 130; time += 1) {
      await home.control('locks/Front%20door/turn-thumbturn');
      await home.clock.advance(10_000);
    }
    await home.restart();
    await home.clock.advance(60_000);
    const { lines } = await history(home, 200);
    expect(lines.map(({ what }) => what === 'gap').indexOf(true)).toBe(100);
    expect(lines.length).toBeGreaterThan(101);
  });
});

it('webhooks that are lost are doubted within two listings though each listing shows the same position (faults#54)', async () => {
  const home = await openPushedHome();
  const health = async () => (await home.app.operations['webhooks.status']({})).because;
  const listings = async () =>
    (await home.requests('GET', '/devices')).filter(({ url }) => url.endsWith('/devices')).length;
  await turn(home);
  await home.clock.advance(2_000);
  await turn(home);
  await home.clock.advance(400_000);
  expect(await health()).toBe('self-test');
  await home.control('house/fail-deliveries', { kind: 'drop', often: 'always' });
  // The door is opened and locks itself between two listings, so that none sees it open.
  const before = await listings();
  do {
    await home.clock.advance(5_000);
  } while ((await listings()) === before);
  await turn(home);
  await home.clock.advance(10_000);
  await turn(home);
  const asked = await listings();
  while ((await health()) !== 'missed-change' && (await listings()) < asked + 9) {
    await home.clock.advance(5_000);
  }
  expect((await listings()) - asked).toBeLessThanOrEqual(2);
  // A self-test comes through all the time, and proves nothing.
  await home.clock.advance(900_000);
  expect(await health()).toBe('missed-change');
  await home.control('house/clear-delivery-faults');
  await turn(home);
  expect(await health()).toBe('event');
  const { lines } = await history(home);
  expect(lines.filter(({ what }) => what === 'unsecured')).toHaveLength(3);
});

it('events that cannot be verified cause at most one listing in ten seconds, and never a state of their own', async () => {
  const home = await openPushedHome({ webhooks: { signature: 'none' } });
  await home.clock.advance(60_000);
  const { address } = await home.app.operations['webhooks.status']({ address: true });
  const lie = (eventId: string): string =>
    JSON.stringify({
      eventId,
      trigger: 'DeviceLockStateChanged',
      time: new Date(home.clock.now()).toISOString(),
      deviceId: home.idOf('Front door'),
      data: { lockState: 'Unlocked' },
    });
  const before = await home.count('GET', '/devices');
  for (let time = 0; time < 30; time += 1) {
    await fetch(address ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: lie(`e-${time}`),
    });
    await home.clock.advance(1_000);
    expect(shown(home)).toBe('secured');
  }
  expect((await home.count('GET', '/devices')) - before).toBeLessThanOrEqual(4);
  // Nothing is signed here, so they are believed as far as that they announce a reading.
  const { answers } = await home.app.operations['webhooks.status']({});
  expect(answers).toMatchObject({ accepted: 30 });
});

it('a port that is taken leaves all else ready in under five seconds, is logged and reported once, and is tried again until it is free (faults#4)', async () => {
  const { blocker, port } = await takenPort();
  const home = await SimulatedHome.linked({
    simulator: { webhooks: { allowHttpToLoopback: true } },
    options: pushOptions(port),
  });
  const trouble = `Port ${port} of 127.0.0.1 could not be opened: another program uses it.`;
  const view = async () => inWords(await home.app.operations['webhooks.status']({}));
  const reported: unknown[] = [];
  home.app.subscribe(({ type }) => {
    if (type === 'webhooks') {
      void view().then((state) => reported.push(state));
    }
  });
  expect(home.clock.monotonic()).toBeLessThan(5_000);
  expect(shown(home)).toBe('secured');
  await home.clock.advance(300_000);
  expect(home.lines.filter((line) => line.startsWith('Webhooks cannot be received'))).toHaveLength(1);
  expect(await view()).toMatchObject({ health: 'absent', because: 'not-open', listener: null, trouble });
  expect(reported).toEqual([]);
  await expect(home.app.operations['webhooks.test']({})).rejects.toThrow(
    /^The listener is not open\. .*another program uses it/u,
  );
  await new Promise((resolve) => {
    blocker.close(resolve);
  });
  await home.clock.advance(62_000);
  expect(reported.splice(0)).toContainEqual(
    expect.objectContaining({
      because: 'none-received',
      listener: `http://127.0.0.1:${port}`,
      trouble: null,
    }),
  );
  await turn(home);
  expect(reported).toContainEqual(expect.objectContaining({ because: 'event', health: 'healthy' }));
  expect(shown(home)).toBe('unsecured');
});

it('a disk that fails while webhooks are opened delays webhooks by a minute, and does not cost them until the next restart', async () => {
  const home = await openPushedHome();
  await home.app.dispose();
  home.lines.length = 0;
  const reading = vi.spyOn(WebhookAddresses.prototype, 'url', 'get').mockImplementationOnce(() => {
    throw new RetryError('storage-failed', 'The disk is busy.');
  });
  onTestFinished(() => {
    reading.mockRestore();
  });
  await home.restart();
  expect(inWords(await home.app.operations['webhooks.status']({}))).toMatchObject({
    listener: null,
    registration: 'pending',
    trouble: 'The disk is busy.',
  });
  await home.clock.advance(62_000);
  expect(home.lines.filter((line) => line.startsWith('Webhooks cannot be received'))).toHaveLength(1);
  expect(inWords(await home.app.operations['webhooks.status']({}))).toMatchObject({
    health: 'healthy',
    registration: 'standing',
    trouble: null,
  });
  await turn(home);
  expect(shown(home)).toBe('unsecured');
});

describe('a registration that the service refuses', () => {
  async function refusedHome(publicUrl: string, port: number, fault?: object): Promise<readonly string[]> {
    const home = await SimulatedHome.open({
      simulator: { webhooks: { allowHttpToLoopback: true } },
      options: pushOptions(port, { publicUrl }),
    });
    if (fault !== undefined) {
      await home.fail('**/events/subscriptions', fault);
    }
    await home.link();
    await home.clock.advance(2_000);
    return home.lines.filter((line) => line.startsWith('Webhooks could not be registered'));
  }

  const REST = ' The service is asked instead, as often as the options say.';
  const NO_ANSWER =
    'Webhooks could not be registered: The service did not take the public address: it asks there first, and got no answer of ours.';

  it('since no program answers at the public address says so, and where our own test got lost', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await refusedHome(nowhere, await freePort())).toEqual([
      `${NO_ANSWER} Our own test did not come through either (unreachable): "npx homebridge-latchkey webhooks test" says what to do.${REST}`,
    ]);
  });

  it('although the address works from here says so', async () => {
    const port = await freePort();
    const fault = { method: 'POST', status: 400 };
    expect(await refusedHome(`http://127.0.0.1:${port}`, port, fault)).toEqual([
      `${NO_ANSWER} Our own test came through, so the way is open from here: try the address from outside of your home.${REST}`,
    ]);
  });

  it.each([
    [403, 'The service does not let this account have webhooks (HTTP 403)'],
    [404, 'The service knows no webhooks at this address (HTTP 404)'],
  ])('with %i is reported in a sentence about webhooks, not about locks', async (status, words) => {
    const port = await freePort();
    const [line] = await refusedHome(`http://127.0.0.1:${port}`, port, { status });
    expect(line).toContain(`Webhooks could not be registered: ${words}`);
  });
});
