// The link ends at the service, over the real app: one line, no storm, and a new link takes effect without a restart.
import { describe, expect, it } from 'vitest';
import { RESIDENT, SimulatedHome } from '../../homes/simulated-home.ts';

const HOUR_MS = 3_600_000;

/** How each bolt is believed to be, by the lock's name. */
async function bolts(home: SimulatedHome): Promise<Readonly<Record<string, string>>> {
  const locks = await home.app.operations.locks({});
  return Object.fromEntries(locks.map(({ description, bolt }) => [description.name, bolt]));
}

const ENDS = [
  ['revokes the link', 'house/revoke'],
  ['signs out everywhere', 'house/sign-out-everywhere'],
] as const;

describe('an account whose person', () => {
  it.each(ENDS)(
    '%s costs two calls of the token endpoint at most and one line, then there is quiet (faults#15)',
    async (_, action) => {
      const line = 'The lock service disconnected this account. Connect it again.';
      const home = await SimulatedHome.linked();
      const before = await home.count('POST', '/token');
      await home.control(action, { userId: RESIDENT });
      await home.clock.advance(6 * HOUR_MS);
      expect((await home.count('POST', '/token')) - before).toBeLessThanOrEqual(2);
      expect(home.lines.filter((said) => said === line)).toHaveLength(1);
      expect(await home.app.operations.status({})).toMatchObject({ link: 'revoked' });
      const calls = await home.count('GET', '/');
      await home.clock.advance(24 * HOUR_MS);
      expect(await home.count('GET', '/')).toBe(calls);
      expect(Object.values(await bolts(home)).filter((bolt) => bolt === 'secured')).toEqual([]);
    },
  );

  it.each(ENDS)(
    '%s is told that the service refuses the connection, until it counts as ended',
    async (_, action) => {
      const home = await SimulatedHome.linked();
      await home.control(action, { userId: RESIDENT });
      const told = new Set<string>();
      for (let second = 0; second < 90; second += 1) {
        await home.clock.advance(1_000);
        const { link, isDoubted, failing } = await home.app.operations.status({});
        told.add(`${link}${isDoubted ? ', refused' : ''}${failing === null ? '' : ', failing'}`);
      }
      expect([...told]).toEqual(['linked', 'linked, refused', 'revoked']);
    },
  );

  it.each(ENDS)('%s links again without a restart, and every bolt is as it is', async (_, action) => {
    const home = await SimulatedHome.linked();
    await home.control(action, { userId: RESIDENT });
    await home.clock.advance(HOUR_MS);
    await home.control('locks/Back door/turn-thumbturn', { to: 'Unlocked' });
    await home.link();
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked', failing: null });
    expect(await bolts(home)).toEqual({
      'Front door': 'secured',
      'Back door': 'unsecured',
      Garage: 'secured',
    });
    const [lock] = await home.app.operations.locks({});
    expect(await home.app.operations.move({ lock: lock?.id, to: 'unsecured' })).toMatchObject({
      kind: 'accepted',
    });
  });

  it.each(ENDS)(
    '%s in the midst of a tap leaves nothing of it behind after linking again (faults#107)',
    async (_, action) => {
      for (const to of ['unsecured', 'secured'] as const) {
        const home = await SimulatedHome.linked();
        const front = home.idOf('Front door');
        const [here, there] =
          to === 'unsecured' ? (['Locked', 'Unlocked'] as const) : (['Unlocked', 'Locked'] as const);
        await home.control('locks/Front door/turn-thumbturn', { to: here });
        await home.clock.advance(31_000);
        await home.control(action, { userId: RESIDENT });
        void home.app.runtime.request(front, to);
        await home.clock.advance(20_000);
        await home.link();
        for (const hand of [there, here]) {
          await home.control('locks/Front door/turn-thumbturn', { to: hand });
          await home.clock.advance(32_000);
          expect((await bolts(home))['Front door']).toBe(hand === 'Locked' ? 'secured' : 'unsecured');
        }
        await home.close();
      }
    },
  );

  it('has a refused first key, and then no connection, shows moves at the door all the same (faults#107)', async () => {
    const home = await SimulatedHome.linked();
    const front = home.idOf('Front door');
    for (const fault of [
      { kind: 'status', status: 401 },
      { kind: 'cut', when: 'before-work' },
    ]) {
      await home.fail('/**/commands', { ...fault, method: 'POST', often: 'once' });
    }
    void home.app.runtime.request(front, 'unsecured');
    await home.clock.advance(20_000);
    for (const hand of ['Unlocked', 'Locked', 'Unlocked'] as const) {
      await home.control('locks/Front door/turn-thumbturn', { to: hand });
      await home.clock.advance(32_000);
      expect((await bolts(home))['Front door']).toBe(hand === 'Locked' ? 'secured' : 'unsecured');
    }
  });
});

describe('a start without a link', () => {
  const LINES = /npx homebridge-latchkey link$/u;

  it('says in one line that no account is linked and how to link it, and stays silent once it is (faults#15)', async () => {
    const home = await SimulatedHome.open();
    expect(home.lines.filter((said) => LINES.test(said))).toEqual([
      "No lock account is connected. Connect one on the plugin's pages, or with: npx homebridge-latchkey link",
    ]);
    await home.link();
    home.lines.length = 0;
    await home.restart();
    expect(home.lines.filter((said) => LINES.test(said))).toEqual([]);
  });

  it('says why the former link has ended, though an earlier log already has the line about its end', async () => {
    const home = await SimulatedHome.linked();
    await home.control('house/revoke', { userId: RESIDENT });
    await home.clock.advance(HOUR_MS);
    home.lines.length = 0;
    await home.restart();
    expect(home.lines.filter((said) => LINES.test(said))).toEqual([
      "The lock service disconnected this account. Connect it again. Connect one on the plugin's pages, or with: npx homebridge-latchkey link",
    ]);
  });
});
