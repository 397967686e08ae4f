// The panel as a whole, in a real browser: the check at the end, the keyboard alone, and the login.

import { describe, expect, test } from 'vitest';
import { RetryError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { CHROMIUM } from './chromium.ts';
import { configureCredentials } from './credentialing.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

if (CHROMIUM === undefined) {
  console.warn(
    'Skipped: there is no Chromium. Install one, or name its program in the environment variable CHROMIUM.',
  );
}

const FRONT = aLock('Front door');

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits({ isAlone: true });

  describe('the check', () => {
    const toCheck = async (): Promise<void> => {
      visit.account.saveCredentials();
      visit.account.hold(aLock('Front door', { bolt: 'unsecured' }));
      await visit.open();
      await visit.heading('Connect').waitFor();
      visit.account.become('linked');
      await visit.heading('Locks').waitFor();
      await visit.push('Continue');
    };

    test('reads the list before it says "done", shows the doors in their state, and where the code for Home is', async () => {
      let answer = (): void => {};
      visit.account.answers.set(
        'refresh',
        async () =>
          new Promise((resolve) => {
            answer = () => {
              resolve(visit.account.locks);
            };
          }),
      );
      await toCheck();
      await visit.words('Loading locks').waitFor();
      expect(await visit.words('You’re connected.').count()).toBe(0);
      answer();
      await visit.words('You’re connected.').waitFor();
      await expect
        .poll(async () => visit.page.locator('.doors-checked').innerText())
        .toMatch(/Front door\s+Unlocked/u);
      expect(await seen(visit.words('scan the bridge’s code'))).toBe(true);
      expect(await visit.page.locator('main').innerText()).not.toMatch(/\d{3}-\d{2}-\d{3}/u);
      await visit.push('Finish');
      expect(await seen(visit.heading('Overview'))).toBe(true);
    });

    test('is not done when the service did not list the locks, and can be tried again', async () => {
      visit.account.answers.set('refresh', () => {
        throw new RetryError('server-fault', 'The lock service failed.');
      });
      await toCheck();
      expect(await seen(visit.words('The lock service failed.'))).toBe(true);
      expect(await visit.words('You’re connected.').count()).toBe(0);
      visit.account.answers.set('refresh', () => visit.account.locks);
      await visit.push('Check again');
      expect(await seen(visit.words('You’re connected.'))).toBe(true);
    });
  });

  describe('the panel with the keyboard alone', () => {
    const focused = async (): Promise<string> =>
      visit.page.evaluate(() => {
        const { activeElement } = document;
        const labels = activeElement instanceof HTMLInputElement ? [...(activeElement.labels ?? [])] : [];
        return (
          labels[0]?.textContent ??
          activeElement?.getAttribute('aria-label') ??
          activeElement?.textContent ??
          ''
        );
      });
    /** Presses Tab until that control has the focus; fails when it never comes. */
    const tabTo = async (name: string): Promise<void> => {
      for (let stop = 0; stop < 30; stop += 1) {
        await visit.page.keyboard.press('Tab');
        if ((await focused()) === name) {
          return;
        }
      }
      throw new Error(`No Tab leads to ${name}`);
    };

    test('leads from the first field to the end of the guide, with a visible focus', async () => {
      await visit.open();
      for (const label of ['Client ID', 'Client secret', 'Subscription key']) {
        await tabTo(label);
        await visit.page.keyboard.type('typed');
      }
      await visit.page.keyboard.press('Enter');
      await visit.heading('Connect').waitFor();
      await expect.poll(focused).toBe('Connect');
      await tabTo('Sign in');
      const outline = await visit.page
        .locator(':focus')
        .evaluate((element) => getComputedStyle(element).outlineStyle);
      expect(outline).toBe('solid');
      visit.account.hold(FRONT);
      visit.account.become('linked');
      await visit.heading('Locks').waitFor();
      await expect.poll(focused).toBe('Locks');
      await tabTo('Continue');
      await visit.page.keyboard.press('Enter');
      await visit.heading('Finish').waitFor();
      await expect.poll(focused).toBe('Finish');
      await visit.words('You’re connected.').waitFor();
      await tabTo('Finish');
      await visit.page.keyboard.press('Space');
      await visit.heading('Overview').waitFor();
      await tabTo('More, Front door');
    });

    test('has a first stop that leads past the header', async () => {
      await visit.openLinked();
      await tabTo('Skip to content');
      await visit.page.keyboard.press('Enter');
      await expect.poll(focused).toBe('Overview');
    });

    test('has the name of every page in the title and one heading of its own, which takes the focus', async () => {
      configureCredentials(visit.account);
      await visit.openLinked();
      for (const name of ['Settings', 'History', 'Codes', 'Credentials', 'Webhooks', 'Account', 'Overview']) {
        await visit.show(name);
        // The link has the focus and the name before the heading does.
        await expect.poll(async () => visit.page.title()).toBe(`${name} · Latchkey`);
        await expect.poll(focused).toBe(name);
        expect(await visit.page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([name]);
      }
    });

    test('has questions that take the focus, and Cancel gives the button back', async () => {
      visit.account.hold(aLock('Front door', { presence: 'missing' }));
      await visit.openLinked();
      await tabTo('Forget this lock, Front door');
      await visit.page.keyboard.press('Enter');
      await visit.words('It leaves Home with its room').waitFor();
      await tabTo('Cancel');
      await visit.page.keyboard.press('Enter');
      expect(await gone(visit.words('It leaves Home with its room'))).toBe(true);
      await expect.poll(focused).toBe('Forget this lock, Front door');
      expect(visit.account.count('forget')).toBe(0);
    });
  });

  describe('the login', () => {
    test('the token of the address is used once and stands in no address and no history afterwards', async () => {
      visit.account.hold(FRONT);
      visit.link();
      visit.panel = await AccountPanel.start(visit.account);
      const { token } = visit.panel.server.mintLogin();
      visit.page = await visit.visitor.open('about:blank');
      await visit.page.goto(`${visit.panel.url}#login=${token}`);
      await visit.card('Front door').waitFor();
      expect(visit.page.url()).toBe(`${visit.panel.url}#overview`);
      await visit.page.reload();
      await visit.card('Front door').waitFor();
      await visit.page.goBack();
      expect(visit.page.url()).toBe('about:blank');
    });

    test.each(['used-already', '%'])(
      'a refused token does not stay in the address either: %s',
      async (token) => {
        visit.panel = await AccountPanel.start(visit.account);
        visit.page = await visit.visitor.open(`${visit.panel.url}#login=${token}`);
        expect(await seen(visit.words('This login address is wrong'))).toBe(true);
        expect(visit.page.url()).toBe(visit.panel.url);
      },
    );

    test('a stranger reads how to log in, and a pasted address lets in', async () => {
      visit.account.hold(FRONT);
      visit.link();
      visit.panel = await AccountPanel.start(visit.account);
      visit.page = await visit.visitor.open(visit.panel.url);
      await visit.words('npx homebridge-latchkey panel --login').waitFor();
      await visit.fill('Login address', 'wrong');
      await visit.push('Log in');
      await visit.words('This login address is wrong').waitFor();
      await visit.fill('Login address', `${visit.panel.url}#login=${visit.panel.server.mintLogin().token}`);
      await visit.page.keyboard.press('Enter');
      expect(await seen(visit.card('Front door'))).toBe(true);
    });
  });
});
