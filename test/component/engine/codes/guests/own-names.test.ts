// A service may spell names in its own way, and a lock may take shorter ones only (specification, Access code: the former limit was 12).
import { describe, expect, it } from 'vitest';
import { ANNA, FRONT, GuestHome } from '../../../../homes/codes-home.ts';

const MINUTE = 60_000;
const STAY = { ...ANNA, name: 'Stay 12-15 Dec' };

async function homeWith(draft: typeof ANNA, prepare: (home: GuestHome) => void): Promise<GuestHome> {
  const home = new GuestHome(FRONT);
  prepare(home);
  await home.clock.advance(4_000);
  home.guests.add(draft, 'all');
  await home.clock.advance(10_000);
  return home;
}

const sentTo = (home: GuestHome): readonly string[] => home.service(FRONT).sent.map(({ kind }) => kind);

describe('where the lists of a service spell names in their own way', () => {
  it.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['cut to twelve characters', (name: string) => name.slice(0, 12)],
    ['with a space behind', (name: string) => `${name} `],
  ])('%s, a guest whom the service took is up to date', async (_, spells) => {
    const home = await homeWith(STAY, (one) => {
      one.service(FRONT).spells = spells;
    });
    expect(home.kinds()).toEqual(['up-to-date']);
    const [guest] = home.guests.list();
    home.guests.update(guest?.id ?? '', { name: 'Stay 12-16 December' }, guest?.revision ?? 0);
    await home.clock.advance(10 * MINUTE);
    await home.crash();
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), sentTo(home)]).toEqual([['up-to-date'], ['add', 'update']]);
  });

  it('another name in the lock’s app is a difference all the same', async () => {
    const home = await homeWith(STAY, (one) => {
      one.service(FRONT).spells = (name) => name.slice(0, 12);
    });
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Stay 13-15 Dec' })));
    await home.clock.advance(5_000);
    expect(home.on(FRONT)?.standing).toMatchObject({ kind: 'differs', fields: ['name'] });
  });

  it('a guest’s name in other capitals is sent to the lock', async () => {
    const home = await homeWith(ANNA, () => {});
    const [guest] = home.guests.list();
    home.guests.update(guest?.id ?? '', { name: 'ANNA' }, guest?.revision ?? 0);
    await home.clock.advance(MINUTE);
    expect([home.kinds(), home.service(FRONT).codesOf[0]?.name]).toEqual([['up-to-date'], 'ANNA']);
  });
});

describe('where a lock takes names of twelve characters', () => {
  const shortNames = (home: GuestHome): void => {
    home.service(FRONT).longestName = 12;
  };

  it('a guest with a longer one gets a shorter one there, and is called as before', async () => {
    const home = await homeWith(STAY, shortNames);
    await home.clock.advance(MINUTE);
    expect([home.kinds(), home.guests.list()[0]?.name, home.service(FRONT).codesOf[0]?.name]).toEqual([
      ['up-to-date'],
      STAY.name,
      'Stay 12-15 D',
    ]);
  });

  it('the next one gets another short name at once, after a restart, too', async () => {
    const home = await homeWith(STAY, shortNames);
    await home.clock.advance(MINUTE);
    await home.crash();
    await home.clock.advance(MINUTE);
    home.guests.add({ ...STAY, name: 'Stay 12-15 Deck', pin: '0815' }, 'all');
    await home.clock.advance(MINUTE);
    expect(home.service(FRONT).codesOf.map(({ name }) => name)).toEqual(['Stay 12-15 D', 'Stay 12-15 B']);
    expect(sentTo(home)).toEqual(['add', 'add']);
  });

  it('a short name that is refused all the same is asked for once', async () => {
    const home = await homeWith(ANNA, (one) => {
      one.service(FRONT).longestName = 3;
    });
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), home.service(FRONT).refusals]).toEqual([['refused'], 1]);
  });
});
