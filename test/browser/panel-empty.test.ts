// Pages that have nothing to show yet: a picture, what they are for, and the next click.
import { describe, expect, test } from 'vitest';
import { aLock } from '../stand-ins/account/operations.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { aGuest, listCodes, onLock } from './scenes.ts';
import { seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('an empty page', () => {
  const visit = panelVisits();

  const hold = (): void => {
    visit.account.hold(aLock('Front door'));
    listCodes(visit.account, () => ({ codes: [] }));
  };

  test.each([
    ['#codes', 'Give everyone a code of their own', 'Add the first guest', 'New guest'],
    ['#stays', 'Paste the address of your booking calendar', 'Add a calendar', 'New calendar'],
  ])(
    '%s has a picture and a sentence, and the next click opens what is needed',
    async (path, words, click, opens) => {
      hold();
      await visit.openLinked(path);
      const empty = visit.page.locator('.empty');
      expect(await seen(empty.getByText(words))).toBe(true);
      expect(await empty.locator('svg').count()).toBe(1);
      expect(
        await empty
          .locator('svg')
          .evaluate((svg) => [svg.getBoundingClientRect().width > 40, svg.hasAttribute('style')]),
      ).toEqual([true, false]);
      expect(await axeFaults(visit.page)).toEqual([]);
      await empty.getByRole('button', { name: click, exact: true }).click();
      expect(await seen(visit.page.getByRole('dialog', { name: opens }))).toBe(true);
    },
  );

  test('the first guest is told their code after five clicks, and the sheet with the digits stays until it is closed', async () => {
    hold();
    const text = 'Hello Anna,\n\nYour code for Front door is below.';
    visit.account.answers.set('guests.add', () => {
      const on = visit.account.locks.map((lock) => onLock(lock, { kind: 'on-its-way' }));
      visit.account.guests = [aGuest('Anna', on, { id: 'g1' })];
      return { kind: 'saved', guest: visit.account.guests[0] };
    });
    visit.account.answers.set('guests.message', () => ({ text, language: 'en', missing: [], notice: null }));
    await visit.openLinked();
    const { visitor, page } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.click(page.getByRole('link', { name: 'Codes', exact: true }));
    await visitor.click(visit.button('Add the first guest'));
    await visit.fill('Name', 'Anna');
    await visitor.click(visit.button('Suggest a code'));
    const digits = await page.getByRole('dialog').getByLabel('Code', { exact: true }).inputValue();
    expect(digits).toMatch(/^\d{4}$/u);
    await visitor.click(visit.button('Add the guest'));
    // The list behind the sheet is no longer empty.
    expect(await seen(visit.person('Anna'))).toBe(true);
    expect(await page.getByRole('dialog').locator('.big-digits').innerText()).toBe(digits);
    await visitor.click(visit.button('Copy message'));
    expect(await seen(visit.words('Message copied.'))).toBe(true);
    expect(visitor.clicks).toBe(5);
    expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(text);
    expect(visit.inputsOf('guests.message')).toEqual([{ guest: 'g1', language: null, reader: 'en' }]);
  });

  test('the history says what it is for, and leads to the locks', async () => {
    hold();
    visit.account.history.lines = [];
    await visit.openLinked('#history');
    expect(await seen(visit.words('Every turn of a lock appears here'))).toBe(true);
    await visit.push('See your locks');
    expect(await seen(visit.card('Front door'))).toBe(true);
  });

  test.each(['#overview', '#codes', '#stays'])(
    '%s without a connected account leads to connecting it',
    async (path) => {
      visit.account.saveCredentials();
      visit.account.link = { ...visit.account.link, state: 'revoked' };
      await visit.open(path);
      expect(await seen(visit.words('once the account of the lock’s app is connected'))).toBe(true);
      expect(await axeFaults(visit.page)).toEqual([]);
      await visit.push('Connect your account');
      expect(await seen(visit.heading('Account'))).toBe(true);
    },
  );

  test('webhooks that are off are set up in three steps, each with its state and a test', async () => {
    hold();
    visit.account.answers.set('webhooks.test', () => {
      const lastSelfTest = { finding: 'came-through', status: 200, tookMs: 9, at: Date.now() } as const;
      visit.account.webhooks = { ...visit.account.webhooks, lastSelfTest };
      return lastSelfTest;
    });
    await visit.openLinked('#webhooks');
    const steps = visit.page.locator('.tasks > li');
    await steps.first().waitFor();
    expect((await steps.allInnerTexts()).map((text) => /^[^\n]*?(Done|To do)/u.exec(text)?.[1])).toEqual([
      'To do',
      'To do',
      'To do',
    ]);
    expect(await axeFaults(visit.page)).toEqual([]);
    visit.account.webhooks = {
      ...visit.account.webhooks,
      enabled: true,
      because: 'none-received',
      listener: 'http://127.0.0.1:18581',
      publicUrl: 'https://home.example',
      registration: 'standing',
    };
    await visit.push('Look again');
    await steps.nth(0).getByText('Done').waitFor();
    await visit.push('Test connection');
    await steps.nth(1).getByText('Done').waitFor();
    visit.account.webhooks = { ...visit.account.webhooks, health: 'healthy', because: 'event' };
    await visit.push('Has it arrived?');
    await steps.nth(2).getByText('Done').waitFor();
    expect(await axeFaults(visit.page)).toEqual([]);
  });
});
