// What "removed" means: a guest is listed for as long as a code of theirs is on a lock, or may be (faults#116).
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import type { LockId } from '../../../../../src/domain/locks/lock.ts';
import { ANNA, BACK, FRONT, type GuestHome, homeOfTwo, homeWithAnna } from '../../../../homes/codes-home.ts';

const MINUTE = 60_000;

async function decide(home: GuestHome, id: LockId, choice: 'keep' | 'overwrite'): Promise<void> {
  home.guests.settle(home.guests.list()[0]?.id ?? '', id, choice, home.on(id)?.revision ?? -1);
  await home.clock.advance(15_000);
}

const typed = (home: GuestHome, id: LockId): boolean =>
  home.service(id).codesOf.some(({ pin }) => pin === ANNA.pin);

const ANNE_STAYS = { kind: 'look-alike', name: 'Anne', has: 'digits', isLeft: false } as const;

describe('a guest who is removed', () => {
  it('stays listed with a code that was kept in the app’s version, until a person removes that code', async () => {
    const { home, id } = await homeWithAnna();
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Anne' })));
    await home.clock.advance(2_000);
    await decide(home, FRONT, 'keep');
    home.guests.remove(id);
    await home.clock.advance(5 * MINUTE);
    expect([home.on(FRONT)?.standing, home.on(BACK), typed(home, FRONT)]).toEqual([
      ANNE_STAYS,
      undefined,
      true,
    ]);
    expect(home.lines).toContain(
      'front: the guest "Anna" was removed, but a code called “Anne” with the same digits is still there. Decide on the Codes page, or with: latchkey guests settle',
    );
    await decide(home, FRONT, 'overwrite');
    expect([home.guests.list(), typed(home, FRONT)]).toEqual([[], false]);
  });

  it('stays listed while the app has the same digits under another name, and that code is not touched', async () => {
    const { home, id } = await homeWithAnna();
    home.connect(FRONT, false);
    home.guests.remove(id);
    await home.clock.advance(5_000);
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, id: accessCodeId('new'), name: 'Anne' })));
    home.connect(FRONT, true);
    await home.clock.advance(5 * MINUTE);
    expect([home.on(FRONT)?.standing, typed(home, FRONT)]).toEqual([ANNE_STAYS, true]);
    expect(home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add']);
    // Left there by a person, it is named for as long as it opens the door.
    await decide(home, FRONT, 'keep');
    await home.crash();
    await home.clock.advance(5 * MINUTE);
    expect(home.on(FRONT)?.standing).toEqual({ ...ANNE_STAYS, isLeft: true });
    home.app(FRONT, () => []);
    await home.clock.advance(2 * MINUTE);
    expect(home.guests.list()).toEqual([]);
  });

  it('whose id a list showed on the code of another guest takes nothing of that one, also while lists are empty', async () => {
    const { home, id } = await homeWithAnna();
    home.guests.add({ ...ANNA, name: 'Bob', pin: '0815' }, [FRONT]);
    await home.clock.advance(10_000);
    const annas = home.service(FRONT).codesOf.find(({ pin }) => pin === ANNA.pin);
    // The service gives the id of a code that the app removed to another one.
    home.app(FRONT, (codes) =>
      codes.flatMap((code) => (code === annas ? [] : [{ ...code, id: annas?.id ?? code.id }])),
    );
    await home.clock.advance(5_000);
    home.service(FRONT).emptyLists = 3;
    home.guests.remove(id);
    await home.clock.advance(5 * MINUTE);
    expect(home.service(FRONT).codesOf.map(({ name }) => name)).toEqual(['Bob']);
    expect(home.guests.list().map(({ name }) => name)).toEqual(['Bob']);
  });

  it('whose code the app removed is gone once the service knows no such id, and lists lack it for a minute, across a restart, too', async () => {
    const { home, id } = await homeWithAnna();
    home.app(FRONT, () => []);
    await home.clock.advance(2_000);
    home.guests.remove(id);
    await home.clock.advance(60_000);
    expect(home.on(FRONT)?.standing).toEqual({ kind: 'on-its-way' });
    await home.crash();
    await home.clock.advance(70_000);
    expect(home.on(FRONT)?.isLeaving).toBe(true);
    await home.clock.advance(5_000);
    expect(home.guests.list()).toEqual([]);
  });

  it.each<[string, boolean]>([
    ['online', false],
    ['back from offline', true],
  ])(
    'loses the code of a lock that is %s also while lists are empty for a minute (faults#152)',
    async (_, isBack) => {
      const { home, id } = await homeWithAnna();
      if (isBack) {
        home.connect(FRONT, false);
      }
      home.service(FRONT).emptyLists = 1_000;
      home.guests.remove(id);
      await home.clock.advance(5_000);
      home.connect(FRONT, true);
      await home.clock.advance(20_000);
      expect(home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add', 'remove']);
      // Another code may have had that id: the guest is gone once lists over a minute lack the code.
      expect([home.on(FRONT)?.isLeaving, typed(home, FRONT)]).toEqual([true, false]);
      await home.clock.advance(MINUTE);
      expect([home.guests.list(), typed(home, FRONT)]).toEqual([[], false]);
    },
  );

  it('is not gone by a list that was read before the removal was asked', async () => {
    const { home, id } = await homeWithAnna();
    const codes = home.service(FRONT).codesOf;
    home.app(FRONT, () => []);
    await home.clock.advance(1_000);
    // Made anew, and no event says so.
    home.service(FRONT).codesOf = codes;
    await home.clock.advance(1_000);
    home.guests.remove(id);
    await home.clock.advance(9_000);
    home.service(FRONT).emptyLists = 1;
    await home.clock.advance(2_000);
    expect(home.on(FRONT) !== undefined || !typed(home, FRONT)).toBe(true);
    await home.clock.advance(MINUTE);
    expect([home.guests.list(), typed(home, FRONT)]).toEqual([[], false]);
  });

  it('stays listed while the service says that the lock has not removed the code, although its list lacks it', async () => {
    const { home, id } = await homeWithAnna();
    home.service(FRONT).mishaps = [{ fails: 'code-not-deleted', done: true }];
    home.guests.remove(id);
    await home.clock.advance(MINUTE);
    await home.crash();
    await home.clock.advance(3 * MINUTE);
    expect([home.on(FRONT)?.standing.kind, home.on(BACK)]).toEqual(['waiting', undefined]);
    await home.clock.advance(5 * MINUTE);
    await home.clock.advance(2 * MINUTE);
    expect(home.guests.list()).toEqual([]);
  });

  it('keeps waiting for a lock that is away until a person decides otherwise', async () => {
    const { home, id } = await homeWithAnna();
    home.leave(BACK);
    home.guests.remove(id);
    await home.clock.advance(MINUTE);
    await decide(home, BACK, 'keep');
    expect([home.guests.list(), home.lines.at(-1)]).toEqual([
      [],
      'back: the code of the guest "Anna" is not waited for any more, and may still open this lock.',
    ]);
  });

  it('is kept apart from another guest of the same name and digits, who gets the code afterwards', async () => {
    const { home, id } = await homeWithAnna();
    home.guests.remove(id);
    home.guests.add(ANNA, [FRONT]);
    await home.clock.advance(2 * MINUTE);
    expect(home.guests.list().map((guest) => [guest.isLeaving, home.kinds(guest.name)])).toEqual([
      [false, ['up-to-date']],
    ]);
    expect([typed(home, FRONT), typed(home, BACK)]).toEqual([true, false]);
  });
});

