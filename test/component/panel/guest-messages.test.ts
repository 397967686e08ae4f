// Messages to guests of a whole account: a code that a lock does not have is always said, and one that opens nothing is not told.
import { describe, expect, it } from 'vitest';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { AccountRuntime } from '../../../src/engine/account-runtime.ts';
import { GuestMessages } from '../../../src/panel/guest-messages.ts';
import type { GuestMessageView } from '../../../src/panel/views/messages.ts';
import { ENGLISH } from '../../../src/words/translate.ts';
import { HOUR_MS, MINUTE_MS, StayAccount } from '../../homes/stay-account.ts';
import { inWords } from '../../support/in-words.ts';

const NOT_YET = (doors: string): string => `The code does not work yet at: ${doors}. Please wait`;

interface Account {
  readonly at: StayAccount;
  readonly front: LockId;
  readonly back: LockId;
  /** The message to the guest of that name, or of the first stay. */
  readonly message: (name?: string) => Promise<GuestMessageView>;
  readonly add: (name: string, schedule?: object) => Promise<void>;
}

async function account(): Promise<Account> {
  const at = await StayAccount.open([{ arrival: 1, nights: 2, phone: '+44 7700 900202' }]);
  const [front, back] = at.locks;
  if (front === undefined || back === undefined) {
    throw new Error('There are no two locks.');
  }
  const { operations } = at.home.app;
  const message = async (name?: string): Promise<GuestMessageView> => {
    if (name === undefined) {
      const [stay] = await at.stays();
      return operations['stays.message']({ stay: stay?.id ?? '', language: 'en' });
    }
    const guest = (await operations['guests.list']({})).find((one) => one.name === name);
    return operations['guests.message']({ guest: guest?.id ?? '', language: 'en' });
  };
  const add = async (name: string, schedule: object = { kind: 'always' }): Promise<void> => {
    const draft = { name, pin: '5839', schedule };
    await at.home.answered(operations['guests.add']({ draft, locks: [front, back] }));
  };
  return { at, front, back, message, add };
}

/** What a message says of the locks: in its text, and to the host. */
const said = ({ text, missing, notice }: GuestMessageView) => ({
  isSaid:
    missing.length === 0
      ? !text.includes('does not work yet')
      : text.includes(NOT_YET(missing.join(' and '))),
  missing,
  isToldToHost: notice !== null,
});

const ALL_THERE = { isSaid: true, missing: [], isToldToHost: false };
const lacking = (...missing: readonly string[]) => ({ isSaid: true, missing, isToldToHost: true });

describe('a message to a guest', () => {
  it('says each lock that does not have the code: just saved, sent, on the locks', async () => {
    const { at, message, add } = await account();
    await add('Anna');
    expect(said(await message('Anna'))).toEqual(lacking('Front door', 'Back door'));
    await at.home.clock.advance(MINUTE_MS);
    expect(said(await message('Anna'))).toEqual(ALL_THERE);
  });

  it('says a lock that is offline, to a guest and to a guest of a stay', async () => {
    const { at, back, message, add } = await account();
    at.home.simulator.world.cutWifi(back, 0);
    await at.home.clock.advance(2 * MINUTE_MS);
    await add('Anna');
    await at.home.clock.advance(2 * MINUTE_MS);
    expect(said(await message('Anna'))).toEqual(lacking('Back door'));
    await at.addCalendar();
    await at.home.clock.advance(2 * MINUTE_MS);
    expect(said(await message())).toEqual(lacking('Back door'));
  });

  it('says a lock that refused the code', async () => {
    const { at, front, message, add } = await account();
    const draft = { name: 'Anna', pin: '8531', schedule: { kind: 'always' } };
    await at.home.answered(at.home.app.operations['codes.add']({ lock: front, draft }));
    await at.home.clock.advance(MINUTE_MS);
    await add('Anna');
    await at.home.clock.advance(MINUTE_MS);
    expect(said(await message('Anna'))).toEqual(lacking('Front door'));
  });

  it('says a change of digits until every lock has it', async () => {
    const { at, message, add } = await account();
    await add('Anna');
    await at.home.clock.advance(MINUTE_MS);
    const { operations } = at.home.app;
    const [guest] = await operations['guests.list']({});
    const change = { guest: guest?.id ?? '', revision: guest?.revision ?? 0, changes: { pin: '6174' } };
    await at.home.answered(operations['guests.update'](change));
    const fresh = await message('Anna');
    expect(fresh.text).toContain('6174');
    expect(said(fresh)).toEqual(lacking('Front door', 'Back door'));
  });

  it('is not written for hours that are over, or for a stay that is skipped', async () => {
    const { at, message, add } = await account();
    const now = at.home.clock.now();
    await add('Anna', { kind: 'temporary', from: now, until: now + HOUR_MS });
    await at.addCalendar();
    await at.home.clock.advance(2 * HOUR_MS);
    await expect(message('Anna')).rejects.toMatchObject({ code: 'refused' });
    const [stay] = await at.stays();
    await at.home.app.operations['stays.skip']({ stay: stay?.id ?? '' });
    await expect(message()).rejects.toMatchObject({ code: 'refused' });
  });

  it('is not written where no lock of the account is left for the guest, although there are digits', () => {
    const facts = { guest: null, flat: 'Flat', doors: [], template: '', language: null, timeZone: 'UTC' };
    const guestOf = () => ({ ...facts, when: { kind: 'always' as const }, pin: '0417' });
    const runtime = { serviceNow: () => 0, guests: {} } as unknown as AccountRuntime;
    const messages = new GuestMessages({
      runtime,
      guestOf,
      assertOwned: () => {},
      languageOf: () => ENGLISH,
    });
    expect(() => messages.ofStay('s1', null, 'en')).toThrow('no code on a lock');
  });

  it('says the hours of each door to a guest who comes between stays', async () => {
    const { at, message } = await account();
    await at.addCalendar();
    const { operations } = at.home.app;
    const [calendar = ''] = (await operations['stays.list']({})).calendars.map(({ id }) => id);
    const cleaner = { name: 'Cleaning', pin: '8402', calendars: [calendar], until: '18:00' };
    await at.home.answered(operations['guests.add-between'](cleaner));
    await at.home.clock.advance(MINUTE_MS);
    const { text } = inWords(await message('Cleaning')) as { text: string };
    expect(text).toContain('Your code for Front door and Back door: 8402');
    expect(text).toContain(
      'The hours change with the stays. The next ones:\nFront door and Back door: It opens from Fri, Apr 17, 11:00 to Fri, Apr 17, 18:00.',
    );
  });
});
