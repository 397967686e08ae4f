// A process that may not act for the account: it sends nothing, and goes on when it may.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountPlace } from '../../../../src/app/account/place.ts';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { RENEW_EVERY_MS } from '../../../../src/storage/account/owner-lease.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';

/** The account's database as another process has it open. */
function databaseOf(home: SimulatedHome): DatabaseSync {
  const database = new DatabaseSync(accountPlace(home.folder, home.config).databaseFile);
  onTestFinished(() => {
    if (database.isOpen) {
      database.close();
    }
  });
  return database;
}

/** How many commands and readings the service has had. */
async function calls(home: SimulatedHome): Promise<{ commands: number; reads: number }> {
  return { commands: await home.count('POST', '/commands'), reads: await home.count('GET', '/devices') };
}

/** Another process takes the account over in its database. */
function takeOver(home: SimulatedHome): DatabaseSync {
  const database = databaseOf(home);
  database.exec("UPDATE owner_lease SET owner_id = 'another', renewals = renewals + 1");
  return database;
}

describe('a process that lost the account', () => {
  it('sends nothing once another has taken it over, and says so', async () => {
    const home = await SimulatedHome.linked();
    const front = home.idOf('Front door');
    takeOver(home);
    await home.clock.advance(RENEW_EVERY_MS);
    const before = await calls(home);
    expect(home.app.runtime.linkState()).toBe('other-process');
    expect(await home.app.runtime.request(front, 'unsecured')).toEqual({
      kind: 'refused',
      reason: 'not-linked',
    });
    await home.clock.advance(5_000);
    expect(await calls(home)).toEqual(before);
    expect(home.lines).toContain(
      'Another process has taken the account over; this one waits for it to come back.',
    );
  });

  it('stores nothing of a linking whose answer comes afterwards', async () => {
    const home = await SimulatedHome.linked();
    // So that the next renewal, which finds the account gone, falls into the exchange.
    await home.clock.advance(RENEW_EVERY_MS - 5_000);
    const { 'link.start': start, 'link.finish': finish } = home.app.operations;
    const redirectedUrl = await consent((await start({})).authorizeUrl);
    await home.fail('/**/token', { kind: 'latency', delayMs: 9_000, when: 'after-work', often: 'once' });
    const finishing = finish({ redirectedUrl }).catch((reason: unknown) => reason);
    await home.clock.advance(100);
    const database = takeOver(home);
    const before = database.prepare('SELECT * FROM link').get();
    await home.clock.advance(12_000);
    expect(await finishing).toMatchObject({ code: 'not-owner' });
    expect(database.prepare('SELECT * FROM link').get()).toEqual(before);
  });

  it('sends nothing while it could not renew its lease for too long, and goes on afterwards', async () => {
    const home = await SimulatedHome.linked({ options: { polling: { idleSeconds: 5 } } });
    const front = home.idOf('Front door');
    const other = databaseOf(home);
    other.exec('BEGIN IMMEDIATE');
    await home.clock.advance(30_000);
    other.exec('ROLLBACK');
    // It does not know yet that somebody else may act; only that it may not.
    expect(home.app.runtime.linkState()).toBe('linked');
    const before = await calls(home);
    expect(await home.app.runtime.request(front, 'unsecured')).toMatchObject({
      kind: 'failed',
      // No other process owns it: that would be a lie (faults#108).
      error: { code: 'storage-failed' },
    });
    expect(await calls(home)).toEqual(before);
    await home.clock.advance(10_000);
    const again = home.app.runtime.request(front, 'unsecured');
    await home.clock.advance(0);
    expect(await again).toEqual({ kind: 'accepted' });
    expect((await calls(home)).commands).toBe(1);
  });
});

it('a process that cannot find out whether it still owns the account (faults#108) shows every lock as unknown after a minute, says so once, sends nothing, and locks as soon as it can', async () => {
  const home = await SimulatedHome.linked();
  const front = home.idOf('Front door');
  const shown = (): unknown => boltOf(home.app.runtime.lock(front) ?? expect.fail('It is gone.'));
  const disk = databaseOf(home);
  disk.exec('ALTER TABLE owner_lease RENAME TO out_of_reach');
  await home.control('locks/Front door/turn-thumbturn', { to: 'Unlocked' });
  const before = await calls(home);
  // The lease is trusted for 25 s, the next listing finds that out, and evidence lasts a minute from then on.
  await home.clock.advance(25_000 + 32_000 + 66_000);
  expect([shown(), (await calls(home)).commands]).toEqual(['unknown', before.commands]);
  const said = home.lines.filter((line) => line.startsWith('The locks cannot be read'));
  expect(said).toEqual([expect.stringContaining('not certain that this process still owns the account')]);

  const locking = home.app.runtime.request(front, 'secured');
  await home.clock.advance(10_000);
  disk.exec('ALTER TABLE out_of_reach RENAME TO owner_lease');
  await home.clock.advance(50_000);
  expect([await locking, shown(), (await calls(home)).commands]).toEqual([
    { kind: 'accepted' },
    'secured',
    before.commands + 1,
  ]);
});
