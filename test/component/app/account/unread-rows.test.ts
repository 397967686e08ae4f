// Rows of guests, stays and calendars that cannot be read: they say neither "gone" nor "skipped", and codes stay on the locks as they are.
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { accountPlace } from '../../../../src/installation/place.ts';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';
import { MINUTE_MS, StayAccount } from '../../../homes/stay-account.ts';
import { unchecked } from '../../storage/damage.ts';

const ADA = { guest: 'Ada', arrival: '2026-04-15', nights: 3 } as const;
const BEN = { guest: 'Ben', arrival: '2026-04-19', nights: 1 } as const;
const CLEANER = { name: 'Cleaner', pin: '4829', schedule: { kind: 'always' } } as const;

const ROWS = ['secret guest:', 'secret stay:', 'secret stay-calendar:', 'setting calendar:'] as const;

/** What may have become of a row: of the disk, of a program that was killed, of a newer version. */
const FORMS = {
  'half of its JSON': (value: string) => value.slice(0, Math.ceil(value.length / 2)),
  'nothing of its JSON': () => '{',
  'the shape of a newer version': (value: string) =>
    JSON.stringify({ version: 9, content: JSON.parse(value) as unknown }),
  'a member is missing': (value: string) => {
    const {
      draft: _d,
      booking: _b,
      bookings: _r,
      locks: _l,
      ...rest
    } = JSON.parse(value) as Record<string, unknown>;
    return JSON.stringify(rest);
  },
} as const satisfies Record<string, (value: string) => string>;

const fileOf = (home: SimulatedHome): string =>
  accountPlace(home.folder, { name: 'Latchkey', storagePath: null }).databaseFile;

interface Row {
  readonly key: string;
  readonly value: string;
}

function rowsOf(home: SimulatedHome, where: string): readonly Row[] {
  const [table = '', prefix = ''] = where.split(' ');
  const database = new DatabaseSync(fileOf(home), { readOnly: true });
  const rows = database
    .prepare(`SELECT key, value FROM ${table} WHERE key LIKE ? ORDER BY key`)
    .all(`${prefix}%`);
  database.close();
  return rows.map(({ key, value }) => ({ key: String(key), value: String(value) }));
}

/** The account ends, these rows become so, and it begins again. */
async function damaged(
  { home }: StayAccount,
  where: string,
  form: keyof typeof FORMS,
  isMeant: (row: Row) => boolean = () => true,
): Promise<void> {
  await home.app.dispose();
  const [table = ''] = where.split(' ');
  const rows = rowsOf(home, where).filter(isMeant);
  expect(rows).not.toEqual([]);
  unchecked(fileOf(home), (database) => {
    for (const { key, value } of rows) {
      database.prepare(`UPDATE ${table} SET value = ? WHERE key = ?`).run(FORMS[form](value), key);
    }
  });
  await home.restart();
}

async function opened(): Promise<StayAccount> {
  const account = await StayAccount.open([ADA, BEN]);
  await account.addCalendar({ reserve: true });
  const { home, locks } = account;
  await home.answered(home.app.operations['guests.add']({ draft: CLEANER, locks }));
  await home.clock.advance(5 * MINUTE_MS);
  return account;
}

const codesOn = ({ home, locks }: StayAccount) =>
  locks.flatMap((lock) => home.simulator.world.inspect(lock).codesOnLock);

const UNREAD = 'cannot be read, and its codes stay on the locks';

describe.each(ROWS)('rows of %s that cannot be read', (where) => {
  it.each(Object.keys(FORMS) as (keyof typeof FORMS)[])(
    'leave every code as it is on the locks: %s (faults#146)',
    async (form) => {
      const account = await opened();
      const { home } = account;
      const before = codesOn(account);
      expect(before).toHaveLength(8);
      await damaged(account, where, form);
      await account.until('2026-04-16T12:00');
      await home.answered(home.app.operations['stays.read']({}));
      await home.clock.advance(60 * MINUTE_MS);
      expect(codesOn(account)).toEqual(before);
      expect((await account.stays()).filter(({ isSkipped, phase }) => isSkipped || phase === 'gone')).toEqual(
        [],
      );
      expect(home.lines.filter((line) => line.includes(UNREAD))).not.toEqual([]);
    },
    20_000,
  );

  it('leave every code as it is when one row alone is so', async () => {
    const account = await opened();
    const before = codesOn(account);
    const [first] = rowsOf(account.home, where);
    await damaged(account, where, 'half of its JSON', ({ key }) => key === first?.key);
    await account.until('2026-04-16T12:00');
    await account.home.clock.advance(60 * MINUTE_MS);
    expect(codesOn(account)).toEqual(before);
  });
});

