// A file that is older than the locks lets nobody in: after a restore, a snapshot or a volume, "no" outlives "yes" (faults#148).
import { describe, expect, it } from 'vitest';
import type { MoveMark } from '../../../../../src/storage/account/move-mark.ts';
import { ANNA, BACK, FRONT, GuestHome, homeWithAnna } from '../../../../homes/codes-home.ts';

const MINUTE = 60_000;
const BOB = { name: 'Bob', pin: '2580', schedule: { kind: 'always' } } as const;

/** As `latchkey restore` leaves it: the file as it was, with the mark of the restore. */
async function restored(home: GuestHome, putBack: () => void, madeAt: number): Promise<void> {
  const mark: MoveMark = { kind: 'restored', at: home.clock.now(), madeAt, stopped: false };
  await home.replaced(() => {
    putBack();
    home.settings.write('move', mark);
  });
  await home.clock.advance(5 * MINUTE);
}

const pins = (home: GuestHome, id = FRONT): readonly string[] =>
  home.service(id).codesOf.map(({ pin }) => pin);

describe('after a restore of an older backup (faults#148)', () => {
  it('the code of a guest who was removed since is not put on a lock that had been offline', async () => {
    const { home, id } = await homeWithAnna();
    home.connect(FRONT, false);
    home.guests.add(BOB, [FRONT]);
    await home.clock.advance(MINUTE);
    const putBack = home.copy();
    const bob = home.guests.list().find(({ name }) => name === 'Bob')?.id ?? '';
    home.guests.remove(bob);
    await home.clock.advance(MINUTE);
    expect(home.guests.list().map((guest) => guest.id)).toEqual([id]);
    await restored(home, putBack, home.clock.now());
    home.connect(FRONT, true);
    await home.clock.advance(10 * MINUTE);
    expect([pins(home), home.on(FRONT, 'Bob')?.standing]).toEqual([[ANNA.pin], { kind: 'proposed' }]);
    expect(home.lines.join('\n')).toContain('latchkey codes confirm');
    // A person says yes, and it goes on.
    home.guests.confirm();
    await home.clock.advance(MINUTE);
    expect([pins(home), home.kinds('Bob'), home.guests.oldFile()]).toEqual([
      [ANNA.pin, BOB.pin],
      ['up-to-date'],
      null,
    ]);
  });

  it('a guest whose removal was under way is shown as a question, and removed when a person says so', async () => {
    const { home, id } = await homeWithAnna();
    const putBack = home.copy();
    home.connect(FRONT, false);
    home.guests.remove(id);
    await home.clock.advance(MINUTE);
    await restored(home, putBack, home.clock.now());
    home.connect(FRONT, true);
    await home.clock.advance(MINUTE);
    expect([home.guests.list()[0]?.isProposed, home.kinds()]).toEqual([true, ['proposed', 'proposed']]);
    home.guests.remove(id);
    await home.clock.advance(5 * MINUTE);
    expect([home.guests.list(), pins(home), pins(home, BACK)]).toEqual([[], [], []]);
  });

  it('an operation that the backup has under way puts no code on a lock', async () => {
    const { home } = await homeWithAnna();
    home.service(FRONT).mishaps = ['lost-request'];
    await home.codes.add(FRONT, BOB);
    await home.clock.advance(1_000);
    const putBack = home.copy();
    await home.clock.advance(MINUTE);
    await restored(home, putBack, home.clock.now());
    expect(pins(home)).toEqual([ANNA.pin]);
    expect(home.codes.operations().at(-1)).toMatchObject({ phase: 'failed' });
  });

  it('a code that was on its way, of which the backup knows nothing, is not added a second time after a quick yes (faults#71)', async () => {
    const home = new GuestHome(FRONT);
    await home.clock.advance(4_000);
    home.guests.add(ANNA, [FRONT]);
    const putBack = home.copy();
    home.service(FRONT).mishaps = ['held'];
    await home.clock.advance(1_000);
    const mark = { kind: 'restored', at: home.clock.now(), madeAt: home.clock.now(), stopped: false };
    await home.replaced(() => {
      putBack();
      home.settings.write('move', mark);
    });
    home.guests.confirm();
    await home.clock.advance(5 * MINUTE);
    expect([pins(home), home.kinds()]).toEqual([[ANNA.pin], ['up-to-date']]);
  });

  it('a person is asked again after the next one, and once only after each', async () => {
    const { home, id } = await homeWithAnna();
    const putBack = home.copy();
    await restored(home, putBack, home.clock.now());
    home.guests.confirm([id]);
    await home.crash();
    await home.clock.advance(MINUTE);
    expect(home.kinds()).toEqual(['up-to-date', 'up-to-date']);
    await restored(home, putBack, home.clock.now());
    expect(home.kinds()).toEqual(['proposed', 'proposed']);
  });

  it('who was being removed goes on to be removed', async () => {
    const { home, id } = await homeWithAnna();
    home.connect(FRONT, false);
    home.guests.remove(id);
    await home.clock.advance(MINUTE);
    await restored(home, home.copy(), home.clock.now());
    home.connect(FRONT, true);
    await home.clock.advance(5 * MINUTE);
    expect([home.guests.list(), pins(home)]).toEqual([[], []]);
  });
});

