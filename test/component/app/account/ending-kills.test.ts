// The end of an account whose process dies at each of its writes: after the next start no code is made, until a person uses the account again.
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { accountPlace } from '../../../../src/installation/place.ts';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import { MINUTE_MS, StayAccount } from '../../../homes/stay-account.ts';

const ADA = { guest: 'Ada', arrival: '2026-04-15', nights: 3 } as const;
const BEN = { guest: 'Ben', arrival: '2026-04-19', nights: 1 } as const;
const EVENTS = ['INSERT', 'UPDATE', 'DELETE'] as const;
const TABLES = ['secret', 'setting'] as const;

function within(home: SimulatedHome, work: (database: DatabaseSync) => void): void {
  const { databaseFile } = accountPlace(home.folder, { name: 'Latchkey', storagePath: null });
  const database = new DatabaseSync(databaseFile);
  work(database);
  database.close();
}

/** From now on the disk takes so many writes, and then none: what a process that dies there leaves behind. */
function diesAfter(home: SimulatedHome, writes: number): void {
  within(home, (database) => {
    database.exec(
      `CREATE TABLE writes_left (count INTEGER); INSERT INTO writes_left VALUES (${String(writes)})`,
    );
    for (const table of TABLES) {
      for (const event of EVENTS) {
        database.exec(
          `CREATE TRIGGER dies_${table}_${event} BEFORE ${event} ON ${table} BEGIN
             SELECT RAISE(ABORT, 'dead') FROM writes_left WHERE count <= 0;
             UPDATE writes_left SET count = count - 1;
           END`,
        );
      }
    }
  });
}

function isMended(home: SimulatedHome): void {
  within(home, (database) => {
    for (const trigger of TABLES.flatMap((table) => EVENTS.map((event) => `dies_${table}_${event}`))) {
      database.exec(`DROP TRIGGER ${trigger}`);
    }
    database.exec('DROP TABLE writes_left');
  });
}

async function opened(): Promise<StayAccount> {
  const account = await StayAccount.open([ADA, BEN]);
  const { home, locks, portal } = account;
  const flat = { name: 'Flat', address: portal.url, locks, reserve: true };
  await home.restart({ polling: { idleSeconds: 600 }, stays: [flat] });
  await home.clock.advance(5 * MINUTE_MS);
  return account;
}

const codesOn = ({ home, locks }: StayAccount): readonly string[] =>
  locks.flatMap((lock) =>
    home.simulator.world.inspect(lock).codesOnLock.map(({ name, code }) => `${lock} ${name} ${code}`),
  );

/** Ends the account, dies after so many writes, and begins again. True: the end had all the writes that it needs. */
async function killed(account: StayAccount, writes: number): Promise<boolean> {
  const { home } = account;
  diesAfter(home, writes);
  const begun = home.app.operations['ending.begin']({ account: home.config.name });
  const isWhole = await begun.then(
    () => true,
    () => false,
  );
  await home.app.dispose();
  isMended(home);
  await home.restart();
  return isWhole;
}

it('makes no code after a death at any write (faults#164)', { timeout: 120_000 }, async () => {
  const ends: boolean[] = [];
  for (let writes = 1; !ends.includes(true) && writes < 40; writes += 1) {
    const account = await opened();
    const { home, portal } = account;
    const before = codesOn(account);
    expect(before).toHaveLength(6);
    ends.push(await killed(account, writes));
    await portal.add({ guest: 'Cyd', arrival: '2026-04-20', nights: 1 });
    await home.answered(home.app.operations['stays.read']({}));
    await home.clock.advance(10 * MINUTE_MS);
    expect(codesOn(account).filter((code) => !before.includes(code))).toEqual([]);
    await home.close();
  }
  expect(ends.length).toBeGreaterThan(5);
  expect(ends.at(-1)).toBe(true);
});

it('makes codes again once a person links the account again', async () => {
  const account = await opened();
  const { home, portal } = account;
  await killed(account, 1_000);
  await home.clock.advance(10 * MINUTE_MS);
  expect(codesOn(account)).toEqual([]);
  await home.link();
  await portal.add({ guest: 'Cyd', arrival: '2026-04-20', nights: 1 });
  await home.answered(home.app.operations['stays.read']({}));
  await home.clock.advance(10 * MINUTE_MS);
  expect(codesOn(account)).toHaveLength(4);
});

it('makes codes again once a person wants one of the stays', async () => {
  const account = await opened();
  const { home } = account;
  await killed(account, 1_000);
  await home.clock.advance(10 * MINUTE_MS);
  const [ada] = await account.stays();
  await home.app.operations['stays.skip']({ stay: ada?.id ?? '', skip: false });
  await home.clock.advance(10 * MINUTE_MS);
  expect(codesOn(account)).toHaveLength(4);
});
