// Stays on the panel, in a real browser: calendars, obstacles, codes by hand, and decisions of a person.
import { afterEach, describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import type { StayView } from '../../src/features/stays/panel/views.ts';
import { systemClock } from '../../src/support/clock.ts';
import { FinalError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay, dayThere, someStays, stayGuests } from '../stand-ins/account/stays.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { BLOCK, listCodes } from './scenes.ts';
import { gone, seen } from './visitor.ts';

const ADDRESS = 'https://calendar.portal.example/ical/1.ics?s=secret';
const FRONT = aLock('Front door');
const BACK = aLock('Back door');

describe.skipIf(CHROMIUM === undefined)('stays on the panel', () => {
  const visit = panelVisits();

  const hold = (...stays: readonly StayView[]): void => {
    visit.account.hold(FRONT, BACK);
    visit.account.stays = stays.length === 0 ? someStays() : { calendars: [aCalendar()], stays };
    visit.account.guests = stays.length === 0 ? stayGuests() : [];
    listCodes(visit.account, () => ({}));
    visit.account.answers.set('stays.reveal', () => ({ pin: '0417' }));
    for (const name of ['stays.skip', 'stays.hours', 'stays.new-code'] as const) {
      visit.account.answers.set(name, () => ({ kind: 'saved', stays: visit.account.stays }));
    }
  };

  /** The calendar of a page once it is added. */
  const taking = (): void => {
    visit.account.answers.set('stays.add-calendar', () => {
      visit.account.stays = { calendars: [aCalendar({ lastGoodAt: null })], stays: [] };
      return { kind: 'saved', stays: visit.account.stays };
    });
    visit.account.answers.set('stays.read', () => visit.account.stays);
  };

  afterEach(async () => {
    // No page ever shows or keeps an address.
    if ((await visit.page.content()).includes('secret')) {
      throw new Error('The page holds the address of a calendar.');
    }
  });

  test('stays begin with one button, and a calendar is added with five clicks and one paste', async () => {
    visit.account.hold(FRONT, BACK);
    taking();
    await visit.openLinked();
    const { visitor, page } = visit;
    await visitor.click(page.getByRole('link', { name: 'Stays', exact: true }));
    expect(await seen(visit.words('every guest gets a code of their own'))).toBe(true);
    await visitor.click(page.getByRole('button', { name: 'Add a calendar' }));
    await visitor.click(page.getByLabel('Address of the calendar'));
    await visit.fill('Address of the calendar', ADDRESS);
    await visitor.click(page.getByLabel('Back door'));
    await visitor.click(page.getByRole('button', { name: 'Save' }));
    expect(await seen(visit.words('Not read yet.'))).toBe(true);
    expect(visitor.clicks).toBe(5);
    expect(visit.inputsOf('stays.add-calendar')).toEqual([
      { name: 'Back door', address: ADDRESS, locks: [BACK.id] },
    ]);
    await expect.poll(() => visit.inputsOf('stays.read')).toEqual([{ calendar: 'page:1' }]);
  });

  test('the form of a calendar names missing and refused values at their fields, also within a folded part', async () => {
    visit.account.hold(FRONT, BACK);
    const words = 'The check-in leaves no time between check-out and check-in.';
    visit.account.answers.set('stays.add-calendar', () => ({
      kind: 'invalid',
      faults: [
        { field: 'address', words: 'The address is not an address; copy the whole address.' },
        { field: 'checkIn', words },
      ],
    }));
    await visit.openLinked('#stays');
    await visit.push('Add a calendar');
    await visit.push('Save');
    expect(await seen(visit.words('Paste the address of the calendar.'))).toBe(true);
    expect(await seen(visit.words('Choose at least one lock.'))).toBe(true);
    expect(visit.inputsOf('stays.add-calendar')).toEqual([]);
    await visit.fill('Address of the calendar', 'calendar');
    await visit.page.getByLabel('Front door').check();
    expect(await visit.page.getByLabel('Check-in', { exact: true }).count()).toBe(0);
    await visit.push('Save');
    expect(await seen(visit.words('The address is not an address'))).toBe(true);
    expect(await seen(visit.words(words))).toBe(true);
  });

  test('stays show of each calendar when it was read, its fault, and what follows from that', async () => {
    hold();
    const doubt = { lost: 3, believedAt: systemClock.now() + 3_600_000 };
    const words = 'The calendar suddenly lacks 3 stays.';
    visit.account.stays = {
      ...visit.account.stays,
      calendars: [
        ...visit.account.stays.calendars,
        aCalendar({ id: 'page:3', trouble: message(words), doubt }),
      ],
    };
    await visit.openLinked('#stays');
    expect(await seen(visit.words(/Last read .*\. Next reading .*\. 4 stays, 1 entry blocked/u))).toBe(true);
    expect(await seen(visit.words("The portal doesn't know this calendar (HTTP 404)."))).toBe(true);
    expect(await seen(visit.words('Stays and their codes are left as they are.'))).toBe(true);
    expect(await seen(visit.words(/it is believed at .* Until then nothing is removed\./u))).toBe(true);
  });

  test('calendars are read, checked, changed without their address, and removed after a question', async () => {
    hold();
    visit.account.answers.set('stays.read', () => visit.account.stays);
    visit.account.answers.set('stays.check', () => [
      {
        calendarId: 'page:1',
        calendarName: 'Garden flat',
        kind: 'read',
        words: null,
        counts: { stays: 2, notStays: 0, leftOut: 1 },
        changes: { added: 1, moved: 0, cancelled: 0, doubted: 0 },
      },
    ]);
    for (const name of ['stays.change-calendar', 'stays.remove-calendar'] as const) {
      visit.account.answers.set(name, () => ({ kind: 'saved', stays: visit.account.stays }));
    }
    await visit.openLinked('#stays');
    await visit.choose('Read now', 'Garden flat');
    await expect.poll(() => visit.inputsOf('stays.read')).toEqual([{ calendar: 'page:1' }]);
    await visit.choose('Check', 'Garden flat');
    expect(await seen(visit.words('can be read: 2 stays, 1 entry left out. It would change: 1 new.'))).toBe(
      true,
    );
    await visit.choose('Change', 'Garden flat');
    const address = visit.page.getByLabel('Address of the calendar');
    expect(await address.getAttribute('placeholder')).toBe('Saved');
    expect(await address.getAttribute('type')).toBe('password');
    await visit.page.getByRole('dialog').getByText('More', { exact: true }).click();
    await visit.fill('Check-in', '16:00');
    await visit.push('Save');
    await expect
      .poll(() => visit.inputsOf('stays.change-calendar'))
      .toEqual([{ calendar: 'page:1', change: { checkIn: '16:00' } }]);
    await visit.choose('Remove', 'Garden flat');
    expect(await seen(visit.words('Coming stays lose their codes.'))).toBe(true);
    expect(visit.inputsOf('stays.remove-calendar')).toEqual([]);
    await visit.confirm('Remove', 'Garden flat');
    await expect.poll(() => visit.inputsOf('stays.remove-calendar')).toEqual([{ calendar: 'page:1' }]);
  });

  test('calendars of config.json lack the controls that only the file has', async () => {
    hold();
    const written = aCalendar({
      id: 'config:flat',
      name: 'Flat',
      from: 'config',
      addressFrom: null,
      host: null,
    });
    visit.account.stays = { calendars: [written], stays: [] };
    visit.account.answers.set('stays.change-calendar', () => ({ kind: 'saved', stays: visit.account.stays }));
    visit.account.answers.set('stays.read', () => visit.account.stays);
    await visit.openLinked('#stays');
    await visit.push('More, Flat');
    expect(await visit.button('Remove, Flat').count()).toBe(0);
    await visit.push('Enter the address, Flat');
    expect(await visit.page.getByLabel('Front door').count()).toBe(0);
    await visit.fill('Address of the calendar', ADDRESS);
    await visit.push('Save');
    await expect
      .poll(() => visit.inputsOf('stays.change-calendar'))
      .toEqual([{ calendar: 'config:flat', change: { address: ADDRESS } }]);
  });

  test('stays stand by their time, with the words of the booking, their state, and their obstacles', async () => {
    hold();
    await visit.openLinked('#stays');
    const now = visit.page.getByRole('table', { name: 'Stays: Staying now' });
    expect(await seen(now.getByText('Reserved: Anna K (HM123)'))).toBe(true);
    expect(await seen(now.getByText(/^Arrived /u))).toBe(true);
    const coming = visit.page.getByRole('table', { name: 'Stays: Coming' });
    await expect.poll(async () => coming.getByRole('rowgroup').count()).toBe(4);
    const bob = visit.person('Stay of Bob');
    expect(await bob.innerText()).toContain('Code not on every lock');
    // Said once, with the lock.
    await expect.poll(async () => bob.getByText('The lock is offline.').count()).toBe(1);
    expect(await visit.person('Stay of Dora').innerText()).toContain('Skipped, no code');
    expect(await visit.person('Stay of the Lunds').count()).toBe(0);
    await visit.words('1 ended stay').click();
    expect(await visit.person('Stay of the Lunds').innerText()).toContain('Ended, code gone');
  });

  test('stays follow the reports of the plugin', async () => {
    hold(aStay(1, 3, { name: 'Stay of Bob', phase: 'preparing' }));
    await visit.openLinked('#stays');
    expect(await seen(visit.words('Adding the code …'))).toBe(true);
    visit.account.stays = {
      calendars: [aCalendar()],
      stays: [aStay(1, 3, { name: 'Stay of Bob', phase: 'ready' })],
    };
    visit.account.publish({ type: 'stays' });
    expect(await seen(visit.words('Code ready on every lock'))).toBe(true);
  });

  test('stays ask what entries in the words of blocked nights are, with two buttons', async () => {
    const question = { titles: ['CLOSED - Not available'] };
    for (const [button, are] of [
      ['These are bookings', 'bookings'],
      ['These are blocked nights', 'blocked'],
    ] as const) {
      hold();
      visit.account.stays = { calendars: [aCalendar({ question })], stays: [] };
      visit.account.answers.set('stays.answer', () => {
        visit.account.stays = { calendars: [aCalendar()], stays: [] };
        return visit.account.stays;
      });
      await visit.openLinked('#stays');
      expect(await seen(visit.words('No stay was found, but entries called "CLOSED - Not available".'))).toBe(
        true,
      );
      await visit.push(button);
      await expect.poll(() => visit.inputsOf('stays.answer').at(-1)).toEqual({ calendar: 'page:1', are });
      expect(await gone(visit.words('No stay was found'))).toBe(true);
    }
  });

  test('stays offer the code in reserve where the own one is not there, and say that the guest has it', async () => {
    hold(aStay(0, 2, { name: 'Stay of Bob', phase: 'preparing', reserve: 'offered' }));
    visit.account.answers.set('stays.use-reserve', () => {
      const stay = aStay(0, 2, { name: 'Stay of Bob', phase: 'preparing', reserve: 'taken', code: 'hidden' });
      visit.account.stays = { calendars: [aCalendar()], stays: [stay] };
      return { kind: 'saved', stays: visit.account.stays };
    });
    await visit.openLinked('#stays');
    await visit.push('Use the code in reserve, Stay of Bob');
    expect(await seen(visit.words('The guest has the code in reserve.'))).toBe(true);
    expect(visit.inputsOf('stays.use-reserve')).toEqual([{ stay: 's0' }]);
    await visit.choose('Show the code', 'Stay of Bob');
    expect(await seen(visit.words('0417'))).toBe(true);
  });

  test('the overview names a stay whose guest could not come in, and leads to the stays', async () => {
    const alarms = [
      message('The code is not on every lock.'),
      message('{lock}: {words}', { lock: 'Front door', words: message('The lock is offline.') }),
    ];
    hold(aStay(1, 3, { name: 'Stay of Bob', phase: 'preparing' }));
    await visit.openLinked();
    await visit.heading('Overview').waitFor();
    expect(await visit.words('The code is not on every lock.').count()).toBe(0);
    visit.account.stays = {
      calendars: [aCalendar()],
      stays: [aStay(1, 3, { name: 'Stay of Bob', phase: 'preparing', alarms })],
    };
    visit.account.publish({ type: 'stays' });
    const notice = visit.page.getByRole('region', { name: 'Stays that are not ready' });
    await expect
      .poll(async () => notice.innerText())
      .toMatch(
        /Stay of Bob, Garden flat: Check-in .*, 3:00\sPM\. The code is not on every lock\. Front door: The lock is offline\./u,
      );
    await visit.push('Show the stays');
    await visit.heading('Stays').waitFor();
  });

  test('stays show the digits only on request, and hide them once they may be others', async () => {
    hold();
    await visit.openLinked('#stays');
    await visit.person('Stay of Anna').waitFor();
    expect(await visit.page.content()).not.toContain('0417');
    await visit.choose('Show the code', 'Stay of Anna');
    expect(await seen(visit.words('0417'))).toBe(true);
    visit.account.guests = stayGuests(4);
    visit.account.publish({ type: 'guests' });
    expect(await gone(visit.words('0417'))).toBe(true);
    await visit.push('More, Stay of Carol');
    expect(await visit.button('Show the code, Stay of Carol').count()).toBe(0);
  });

  test('stays are skipped after a question, and used again', async () => {
    hold();
    await visit.openLinked('#stays');
    await visit.choose('Skip this stay', 'Stay of Anna');
    expect(await seen(visit.words('Its code is removed from every lock'))).toBe(true);
    expect(visit.inputsOf('stays.skip')).toEqual([]);
    await visit.confirm('Skip this stay', 'Stay of Anna');
    await expect.poll(() => visit.inputsOf('stays.skip')).toEqual([{ stay: 's-1' }]);
    await visit.choose('Use again', 'Stay of Dora');
    await expect.poll(() => visit.inputsOf('stays.skip')).toContainEqual({ stay: 's12', skip: false });
  });

  test('stays take other hours, explain why some are refused, and go back to those of the calendar', async () => {
    const own = { hasOwnHours: true, checkIn: '13:00' } as const;
    hold(aStay(1, 3, { name: 'Stay of Bob' }), aStay(4, 6, { name: 'Stay of Eve', ...own }));
    const words = 'The code of another stay would open at the same time. Choose hours that do not overlap.';
    visit.account.answers.set('stays.hours', () => ({
      kind: 'invalid',
      faults: [{ field: 'hours', words }],
    }));
    await visit.openLinked('#stays');
    await visit.choose('Change hours', 'Stay of Bob');
    await visit.fill('Check-out', '19:00');
    await visit.push('Save');
    expect(await seen(visit.words(words))).toBe(true);
    expect(visit.inputsOf('stays.hours')).toEqual([{ stay: 's1', checkIn: null, checkOut: '19:00' }]);
    await visit.push('Cancel');
    visit.account.answers.set('stays.hours', () => ({ kind: 'saved', stays: visit.account.stays }));
    await visit.choose('Change hours', 'Stay of Eve');
    await visit.push('Use the calendar’s hours');
    await expect
      .poll(() => visit.inputsOf('stays.hours'))
      .toContainEqual({ stay: 's4', checkIn: null, checkOut: null });
    expect(await gone(visit.page.getByRole('dialog'))).toBe(true);
  });

  test('stays get another code, of random digits or chosen ones, unless it is refused', async () => {
    hold();
    const words = 'Another guest has this code. Choose a different one.';
    visit.account.answers.set('stays.new-code', (input) =>
      (input as { readonly pin: string | null }).pin === null
        ? Promise.reject(new FinalError('not-found', 'There is no such stay. Look at the list again.'))
        : { kind: 'invalid', faults: [{ field: 'pin', words }] },
    );
    await visit.openLinked('#stays');
    await visit.choose('Another code', 'Stay of Anna');
    await visit.push('Change the code');
    expect(await seen(visit.words('There is no such stay.'))).toBe(true);
    await visit.fill('Code', '4711');
    await visit.push('Change the code');
    expect(await seen(visit.words(words))).toBe(true);
    expect(visit.inputsOf('stays.new-code')).toEqual([
      { stay: 's-1', pin: null },
      { stay: 's-1', pin: '4711' },
    ]);
    visit.account.answers.set('stays.new-code', () => ({ kind: 'saved', stays: visit.account.stays }));
    await visit.push('Change the code');
    expect(await gone(visit.page.getByRole('dialog'))).toBe(true);
  });

  test('stays are bars in the picture of a month, which goes on to other months', async () => {
    hold(aStay(0, 2, { name: 'Stay of Bob', phase: 'ready' }));
    await visit.openLinked('#stays');
    const month = visit.page.locator('.month');
    expect(await seen(month.getByText('Stay of Bob'))).toBe(true);
    const today = dayThere(0);
    expect(await month.locator('[aria-current=date] time').getAttribute('datetime')).toBe(today);
    const caption = await month.locator('caption').innerText();
    await visit.push('Month after');
    await visit.push('Month after');
    expect(await month.locator('caption').innerText()).not.toBe(caption);
    expect(await month.getByText('Stay of Bob').count()).toBe(0);
    await visit.push('Month before');
    await visit.push('Month before');
    expect(await month.locator('caption').innerText()).toBe(caption);
  });

  test('guests of stays are marked, and lead here instead of being changed there', async () => {
    hold();
    await visit.openLinked('#codes');
    const anna = visit.person('Stay of Anna');
    await anna.waitFor();
    expect(await seen(anna.locator('.tag', { hasText: 'stay' }))).toBe(true);
    await visit.push('More, Stay of Anna');
    expect(await visit.button('Change, Stay of Anna').count()).toBe(0);
    await visit.push('Remove, Stay of Anna');
    expect(await seen(visit.words('the stay is skipped'))).toBe(true);
    await visit.push('Cancel');
    await visit.choose('Go to Stays', 'Stay of Anna');
    await visit.heading('Stays').waitFor();
    expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Stays');
  });

  test('stays are shown in the window of the Homebridge UI, too', async () => {
    hold();
    visit.link();
    await visit.openWindow({ blocks: [BLOCK] });
    await visit.show('Stays');
    await visit.choose('Show the code', 'Stay of Anna');
    expect(await seen(visit.person('Stay of Anna').getByText('0417'))).toBe(true);
    // From the codes, too, although the address of the window does not change.
    await visit.show('Codes');
    await visit.choose('Go to Stays', 'Stay of Anna');
    await visit.heading('Stays').waitFor();
  });
});