describe('a snapshot or a volume that is put back unseen (faults#148)', () => {
  it('shows itself by the history of the lock before a code is put there', async () => {
    const { home } = await homeWithAnna();
    home.connect(FRONT, false);
    home.guests.add(BOB, [FRONT]);
    await home.clock.advance(11 * MINUTE);
    const putBack = home.copy();
    home.connect(FRONT, true);
    await home.clock.advance(5 * MINUTE);
    const bob = home.guests.list().find(({ name }) => name === 'Bob')?.id ?? '';
    home.guests.remove(bob);
    await home.clock.advance(30 * MINUTE);
    expect(pins(home)).toEqual([ANNA.pin]);
    await home.replaced(putBack);
    await home.clock.advance(10 * MINUTE);
    expect([pins(home), home.kinds('Bob'), home.guests.oldFile()?.because]).toEqual([
      [ANNA.pin],
      ['proposed'],
      'changed',
    ]);
  });

  it('shows itself when the service no longer takes its sign-in, and the account is connected again', async () => {
    const { home } = await homeWithAnna();
    for (const state of ['revoked', 'linked'] as const) {
      home.link = state;
      home.bus.publish({ type: 'link-changed', state });
    }
    await home.clock.advance(MINUTE);
    expect([home.kinds(), home.guests.oldFile()?.because]).toEqual([['proposed', 'proposed'], 'sign-in']);
  });
});

it('an ordinary restart asks nothing, however long it takes', async () => {
  const { home } = await homeWithAnna();
  home.connect(FRONT, false);
  home.guests.add(BOB, [FRONT]);
  await home.clock.advance(11 * MINUTE);
  await home.crash(600 * MINUTE);
  home.connect(FRONT, true);
  await home.clock.advance(10 * MINUTE);
  expect([pins(home), home.guests.oldFile()]).toEqual([[ANNA.pin, BOB.pin], null]);
});

it('a restart asks nothing about what it changes itself before the locks are listed', async () => {
  const { home } = await homeWithAnna();
  home.guests.add(BOB, [FRONT]);
  await home.clock.advance(5 * MINUTE);
  home.connect(FRONT, false);
  home.guests.remove(home.guests.list().find(({ name }) => name === 'Bob')?.id ?? '');
  await home.clock.advance(60 * MINUTE);
  home.listedEveryMs = 60 * MINUTE;
  await home.clock.advance(2 * MINUTE);
  await home.crash();
  home.connect(FRONT, true);
  await home.clock.advance(5 * MINUTE);
  expect(pins(home)).toEqual([ANNA.pin]);
  home.guests.add(BOB, [FRONT]);
  await home.clock.advance(5 * MINUTE);
  expect([pins(home), home.guests.oldFile()]).toEqual([[ANNA.pin, BOB.pin], null]);
});

it('a restart asks nothing about a command of which the lock had not answered yet', async () => {
  const { home } = await homeWithAnna();
  await home.clock.advance(60 * MINUTE);
  home.service(FRONT).mishaps = ['never-ends'];
  home.guests.add(BOB, [FRONT]);
  await home.clock.advance(2_000);
  expect(pins(home)).toEqual([ANNA.pin, BOB.pin]);
  await home.crash();
  await home.clock.advance(5 * MINUTE);
  home.guests.add({ ...BOB, name: 'Cara', pin: '8642' }, [FRONT]);
  await home.clock.advance(5 * MINUTE);
  expect([pins(home), home.guests.oldFile()]).toEqual([[ANNA.pin, BOB.pin, '8642'], null]);
});

it('proposals that cannot be stored let nobody in either, and are asked about again', async () => {
  const { home } = await homeWithAnna();
  home.connect(FRONT, false);
  home.guests.add(BOB, [FRONT]);
  await home.clock.advance(MINUTE);
  home.settings.write('move', { kind: 'restored', at: home.clock.now(), madeAt: 0, stopped: false });
  home.values.isFailing = true;
  home.settings.isFailing = true;
  await home.crash();
  home.connect(FRONT, true);
  await home.clock.advance(MINUTE);
  expect(pins(home)).toEqual([ANNA.pin]);
  home.values.isFailing = false;
  home.settings.isFailing = false;
  await home.crash();
  await home.clock.advance(5 * MINUTE);
  expect([pins(home), home.kinds('Bob')]).toEqual([[ANNA.pin], ['proposed']]);
});