it('a guest whose former digits a list hides stays listed, although the service says that the other code is removed (faults#116)', async () => {
  const { home, id } = await homeWithAnna();
  const service = home.service(BACK);
  // From now on lists lack the first code.
  Object.assign(service, { emptyLists: 1_000, areHalfLists: true });
  home.guests.update(id, { pin: '0815' }, 1);
  home.app(BACK, (codes) => codes.map((code) => ({ ...code, id: accessCodeId('app'), name: 'Anne' })));
  await home.clock.advance(2_000);
  await decide(home, BACK, 'overwrite');
  home.guests.remove(id);
  await home.clock.advance(20_000);
  expect(service.codesOf.map(({ name }) => name)).toEqual(['Anne']);
  service.emptyLists = 0;
  await home.clock.advance(2 * MINUTE);
  expect([home.on(BACK)?.standing, typed(home, BACK)]).toEqual([ANNE_STAYS, true]);
});

it('a guest with the name and the digits that another guest had before gets one code, and loses it alone', async () => {
  const { home, id } = await homeWithAnna();
  home.guests.update(id, { name: 'Anna B', pin: '0815' }, 1);
  await home.clock.advance(MINUTE);
  home.guests.add(ANNA, [FRONT]);
  await home.clock.advance(5 * MINUTE);
  const codes = (): readonly string[] => home.service(FRONT).codesOf.map(({ name, pin }) => `${name} ${pin}`);
  expect([codes(), home.kinds('Anna'), home.kinds('Anna B')]).toEqual([
    ['Anna B 0815', 'Anna 4711'],
    ['up-to-date'],
    ['up-to-date', 'up-to-date'],
  ]);
  home.guests.remove(id);
  await home.clock.advance(5 * MINUTE);
  expect([codes(), home.guests.list().map(({ name }) => name)]).toEqual([['Anna 4711'], ['Anna']]);
});

it('a guest who is taken off one lock is shown for that lock with its code, and leaves it only after the code is gone', async () => {
  const { home, id } = await homeWithAnna();
  home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Anne' })));
  await home.clock.advance(2_000);
  await decide(home, FRONT, 'keep');
  home.guests.update(id, { locks: [BACK] }, 1);
  await home.clock.advance(5 * MINUTE);
  expect(home.on(FRONT)).toMatchObject({ isLeaving: true, standing: ANNE_STAYS });
  await decide(home, FRONT, 'overwrite');
  expect([home.on(FRONT), typed(home, FRONT), home.on(BACK)?.standing.kind]).toEqual([
    undefined,
    false,
    'up-to-date',
  ]);
});

it('a guest with hours of their own on a lock, removed while nobody knows whether the code got there, is removed from it unasked', async () => {
  const home = await homeOfTwo();
  home.service(FRONT).mishaps = ['lost-reply'];
  const windows = [{ days: ['Monday'], from: '08:00', until: '11:00' }] as const;
  home.guests.add(ANNA, [FRONT], { hoursOn: { [FRONT]: { kind: 'recurring', windows } } });
  await home.clock.advance(300);
  home.guests.remove(home.guests.list()[0]?.id ?? '');
  await home.clock.advance(180_000);
  expect(home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(['add', 'remove']);
  expect([home.service(FRONT).codesOf, home.guests.list()]).toEqual([[], []]);
});
