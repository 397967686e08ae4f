// Messages to guests on the panel, in a real browser: copied in three clicks, shared, in another language, and what they say.
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import type { GuestMessageView } from '../../src/panel/views/messages.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay, stayGuests } from '../stand-ins/account/stays.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { listCodes } from './scenes.ts';
import { seen } from './visitor.ts';

const TEXT = 'Hello Anna,\n\nYour code for Front door: 0417\nIt opens from Thu to Sun.';

describe.skipIf(CHROMIUM === undefined)('messages to guests on the panel', () => {
  const visit = panelVisits();

  const hold = (said: Partial<GuestMessageView> = {}): void => {
    visit.account.hold(aLock('Front door'));
    const now = aStay(0, 3, { name: 'Stay of Anna', code: 'hidden', guestId: 'g1', phase: 'ready' });
    visit.account.stays = { calendars: [aCalendar()], stays: [now] };
    visit.account.guests = stayGuests().slice(0, 1);
    listCodes(visit.account, () => ({}));
    const whole: GuestMessageView = { text: TEXT, language: 'en', missing: [], notice: null, ...said };
    for (const name of ['stays.message', 'guests.message'] as const) {
      visit.account.answers.set(name, (input) =>
        JSON.stringify(input).includes('"language":"de"')
          ? { ...whole, language: 'de', text: TEXT.replace('Hello', 'Hallo') }
          : whole,
      );
    }
    visit.account.answers.set('stays.language', () => ({ kind: 'saved', stays: visit.account.stays }));
  };

  const copied = async (): Promise<string> => visit.page.evaluate(async () => navigator.clipboard.readText());

  test('the message for today’s guest is in the clipboard after three clicks, and the page shows no digit', async () => {
    hold();
    await visit.openLinked();
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const { visitor, page } = visit;
    await visitor.click(page.getByRole('link', { name: 'Stays', exact: true }));
    await visitor.click(page.getByRole('button', { name: 'More, Stay of Anna' }));
    await visitor.click(page.getByRole('button', { name: 'Copy message, Stay of Anna' }));
    expect(await seen(visit.words('Message copied.'))).toBe(true);
    expect(visitor.clicks).toBe(3);
    expect(await copied()).toBe(TEXT);
    expect(visit.inputsOf('stays.message')).toEqual([{ stay: 's0', language: null, reader: 'en' }]);
    expect(await page.content()).not.toContain('0417');
  });

  test('where the browser has no clipboard, as by plain http, the old way copies', async () => {
    hold();
    await visit.openLinked('#stays');
    await visit.page.context().grantPermissions(['clipboard-read']);
    await visit.page.evaluate(() => {
      Object.defineProperty(window, 'isSecureContext', { value: false });
    });
    await visit.choose('Copy message', 'Stay of Anna');
    expect(await seen(visit.words('Message copied.'))).toBe(true);
    expect(await copied()).toBe(TEXT);
  });

  test('a code that is not on a lock is said beside the copied message', async () => {
    hold({
      notice: message('The code is not on {doors} yet. The message says so.', { doors: ['Front door'] }),
    });
    await visit.openLinked('#stays');
    await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.choose('Copy message', 'Stay of Anna');
    expect(await seen(visit.words('The code is not on Front door yet. The message says so.'))).toBe(true);
  });

  test('the sheet shows the message, and keeps the language that is chosen for the stay', async () => {
    hold();
    await visit.openLinked('#stays');
    await visit.choose('Message to the guest', 'Stay of Anna');
    const text = visit.page.getByLabel('Message', { exact: true });
    await expect.poll(async () => text.inputValue()).toBe(TEXT);
    await visit.page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await expect.poll(async () => text.inputValue()).toContain('Hallo Anna');
    await expect.poll(() => visit.inputsOf('stays.language')).toEqual([{ stay: 's0', language: 'de' }]);
    expect(await text.getAttribute('lang')).toBe('de');
  });

  test('a guest of the codes has the same', async () => {
    hold();
    await visit.openLinked('#codes');
    await visit.choose('Message to the guest', 'Stay of Anna');
    await expect.poll(async () => visit.page.getByLabel('Message', { exact: true }).inputValue()).toBe(TEXT);
    expect(visit.inputsOf('guests.message')).toEqual([{ guest: 'g1', language: null, reader: 'en' }]);
  });
});
