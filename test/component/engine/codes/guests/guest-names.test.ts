// Guests are called as they are called: their codes have names that a lock can store, and are never taken for another's.
import { expect, it } from 'vitest';
import type { CodeDraft } from '../../../../../src/domain/codes/access-code.ts';
import { ANNA, BACK, FRONT, type GuestHome, homeOfTwo } from '../../../../homes/codes-home.ts';

const called = (name: string, pin = ANNA.pin): CodeDraft => ({ ...ANNA, name, pin });

/** Who is called how on the locks. */
const names = (home: GuestHome) => home.guests.list().map(({ name, nameOnLock }) => [name, nameOnLock]);

const stored = (home: GuestHome): readonly string[] => home.service(FRONT).codesOf.map(({ name }) => name);

it('a guest of any script has a code with a name that the lock can store, over restarts and renames without a command', async () => {
  const home = await homeOfTwo();
  home.guests.add(called('安娜'), 'all');
  home.guests.add(called('Анна', '4712'), 'all');
  await home.clock.advance(20_000);
  expect(stored(home).toSorted()).toEqual(['Guest', 'Guest B']);
  expect(home.kinds('Анна')).toEqual(['up-to-date', 'up-to-date']);
  await home.crash();
  await home.clock.advance(10_000);
  expect(names(home)).toEqual([
    ['安娜', 'Guest'],
    ['Анна', 'Guest B'],
  ]);
  const sent = home.service(FRONT).sent.length;
  const [, guest] = home.guests.list();
  home.guests.update(guest?.id ?? '', { name: 'Анна К.' }, guest?.revision ?? 0);
  await home.clock.advance(20_000);
  expect(names(home)[1]).toEqual(['Анна К.', 'Guest B']);
  expect(home.service(FRONT).sent).toHaveLength(sent);
});

it('two guests never have one name on a lock because one is written otherwise, also on different locks', async () => {
  const home = await homeOfTwo();
  home.guests.add(called('Müller'), [FRONT]);
  home.guests.add(called('Muller', '4712'), [BACK]);
  await home.clock.advance(20_000);
  expect(names(home)).toEqual([
    ['Müller', 'Muller'],
    ['Muller', 'Muller B'],
  ]);
});

it('a name that a code of the lock has already is not given to a guest', async () => {
  const home = await homeOfTwo();
  home.app(FRONT, (codes) => [
    ...codes,
    { ...ANNA, id: 'x' as never, name: 'guest', pin: '9999', readOnly: false },
  ]);
  await home.guests.compareAll();
  await home.codes.list(FRONT);
  home.guests.add(called('安娜'), [FRONT]);
  await home.clock.advance(20_000);
  expect(names(home)).toEqual([['安娜', 'Guest B']]);
  expect(home.kinds()).toEqual(['up-to-date']);
});

it('a code is its guest’s by its id alone', async () => {
  const home = await homeOfTwo();
  home.guests.add(called('安娜'), [FRONT]);
  await home.clock.advance(20_000);
  const codeId = home.on(FRONT)?.codeId ?? '';
  expect(home.guests.calledBy(FRONT, codeId)).toBe('安娜');
  expect([home.guests.calledBy(BACK, codeId), home.guests.calledBy(FRONT, 'another')]).toEqual([null, null]);
});

it('another guest of the same name is refused, and one without a name', async () => {
  const home = await homeOfTwo();
  home.guests.add(called('Анна'), 'all');
  expect(home.guests.add(called('анна', '4712'), [FRONT])).toMatchObject({
    faults: [{ field: 'name', reason: 'code-name-exists' }],
  });
  expect(home.guests.add(called('\u200b', '4712'), [FRONT])).toMatchObject({
    faults: [{ field: 'name', reason: 'code-name-missing' }],
  });
});
