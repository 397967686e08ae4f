// A guest who comes in between stays, on the panel in a real browser: set up in six clicks, changed, and shown with the next hours.
import { describe, expect, test } from 'vitest';
import { lockId } from '../../src/domain/locks/lock.ts';
import { FinalError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay } from '../stand-ins/account/stays.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { aGuest, listCodes, onLock } from './scenes.ts';
import { seen } from './visitor.ts';

const [FRONT, BACK] = [
  aLock('Front door', { id: lockId('front') }),
  aLock('Back door', { id: lockId('back') }),
];
const FLATS = [
  aCalendar({ id: 'page:1', name: 'Flat 1', locks: [FRONT.id] }),
  aCalendar({ id: 'page:2', name: 'Flat 2', locks: [BACK.id] }),
];
/** Two hours of 16 April 2027 in Paris. */
const HOURS = {
  kind: 'temporary',
  from: Date.UTC(2027, 3, 16, 9),
  until: Date.UTC(2027, 3, 16, 13),
} as const;

describe.skipIf(CHROMIUM === undefined)('a guest who comes in between stays, on the panel', () => {
  const visit = panelVisits();

  const cleaner = aGuest('Cleaning', [onLock(BACK, { kind: 'up-to-date' })], {
    id: 'g7',
    locks: [BACK.id],
    revision: 4,
    schedule: HOURS,
    hoursOn: { [BACK.id]: HOURS },
    between: { calendars: ['page:2'], until: '18:00' },
  });

  const hold = (...guests: readonly (typeof cleaner)[]): void => {
    visit.account.hold(FRONT, BACK);
    visit.account.stays = { calendars: FLATS, stays: [aStay(0, 3)] };
    visit.account.guests = guests;
    listCodes(visit.account, () => ({}));
    for (const name of ['guests.add-between', 'guests.change-between'] as const) {
      visit.account.answers.set(name, () => ({ kind: 'saved', guest: cleaner }));
    }
  };

  test('is set up in six clicks from the open dashboard, to an hour that the host sets', async () => {
    hold();
    await visit.openLinked();
    const { visitor, page } = visit;
    await visitor.click(page.getByRole('link', { name: 'Stays', exact: true }));
    await visitor.click(visit.button('Add a cleaner'));
    await visitor.click(page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('Cleaning');
    await visitor.click(page.getByLabel('Flat 2', { exact: true }));
    const hour = page.getByLabel('At most until', { exact: true });
    await visitor.click(hour);
    await hour.fill('18:00');
    const pin = await page.getByLabel('Code', { exact: true }).inputValue();
    await visitor.click(visit.button('Add the cleaner'));
    expect(await seen(visit.words('Saved. Cleaning can be told this code:'))).toBe(true);
    expect(visitor.clicks).toBe(6);
    expect(pin).toMatch(/^\d{4}$/u);
    expect(visit.inputsOf('guests.add-between')).toEqual([
      { name: 'Cleaning', pin, calendars: ['page:2'], until: '18:00' },
    ]);
  });

  test('is not added without a calendar, and the reason of a refusal stands in the form', async () => {
    hold();
    const refusal = 'No check-out of these calendars is known.';
    visit.account.answers.set('guests.add-between', () => {
      throw new FinalError('bad-request', refusal);
    });
    await visit.openLinked('#stays');
    await visit.push('Add a cleaner');
    await visit.fill('Name', 'Cleaning');
    await visit.push('Add the cleaner');
    expect(await seen(visit.words('Choose at least one calendar.'))).toBe(true);
    expect(visit.inputsOf('guests.add-between')).toEqual([]);
    await visit.page.getByLabel('Flat 1', { exact: true }).check();
    await visit.push('Add the cleaner');
    expect(await seen(visit.words(refusal))).toBe(true);
    expect(await axeFaults(visit.page)).toEqual([]);
  });

  test('shows the next hours, and gets another calendar or hour by its own form', async () => {
    hold(cleaner);
    await visit.openLinked('#codes');
    const when = /Between stays, until 6:00\sPM at the latest\. Next: .*11:00.*3:00/u;
    expect(await seen(visit.person('Cleaning').getByText(when))).toBe(true);
    await visit.choose('Change', 'Cleaning');
    const { page } = visit;
    expect(await page.getByLabel('At most until').inputValue()).toBe('18:00');
    expect(await page.getByLabel('Flat 2', { exact: true }).isChecked()).toBe(true);
    await page.getByLabel('Flat 1', { exact: true }).check();
    await page.getByLabel('At most until').fill('');
    await visit.push('Save');
    await expect
      .poll(() => visit.inputsOf('guests.change-between'))
      .toEqual([{ guest: 'g7', revision: 4, changes: {}, calendars: ['page:2', 'page:1'], until: null }]);
  });

  test('says that there are no hours while none are known', async () => {
    const { hoursOn: _hoursOn, ...without } = cleaner;
    hold({ ...without, onLocks: [], locks: [] });
    await visit.openLinked('#codes');
    expect(await seen(visit.person('Cleaning').getByText('Between stays: no hours at the moment'))).toBe(
      true,
    );
  });
});
