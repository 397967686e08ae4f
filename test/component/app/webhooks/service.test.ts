// Webhooks through the whole app: registered by itself, signed by the simulator, shown at once, and healed when it is lost.
import { connect, createServer, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
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
  it('are registered by the app itself, once the account is linked', async () => {
    const home = await openPushedHome();
    const registrations = await home.requests('POST', 'events/subscriptions');
    expect(registrations.map(({ answer }) => answer?.includes('"Active"'))).toEqual([true]);
    expect(home.lines).toContain('Webhooks are registered with the service.');
  });

  it('show a turn at the door at once, with its person, and without a listing', async () => {
    const home = await openPushedHome();
    const listings = await home.requests('GET', '/devices');
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    expect(home.app.runtime.lock(home.idOf('Front door'))?.lastMove?.by.method).toBe('thumbturn');
    expect((await home.requests('GET', '/devices')).length - listings.length).toBe(0);
  });

  it('that are lost are made up for by polling within 60 s, and more often from then on (faults#54)', async () => {
    const home = await openPushedHome();
    await turn(home);
    await home.control('house/fail-deliveries', { kind: 'drop', often: 'always' });
    await turn(home);
    expect(shown(home)).toBe('unsecured');
    // The default of `polling.healthySeconds`.
    await home.clock.advance(60_000);
    expect(shown(home)).toBe('secured');
    await home.clock.advance(60_000);
    expect(home.lines.filter((line) => line.startsWith('Webhooks are not confirmed'))).toHaveLength(2);
  });

  it('of version 1.0, which do not name the position, cause readings: two in five seconds, and the truth in the end', async () => {
    const home = await openPushedHome();
    await home.control('house/configure-webhooks', { form: '1.0' });
    await home.clock.advance(60_000);
    const asked: number[] = [];
    for (let time = 0; time < 41; time += 1) {
      const before = (await home.requests('GET', '/devices')).length;
      await turn(home);
      await home.clock.advance(250);
      const count = (await home.requests('GET', '/devices')).length - before;
      asked.push(...Array.from({ length: count }, () => home.clock.monotonic()));
    }
    await home.clock.advance(5_000);
    expect(shown(home)).toBe('unsecured');
    expect(asked.length).toBeGreaterThanOrEqual(3);
    for (const [index, at] of asked.entries()) {
      expect((asked[index + 2] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(4_750);
    }
    expect((await home.app.operations['webhooks.status']({})).health).toBe('healthy');
  });

  it('that cannot be verified yet cause one reading and nothing else', async () => {
    const home = await openPushedHome();
    const lists = async (): Promise<number> => (await home.requests('GET', '/devices')).length;
    await home.clock.advance(5_000);
    const before = await lists();
    await home.control('house/fail-deliveries', { kind: 'forge', forgery: 'wrong-key', often: 'always' });
    await turn(home);
    expect([(await lists()) - before, shown(home)]).toEqual([1, 'unsecured']);
  });

  it('that come twice have one effect (faults#45)', async () => {
    const home = await openPushedHome();
    const moves: unknown[] = [];
    home.app.runtime.subscribe((event) => {
      if (event.type === 'lock-changed' && event.lock.lastMove !== event.previous.lastMove) {
        moves.push(event.lock.lastMove?.to);
      }
    });
    await home.control('house/fail-deliveries', { kind: 'double', often: 'always' });
    await turn(home);
    expect(moves).toEqual(['unsecured']);
  });

  it('end the link when the person signs out everywhere, though its token does not name the person', async () => {
    const home = await openPushedHome();
    await home.clock.advance(5_000);
    await home.control('house/sign-out-everywhere', { userId: RESIDENT });
    await home.simulator.deliveriesIdle();
    // As the listing shows that the event caused, and a second refusal of the refresh token confirms.
    await home.clock.advance(10_000);
    expect(home.app.runtime.linkState()).toBe('revoked');
  });

  it('end the link as signed out, without a call, when its token names the person', async () => {
    const home = await openPushedHome({ accessTokenForm: 'jwt' });
    const before = (await home.requests('GET', '')).length;
    const tokens = (await home.requests('POST', '/token')).length;
    await home.control('house/sign-out-everywhere', { userId: RESIDENT });
    await home.simulator.deliveriesIdle();
    await home.clock.advance(0);
    expect(home.app.runtime.linkState()).toBe('signed-out');
    await home.clock.advance(3_600_000);
    expect([
      (await home.requests('GET', '')).length - before,
      (await home.requests('POST', '/token')).length - tokens,
    ]).toEqual([0, 0]);
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
    expect((await home.requests('POST', 'events/subscriptions')).length).toBe(1);
  });
});

/** A public address that can be led to a port of this machine, or to nothing. */
async function cuttableWay(): Promise<{ readonly url: string; leadTo(port: number | null): void }> {
  let target: number | null = null;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (target === null) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
    }
    near.pipe(far).pipe(near);
  });
  const port = await listening(server);
  onTestFinished(() => {
    for (const socket of open) {
      socket.destroy();
    }
  });
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (next) => {
      target = next;
    },
  };
}

