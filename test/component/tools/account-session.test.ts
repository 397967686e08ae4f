// The account for a tool that stays, over its changes of owner: what its listeners get of them.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { accountPlace } from '../../../src/installation/place.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';
import { sessionAt } from '../../homes/tool-session.ts';
import { during } from '../cli/terminal.ts';

/** The version of a plugin that is newer than all of ours. */
const FUTURE_FORM = 999;

/** Makes the account's file one that cannot be opened; the returned function mends it. */
function breakFile(home: SimulatedHome): () => void {
  const write = (form: number): number => {
    const database = new DatabaseSync(accountPlace(home.folder, home.config).databaseFile);
    const before = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    database.exec(`PRAGMA user_version = ${form}`);
    database.close();
    return before;
  };
  const former = write(FUTURE_FORM);
  return () => {
    write(former);
  };
}

/** A home without a plugin: one tool owns the account, and another one has come to it. */
async function twoTools() {
  const home = await SimulatedHome.linked();
  await home.app.dispose();
  const [owner, guest] = [sessionAt(home), sessionAt(home)];
  const owned = await during(home, owner.tool());
  const { through, call } = await during(home, guest.tool());
  expect([owned.through, through]).toEqual(['alone', 'owner']);
  return { home, owner, call, front: home.idOf('Front door') };
}

describe('a tool that ends while another one has calls under way', () => {
  it('ends once those are answered, and leaves the next ones to the other tool (faults#162)', async () => {
    const { home, owner, call, front } = await twoTools();
    await home.fail('**/commands', { kind: 'latency', delayMs: 3_000, when: 'before-work' });
    const move = call('move', { lock: front, to: 'unsecured', waitedMs: 0 });
    await home.clock.advance(1_000);
    const closed = owner.close();
    await home.clock.advance(0);
    const code = call('codes.add', {
      lock: front,
      draft: { name: 'Anna', pin: '0417', schedule: { kind: 'always' } },
    });
    expect(await during(home, move)).toEqual({ kind: 'accepted' });
    expect(await during(home, code)).toMatchObject({ kind: 'started' });
    expect((await during(home, call('locks'))).length).toBe(3);
    await closed;
    expect(await home.count('POST', '/commands')).toBe(2);
  });
});

describe.each(['alone', 'owner'] as const)('a session that is closed (%s)', (through) => {
  it('ends the calls that are under way, and makes none of them again (faults#162)', async () => {
    const home = await SimulatedHome.linked();
    if (through === 'alone') {
      await home.app.dispose();
    }
    const session = sessionAt(home);
    const tool = await during(home, session.tool());
    expect(tool.through).toBe(through);
    await home.fail('**/devices', { kind: 'latency', delayMs: 60_000, when: 'before-work' });
    const ends = [tool.call('refresh'), session.read(async (call) => call('refresh'))].map(async (call) =>
      call.then(
        () => 'answered',
        () => 'ended',
      ),
    );
    await home.clock.advance(1_000);
    const before = await home.count('GET', '/devices');
    await during(home, session.close());
    expect(await during(home, Promise.all(ends))).toEqual(['ended', 'ended']);
    await home.clock.advance(20_000);
    expect(await home.count('GET', '/devices')).toBe(before);
  });
});

it('a session reports that the account is back, even when it could not be opened again at first', async () => {
  const home = await SimulatedHome.linked();
  const session = sessionAt(home);
  const reported: string[] = [];
  session.listen({
    onEvent: () => {},
    interrupted: () => reported.push('interrupted'),
    resumed: (locks) => reported.push(`resumed with ${locks.length} locks`),
    lost: () => reported.push('lost'),
  });
  await session.tool();
  const gone = home.app.dispose();
  await home.clock.advance(0);
  await gone;
  const mend = breakFile(home);
  await home.clock.advance(20_000);
  expect(reported).toEqual(['interrupted', 'lost']);
  await expect(session.tool()).rejects.toThrow('newer');
  mend();
  const opened = session.tool();
  await home.clock.advance(1_000);
  await opened;
  await home.clock.advance(0);
  expect(reported).toEqual(['interrupted', 'lost', 'resumed with 3 locks']);
});
