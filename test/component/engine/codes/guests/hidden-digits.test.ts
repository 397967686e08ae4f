// A service may hide the digits in its lists: such a list says nothing about them, and the service's word on each command counts.
import { describe, expect, it } from 'vitest';
import { accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import { ANNA, CodeHome, DOOR, FRONT, GuestHome } from '../../../../homes/codes-home.ts';

const OTHERS = { ...ANNA, pin: '0815' };
const MINUTE = 60_000;

/** A home with Anna on one lock, whose lists show this in place of digits. */
async function homeThatHides(shown: string): Promise<{ readonly home: GuestHome; readonly id: string }> {
  const home = new GuestHome(FRONT);
  home.service(FRONT).hides = shown;
  await home.clock.advance(4_000);
  home.guests.add(ANNA, 'all');
  await home.clock.advance(10_000);
  return { home, id: home.guests.list()[0]?.id ?? '' };
}

const sentTo = (home: GuestHome): readonly string[] => home.service(FRONT).sent.map(({ kind }) => kind);

function withDigits(home: GuestHome, id: string): void {
  home.guests.update(id, { pin: OTHERS.pin }, home.guests.list()[0]?.revision ?? 0);
}

describe.each([['nothing'], ['****']])('where a list of codes has %s in place of the digits', (words) => {
  const shown = words === 'nothing' ? '' : words;

  it('a guest whom the service took is up to date, is asked for once, and after a restart, too', async () => {
    const { home } = await homeThatHides(shown);
    expect(home.kinds()).toEqual(['up-to-date']);
    await home.crash();
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), sentTo(home)]).toEqual([['up-to-date'], ['add']]);
  });

  it('other digits are sent once, and are up to date by the word of the service', async () => {
    const { home, id } = await homeThatHides(shown);
    withDigits(home, id);
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), sentTo(home), home.has(FRONT, OTHERS)]).toEqual([
      ['up-to-date'],
      ['add', 'update'],
      true,
    ]);
  });

  it.each([
    ['was lost', 'lost-request'],
    ['was done, and its answer lost', 'lost-reply'],
  ] as const)('other digits whose request %s are sent until the service says so', async (_, mishap) => {
    const { home, id } = await homeThatHides(shown);
    home.service(FRONT).mishaps = [mishap];
    withDigits(home, id);
    await home.clock.advance(MINUTE);
    expect(home.kinds()).toEqual(['waiting']);
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), home.has(FRONT, OTHERS)]).toEqual([['up-to-date'], true]);
    expect(home.service(FRONT).sent.at(-1)).toMatchObject({ kind: 'update', changes: { pin: OTHERS.pin } });
  });

  it('a guest whose adding was done, and its answer lost, is found by name, and the digits are sent once more', async () => {
    const home = new GuestHome(FRONT);
    home.service(FRONT).hides = shown;
    home.service(FRONT).refusesDoubles = true;
    home.service(FRONT).mishaps = ['lost-reply'];
    await home.clock.advance(4_000);
    home.guests.add(ANNA, 'all');
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), sentTo(home), home.has(FRONT, ANNA)]).toEqual([
      ['up-to-date'],
      ['add', 'update'],
      true,
    ]);
  });

  it('another name in the lock’s app is a difference of the name alone', async () => {
    const { home } = await homeThatHides(shown);
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Anne' })));
    await home.clock.advance(5_000);
    expect(home.on(FRONT)?.standing).toMatchObject({ kind: 'differs', fields: ['name'] });
  });

  it('the digits of a guest can be shown, and of another code it is said that they are hidden', async () => {
    const { home } = await homeThatHides(shown);
    const foreign = accessCodeId('foreign');
    home.app(FRONT, (codes) => [...codes, { ...OTHERS, name: 'Bob', id: foreign, readOnly: false }]);
    await home.clock.advance(5_000);
    const { codes } = await home.codes.list(FRONT);
    expect(codes.map(({ pinLength }) => pinLength)).toEqual([4, 0]);
    await expect(home.codes.reveal(FRONT, codes[0]?.id ?? foreign)).resolves.toBe(ANNA.pin);
    await expect(home.codes.reveal(FRONT, foreign)).rejects.toMatchObject({ code: 'not-permitted' });
  });

  it('a guest is removed by id, and gone', async () => {
    const { home, id } = await homeThatHides(shown);
    home.guests.remove(id);
    await home.clock.advance(5 * MINUTE);
    expect([home.guests.list(), home.service(FRONT).codesOf]).toEqual([[], []]);
  });

  it('a code of somebody else with the guest’s name is never taken for the guest’s', async () => {
    const home = new GuestHome(FRONT);
    home.service(FRONT).hides = shown;
    home.service(FRONT).codesOf = [{ ...OTHERS, id: accessCodeId('foreign'), readOnly: false }];
    await home.clock.advance(4_000);
    home.guests.add(ANNA, 'all');
    await home.clock.advance(10 * MINUTE);
    expect([home.kinds(), sentTo(home), home.has(FRONT, OTHERS)]).toEqual([['refused'], [], true]);
  });

  it('single codes are added, changed and removed', async () => {
    const home = new CodeHome();
    home.service.hides = shown;
    await home.asked(home.codes.add(DOOR, ANNA));
    await home.clock.advance(10_000);
    const [code] = (await home.asked(home.codes.list(DOOR))).codes;
    await home.asked(home.codes.update(DOOR, code?.id ?? accessCodeId(''), { pin: '0815' }, code?.revision));
    await home.clock.advance(10_000);
    expect(home.has(DOOR, OTHERS)).toBe(true);
    await home.asked(home.codes.remove(DOOR, code?.id ?? accessCodeId('')));
    await home.clock.advance(10_000);
    expect(home.codes.operations().map(({ phase }) => phase)).toEqual(['done', 'done', 'done']);
  });
});
