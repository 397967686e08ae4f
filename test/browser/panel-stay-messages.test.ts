// Messages to guests on the panel, in a real browser: copied in three clicks, shared, in another language, and what they say.
import type { Page } from 'playwright-core';
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

/** A browser with Web Share, which keeps what it was given; `fault`: the name of the error with which it refuses. */
async function sharing(page: Page, fault: string | null): Promise<void> {
  await page.evaluate((name) => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async (data: unknown) => {
        shared.push(data);
        if (name !== null) {
          throw new DOMException('', name);
        }
      },
    });
  }, fault);
}

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
    visit.spoil();
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

  test('Share gives the whole message to the browser, with what it says of a lock that lacks the code', async () => {
    const text = `${TEXT}\n\nThe code does not work yet at: Front door.`;
    hold({ text, notice: message('The code is not on {doors} yet.', { doors: ['Front door'] }) });
    await visit.openLinked('#stays');
    visit.spoil();
    await sharing(visit.page, null);
    await visit.choose('Message to the guest', 'Stay of Anna');
    await visit.push('Share');
    await expect
      .poll(async () => visit.page.evaluate((): unknown => Reflect.get(window, 'shared')))
      .toEqual([{ text }]);
    expect(await visit.page.getByRole('dialog').getByRole('alert').count()).toBe(0);
  });

  test.each([
    ['a person who turns back from sharing has not failed', 'AbortError', 0],
    ['a browser that refuses to share is said', 'NotAllowedError', 1],
  ])('%s', async (_, name, alerts) => {
    hold();
    await visit.openLinked('#stays');
    visit.spoil();
    await sharing(visit.page, name);
    await visit.choose('Message to the guest', 'Stay of Anna');
    await visit.push('Share');
    await expect
      .poll(async () => visit.page.evaluate(() => (Reflect.get(window, 'shared') as unknown[]).length))
      .toBe(1);
    expect(await seen(visit.button('Share'))).toBe(true);
    await expect.poll(async () => visit.page.getByRole('dialog').getByRole('alert').count()).toBe(alerts);
  });

  test('a browser without Web Share has no button for it', async () => {
    hold();
    await visit.openLinked('#stays');
    visit.spoil();
    await visit.page.evaluate(() => {
      Reflect.deleteProperty(Navigator.prototype, 'share');
    });
    await visit.choose('Message to the guest', 'Stay of Anna');
    expect(await seen(visit.page.getByRole('dialog').getByRole('button', { name: 'Copy message' }))).toBe(
      true,
    );
    expect(await visit.button('Share').count()).toBe(0);
  });

  test('a guest of the codes has the same', async () => {
    hold();
    await visit.openLinked('#codes');
    await visit.choose('Message to the guest', 'Stay of Anna');
    await expect.poll(async () => visit.page.getByLabel('Message', { exact: true }).inputValue()).toBe(TEXT);
    expect(visit.inputsOf('guests.message')).toEqual([{ guest: 'g1', language: null, reader: 'en' }]);
  });
});
