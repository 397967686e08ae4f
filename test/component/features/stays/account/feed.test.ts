// The feed of a calendar over the whole account: made by one call, read over HTTP by anybody who has the address, ended at once.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { freePort } from '../../../../harness/free-port.ts';
import { MINUTE_MS, StayAccount } from '../../../../homes/stay-account.ts';
import { outputOf } from '../../../app/outputs.ts';

const BOOKINGS = [
  { arrival: 1, nights: 1, guest: 'Anna Berger', phone: '+44 7700 900202' },
  { arrival: 2, nights: 3, guest: 'Bob', phone: '+44 7700 900303' },
];

/** Of every event: its title, and its hours in UTC. */
function eventsIn(text: string): readonly string[] {
  return ICAL.Component.fromString(text)
    .getAllSubcomponents('vevent')
    .map((event) => {
      const [title, from, until] = ['summary', 'dtstart', 'dtend'].map((name) =>
        String(event.getFirstPropertyValue(name)),
      );
      return `${title} ${from} ${until}`;
    });
}

/** Its dashboard is open, with a calendar of two bookings. */
async function anAccount(more: object = {}) {
  const port = await freePort();
  const account = await StayAccount.open(BOOKINGS, {
    form: 'named',
    options: { panel: { enabled: true, port } },
  });
  await account.addCalendar({ name: 'Flat 101', ...more });
  const { operations } = account.home.app;
  const make = async (calendar = 'page:1'): Promise<string> => {
    const { addresses } = await operations['stays.make-feed']({ calendar });
    return addresses[0] ?? '';
  };
  const hasFeed = async () => (await operations['stays.list']({})).calendars.map((one) => one.hasFeed);
  return { account, home: account.home, operations, make, hasFeed };
}

describe('the feed of a calendar', () => {
  it('is read at its address as an .ics of names and hours, and ends at once when it is withdrawn', async () => {
    const { operations, make, hasFeed } = await anAccount({ names: 'booking' });
    expect(await hasFeed()).toEqual([false]);
    const address = await make();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/stays\/[\w-]{43}\.ics$/u);
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(eventsIn(await answer.text())).toEqual([
      'Reserved - Anna Berger, Flat 101 2026-04-15T15:00:00Z 2026-04-16T11:00:00Z',
      'Reserved - Bob, Flat 101 2026-04-16T15:00:00Z 2026-04-19T11:00:00Z',
    ]);
    expect(await hasFeed()).toEqual([true]);

    const second = await make();
    expect([(await fetch(address)).status, (await fetch(second)).status]).toEqual([404, 200]);
    await operations['stays.withdraw-feed']({ calendar: 'page:1' });
    expect([(await fetch(second)).status, await hasFeed()]).toEqual([404, [false]]);
  });

  it('is called by dates alone where the stays are, and follows skipping and cancelling', async () => {
    const { account, home, operations, make } = await anAccount();
    const address = await make();
    const read = async () => eventsIn(await (await fetch(address)).text());
    expect(await read()).toEqual([
      'Stay, Flat 101 2026-04-15T15:00:00Z 2026-04-16T11:00:00Z',
      'Stay, Flat 101 2026-04-16T15:00:00Z 2026-04-19T11:00:00Z',
    ]);
    const [first, second] = await account.stays();
    // A skipped stay may be a guest who has a key.
    await operations['stays.skip']({ stay: first?.id });
    expect(await read()).toHaveLength(2);
    await operations['stays.remove-calendar']({ calendar: 'page:1' });
    await home.clock.advance(MINUTE_MS);
    expect([second?.calendarId, (await fetch(address)).status]).toEqual(['page:1', 404]);
    // Another calendar that takes the place of the former has no feed yet.
    await account.addCalendar();
    expect((await fetch(address)).status).toBe(404);
  });

  it('ends a guest’s entry when they are checked out, and has it whole when they are let in again', async () => {
    const { account, home, operations, make } = await anAccount();
    const address = await make();
    const [stay] = await account.stays();
    const first = async () => eventsIn(await (await fetch(address)).text())[0];
    home.clock.standStill(Date.UTC(2026, 3, 16, 8) - home.clock.now());
    await home.clock.advance(MINUTE_MS);
    const front = account.locks[0] ?? lockId('');
    expect(account.namesOn(front)).toContain('Stay 15-16 Apr');
    expect(await home.answered(operations['stays.checkout']({ stay: stay?.id }))).toMatchObject({
      kind: 'saved',
    });
    await home.clock.advance(MINUTE_MS);
    expect(account.namesOn(front)).toEqual(['Stay 16-19 Apr']);
    expect(await first()).toBe('Stay, Flat 101 2026-04-15T15:00:00Z 2026-04-16T08:00:00Z');
    await home.answered(operations['stays.checkout']({ stay: stay?.id, out: false }));
    await home.clock.advance(MINUTE_MS);
    expect(account.namesOn(front).toSorted()).toEqual(['Stay 15-16 Apr', 'Stay 16-19 Apr']);
    expect(await first()).toBe('Stay, Flat 101 2026-04-15T15:00:00Z 2026-04-16T11:00:00Z');
    await expect(operations['stays.checkout']({ stay: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('outlives a restart, is in no line and no answer but its own, and no file holds it (faults#66)', async () => {
    const { account, home, operations, make } = await anAccount();
    const address = await make();
    const secret = /[\w-]{43}/u.exec(address)?.[0] ?? '';
    await fetch(`${address}?x=1`);
    await fetch(address.replace(secret, 'a'.repeat(43)));
    const outputs = [
      await outputOf(home, operations['stays.list']({})),
      await outputOf(home, operations['diagnostics']({})),
      await outputOf(home, operations['status']({})),
      await outputOf(home, operations['stays.withdraw-feed']({ calendar: 'none' })),
      ...home.lines,
    ];
    expect(outputs.filter((text) => text.includes(secret))).toEqual([]);
    const files = readdirSync(home.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.filter((path) => readFileSync(path, 'latin1').includes(secret))).toEqual([]);
    const database = files.filter((path) => path.includes('latchkey.db'));
    expect(database.length).toBeGreaterThan(0);
    expect(database.filter((path) => (statSync(path).mode & 0o77) !== 0)).toEqual([]);

    const port = Number(new URL(address).port);
    await home.restart({ panel: { enabled: true, port } });
    await home.clock.advance(MINUTE_MS);
    expect((await fetch(address)).status).toBe(200);
    await home.app.operations['stays.withdraw-feed']({ calendar: 'page:1' });
    expect((await fetch(address)).status).toBe(404);
    expect(account.home.lines.filter((text) => text.includes(secret))).toEqual([]);
  });

  it('is not made while no server could answer at it', async () => {
    const account = await StayAccount.open(BOOKINGS);
    await account.addCalendar();
    const { operations } = account.home.app;
    await expect(operations['stays.make-feed']({ calendar: 'page:1' })).rejects.toMatchObject({
      code: 'bad-configuration',
    });
    const { calendars } = await operations['stays.list']({});
    expect(calendars[0]?.hasFeed).toBe(false);
  });
});