async function listening(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

/** Where the service tells its events, in its own order. */
async function registered(home: SimulatedHome): Promise<readonly string[]> {
  const held = await home.app.operations['webhooks.list']({});
  return held.map(({ origin, whose }) => `${new URL(origin).port} ${whose}`);
}

function history(home: SimulatedHome, limit = 100) {
  return home.app.operations.history({ lock: home.idOf('Front door'), limit, deviceTime: false });
}

describe('the registration of webhooks', () => {
  it('follows the public address, and leaves no former registration behind though the address changed twice while the service was down', async () => {
    const home = await openPushedHome();
    const ports = [await freePort(), await freePort()];
    await home.control('house/inject-fault', {
      path: '**/events/subscriptions/*',
      method: 'DELETE',
      kind: 'status',
      status: 500,
      often: 'always',
    });
    for (const port of ports) {
      await home.restart(pushOptions(port));
      await home.clock.advance(2_000);
    }
    expect(await registered(home)).toHaveLength(3);
    await home.control('house/clear-faults');
    await home.clock.advance(120_000);
    expect(await registered(home)).toEqual([`${ports[1]} ours`]);
  });
});

describe('webhooks that are healthy', () => {
  it('cost at most 70 calls an hour, and are proven without any event', async () => {
    const home = await openPushedHome();
    await home.clock.advance(60_000);
    const status = await home.app.operations['webhooks.status']({});
    expect(status).toMatchObject({ health: 'healthy', because: 'self-test', registration: 'standing' });
    const calls = async (): Promise<number> => {
      const [gets, posts] = await Promise.all([home.requests('GET', ''), home.requests('POST', '')]);
      return gets.filter(({ url }) => !url.includes('/history')).length + posts.length;
    };
    const before = await calls();
    const listed = (await home.requests('GET', '/devices')).length;
    await home.clock.advance(3_600_000);
    const made = (await calls()) - before;
    expect((await home.requests('GET', '/devices')).length - listed).toBeLessThanOrEqual(66);
    expect(made).toBeLessThanOrEqual(70);
    expect(made).toBeGreaterThan(50);
  });

  it('are doubted within two listings when the address is cut while nothing happens, and healthy when it works again (faults#54)', async () => {
    const way = await cuttableWay();
    const port = await freePort();
    way.leadTo(port);
    const home = await SimulatedHome.linked({
      simulator: { webhooks: { allowHttpToLoopback: true } },
      options: pushOptions(port, { publicUrl: way.url }),
    });
    await home.clock.advance(60_000);
    home.lines.length = 0;
    way.leadTo(null);
    await home.clock.advance(660_000);
    expect(inWords(await home.app.operations['webhooks.status']({}))).toMatchObject({ because: 'silent' });
    await home.control('locks/Front%20door/turn-thumbturn');
    const before = (await home.requests('GET', '/devices')).length;
    const looked = (await home.requests('GET', '/history')).length;
    way.leadTo(port);
    await home.clock.advance(900_000);
    expect(inWords(await home.app.operations['webhooks.status']({}))).toMatchObject({ because: 'self-test' });
    expect((await home.requests('GET', '/devices')).length - before).toBeGreaterThan(2);
    const back = (await home.requests('GET', '/history')).slice(looked);
    expect(back.map(({ url }) => url.includes(home.idOf('Front door')))).toEqual([true]);
    expect(home.lines.filter((line) => /^Webhooks (?:arrive|are not confirmed)/u.test(line))).toHaveLength(2);
  });
});

describe('webhooks that are lost, late, doubled and shuffled', () => {
  it('leave no wrong state after one interval, in any pattern of them', async () => {
    const home = await openPushedHome();
    const door = home.idOf('Front door');
    const fates = fc.constantFrom('drop', 'double', 'delay', 'reorder', 'forge', null);
    const pattern = fc.array(fc.tuple(fates, fc.integer({ min: 1, max: 40_000 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(pattern, async (steps) => {
        for (const [fate, pauseMs] of steps) {
          await home.control('house/clear-delivery-faults');
          if (fate !== null) {
            await home.control('house/fail-deliveries', { kind: fate, often: 'always', ...DETAILS[fate] });
          }
          await home.control('locks/Front%20door/turn-thumbturn');
          await home.clock.advance(pauseMs);
        }
        await home.clock.advance(340_000);
        const truth = home.simulator.world.inspect(door).bolt === 'Locked' ? 'secured' : 'unsecured';
        expect(shown(home)).toBe(truth);
      }),
      { numRuns: 25 },
    );
  });
});

/** The members of a fault of deliveries beside its kind. */
const DETAILS: Readonly<Record<string, object>> = {
  delay: { delayMs: 25_000 },
  forge: { forgery: 'wrong-key' },
};

describe('a gap of the listener', () => {
  it('is closed by one listing within five seconds of the return, and then the history is read, for the archive alone', async () => {
    const home = await openPushedHome();
    await home.clock.advance(60_000);
    await home.app.dispose();
    await home.control('locks/Front%20door/turn-thumbturn');
    await home.clock.advance(3_600_000);
    await home.control('locks/Front%20door/turn-thumbturn');
    await home.control('locks/Back%20door/turn-thumbturn');
    const before = (await home.requests('GET', '')).length;
    const alerts: unknown[] = [];
    await home.restart();
    home.app.runtime.subscribe((event) => {
      if (event.type === 'alert') {
        alerts.push(event);
      }
    });
    await home.clock.advance(5_000);
    expect([shown(home), shown(home, 'Back door')]).toEqual(['secured', 'unsecured']);
    const listings = (await home.requests('GET', ''))
      .slice(before)
      .filter(({ url }) => url.endsWith('/devices'));
    expect(listings.length).toBeLessThanOrEqual(2);
    await home.clock.advance(60_000);
    const read = (await home.requests('GET', '/history')).slice(-3);
    expect(read.every(({ url }) => url.includes('limit=100'))).toBe(true);
    expect(alerts).toEqual([]);
    await home.control('house/inject-fault', {
      path: '**/history',
      kind: 'status',
      status: 503,
      often: 'always',
    });
    const { lines, unanswered } = await history(home);
    expect(lines.slice(0, 2).map(({ what }) => what)).toEqual(['secured', 'unsecured']);
    expect(unanswered).not.toBeNull();
  });

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

describe('a lock that comes back to the account', () => {
  it('is shown as it is now, and the moves meanwhile are found in its history', async () => {
    const home = await openPushedHome();
    await home.clock.advance(400_000);
    await home.control('locks/Front%20door/cut-wifi');
    await home.clock.advance(600_000);
    await home.control('locks/Front%20door/turn-thumbturn');
    await home.clock.advance(600_000);
    const before = (await home.requests('GET', '/history')).length;
    await home.control('locks/Front%20door/restore-wifi');
    await home.simulator.deliveriesIdle();
    await home.clock.advance(2_000);
    expect(shown(home)).toBe('unsecured');
    await home.clock.advance(30_000);
    expect(
      (await home.requests('GET', '/history'))
        .slice(before)
        .map(({ url }) => url.includes(home.idOf('Front door'))),
    ).toEqual([true]);
    const { lines } = await history(home);
    const move = lines.find(({ what }) => what === 'unsecured');
    expect(move).toMatchObject({ by: { method: 'thumbturn' } });
  });
});

describe('a history', () => {
  it("has a webhook's entry while the service lists none", async () => {
    const home = await openPushedHome();
    await home.clock.advance(60_000);
    await home.control('house/inject-fault', {
      path: '**/history',
      kind: 'status',
      status: 500,
      often: 'always',
    });
    await turn(home);
    const { lines, unanswered } = await history(home);
    expect(lines[0]).toMatchObject({ what: 'unsecured', by: { method: 'thumbturn' } });
    expect(unanswered).not.toBeNull();
  });

  it('has each entry once that was announced and listed, with its person', async () => {
    const home = await openPushedHome();
    await home.clock.advance(30_000);
    await turn(home);
    await home.clock.advance(30_000);
    await turn(home);
    const { lines } = await history(home);
    expect(lines.map(({ what }) => what).slice(0, 2)).toEqual(['secured', 'unsecured']);
    const moves = lines.filter(({ what }) => what === 'secured' || what === 'unsecured');
    const listed = await home.requests('GET', '/history');
    expect(moves.length).toBe((JSON.parse(listed.at(-1)?.answer ?? '[]') as unknown[]).length);
  });
});

describe('events that cannot be verified', () => {
  it('cause at most one listing in ten seconds, and never a state of their own', async () => {
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
    const before = (await home.requests('GET', '/devices')).length;
    for (let time = 0; time < 30; time += 1) {
      await fetch(address ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: lie(`e-${time}`),
      });
      await home.clock.advance(1_000);
      expect(shown(home)).toBe('secured');
    }
    expect((await home.requests('GET', '/devices')).length - before).toBeLessThanOrEqual(4);
  });
});

describe('a port that is taken', () => {
  it('leaves all else ready in under five seconds, is logged once, and is tried again until it is free (faults#4)', async () => {
    const blocker = createServer();
    const port = await listening(blocker);
    const home = await SimulatedHome.linked({
      simulator: { webhooks: { allowHttpToLoopback: true } },
      options: pushOptions(port),
    });
    expect(home.clock.monotonic()).toBeLessThan(5_000);
    expect(shown(home)).toBe('secured');
    await home.clock.advance(300_000);
    expect(home.lines.filter((line) => line.startsWith('Webhooks cannot be received'))).toHaveLength(1);
    expect(inWords(await home.app.operations['webhooks.status']({}))).toMatchObject({
      health: 'absent',
      because: 'not-open',
      trouble: `Port ${port} of 127.0.0.1 could not be opened: another program uses it.`,
    });
    await expect(home.app.operations['webhooks.test']({})).rejects.toThrow(
      /^The listener is not open\. .*another program uses it/u,
    );
    await new Promise((resolve) => {
      blocker.close(resolve);
    });
    await home.clock.advance(62_000);
    await turn(home);
    expect(shown(home)).toBe('unsecured');
  });
});

describe('a listener for the state of webhooks', () => {
  it('is called when they cannot be received, when they can, and when their health changes', async () => {
    const blocker = createServer();
    const port = await listening(blocker);
    const home = await SimulatedHome.linked({
      simulator: { webhooks: { allowHttpToLoopback: true } },
      options: pushOptions(port),
    });
    await home.app.dispose();
    const app = home.another();
    onTestFinished(async () => app.dispose());
    const reported: unknown[] = [];
    app.subscribe(({ type }) => {
      if (type === 'webhooks') {
        void app.operations['webhooks.status']({}).then((view) => reported.push(inWords(view)));
      }
    });
    const looks = (): readonly unknown[] => reported.splice(0);
    await Promise.all([app.start(), home.clock.advance(121_000)]);
    expect(looks()).toEqual([
      expect.objectContaining({
        listener: null,
        trouble: `Port ${port} of 127.0.0.1 could not be opened: another program uses it.`,
      }),
    ]);
    await new Promise((resolve) => {
      blocker.close(resolve);
    });
    await home.clock.advance(62_000);
    expect(looks()).toContainEqual(
      expect.objectContaining({
        because: 'none-received',
        listener: `http://127.0.0.1:${port}`,
        trouble: null,
      }),
    );
    await turn(home);
    expect(looks()).toContainEqual(expect.objectContaining({ because: 'event', health: 'healthy' }));
  });
});

describe('a disk that fails while webhooks are opened', () => {
  it('delays webhooks by a minute, and does not cost them until the next restart', async () => {
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
});

describe('a registration that the service refuses', () => {
  async function refusedHome(
    publicUrl: string,
    port: number,
    fault: object | null = null,
  ): Promise<readonly string[]> {
    const home = await SimulatedHome.open({
      simulator: { webhooks: { allowHttpToLoopback: true } },
      options: pushOptions(port, { publicUrl }),
    });
    if (fault !== null) {
      await home.control('house/inject-fault', {
        path: '**/events/subscriptions',
        often: 'always',
        ...fault,
      });
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
    const fault = { method: 'POST', kind: 'status', status: 400 };
    expect(await refusedHome(`http://127.0.0.1:${port}`, port, fault)).toEqual([
      `${NO_ANSWER} Our own test came through, so the way is open from here: try the address from outside of your home.${REST}`,
    ]);
  });

  it.each([
    [403, 'The service does not let this account have webhooks (HTTP 403)'],
    [404, 'The service knows no webhooks at this address (HTTP 404)'],
  ])('with %i is reported in a sentence about webhooks, not about locks', async (status, words) => {
    const port = await freePort();
    const [line] = await refusedHome(`http://127.0.0.1:${port}`, port, { kind: 'status', status });
    expect(line).toContain(`Webhooks could not be registered: ${words}`);
  });
});