describe('a guest who cannot be read', () => {
  it('is nobody whose code a file may remove', async () => {
    const account = await opened();
    const { home, locks } = account;
    await damaged(account, 'secret guest:', 'nothing of its JSON');
    await home.clock.advance(MINUTE_MS);
    const asked = { lock: locks[0], wanted: [], keepOthers: false, includeGuests: false };
    const { steps } = await home.answered(home.app.operations['codes.plan'](asked));
    expect(steps.filter(({ kind }) => kind === 'remove')).toEqual([]);
    expect(await home.app.operations['codes.proposals']({})).toMatchObject({ unread: 4 });
  });

  it('has a code that the end of the account names', async () => {
    const account = await opened();
    const { home } = account;
    await damaged(account, 'secret guest:', 'half of its JSON');
    const named = { account: home.config.name };
    await home.app.operations['ending.begin'](named);
    await home.clock.advance(10 * MINUTE_MS);
    const { codes } = await home.app.operations['ending.show']({});
    expect(codes[0]).toEqual({ name: 'a guest who cannot be read', locks: ['Front door', 'Back door'] });
    await expect(home.app.operations['ending.finish'](named)).rejects.toThrow('may still open');
  });

  it('is not gone when the stay ends, and a person may still skip the stay', async () => {
    const account = await opened();
    const { home } = account;
    await account.until('2026-04-18T10:50');
    await damaged(account, 'secret guest:', 'a member is missing');
    await account.until('2026-04-18T11:30');
    const before = codesOn(account);
    const [ada, ben] = await account.stays();
    expect([ada?.phase, ada?.goneAt, ada?.obstacles]).toEqual([
      'leaving',
      null,
      [expect.objectContaining({ text: expect.stringContaining(UNREAD) as string })],
    ]);
    await home.app.operations['stays.skip']({ stay: ben?.id ?? '', skip: true });
    await home.clock.advance(10 * MINUTE_MS);
    expect((await account.stays()).map(({ phase }) => phase)).toEqual(['leaving', 'skipped']);
    expect(codesOn(account)).toEqual(before);
  });
});

describe('a stay that cannot be read', () => {
  it('is named with the stays, and its guest goes when a person removes the guest', async () => {
    const account = await opened();
    const { home, locks } = account;
    await damaged(account, 'secret stay:', 'half of its JSON');
    await home.clock.advance(10 * MINUTE_MS);
    const { operations } = home.app;
    expect(await operations['stays.list']({})).toMatchObject({ stays: [], isUnread: true });
    const ofStays = (await operations['guests.list']({})).filter(
      ({ stay, name }) => stay !== null && name !== 'Reserve',
    );
    expect(ofStays).toHaveLength(2);
    for (const { id } of ofStays) {
      await operations['guests.remove']({ guest: id });
    }
    await home.clock.advance(10 * MINUTE_MS);
    expect(locks.flatMap((lock) => account.namesOn(lock))).toEqual([]);
  });

  it('moves no hours of a cleaner', async () => {
    const account = await opened();
    const { home } = account;
    const [calendar] = (await home.app.operations['stays.list']({})).calendars;
    await home.answered(
      home.app.operations['guests.add-between']({
        name: 'Turnover',
        pin: '7731',
        calendars: [calendar?.id ?? ''],
        until: null,
      }),
    );
    await home.clock.advance(10 * MINUTE_MS);
    const before = codesOn(account);
    expect(before).toHaveLength(10);
    await account.until('2026-04-18T10:50');
    await damaged(account, 'secret stay:', 'nothing of its JSON');
    await account.until('2026-04-18T12:00');
    expect(codesOn(account)).toEqual(before);
  });
});

it('a calendar that cannot be read keeps its number and its codes, also where it is added again', async () => {
  const account = await opened();
  const { home } = account;
  const before = codesOn(account);
  await account.until('2026-04-15T20:00');
  await damaged(account, 'setting calendar:', 'half of its JSON');
  await account.addCalendar({ reserve: true });
  await home.clock.advance(30 * MINUTE_MS);
  const { calendars } = await home.app.operations['stays.list']({});
  expect(calendars.map(({ id }) => id)).toEqual(['page:2']);
  expect(codesOn(account)).toEqual(expect.arrayContaining(before));
});
