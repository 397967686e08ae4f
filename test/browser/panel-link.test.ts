// The page of the link, in a real browser: linking, another account than before, and a link that is lost.
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import { FinalError, RetryError } from '../../src/support/errors.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

const FRONT = aLock('Front door');

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  describe('linking', () => {
    const toLink = async (): Promise<void> => {
      visit.account.saveCredentials();
      await visit.open();
      await visit.heading('Connect').waitFor();
    };

    test('consent opens in a tab of its own that cannot reach this one', async () => {
      visit.account.answers.set('link.start', () => ({
        ...visit.account.startLinking(),
        authorizeUrl: `${visit.panel.url}#webhooks`,
      }));
      await toLink();
      const opened = visit.page.context().waitForEvent('page');
      await visit.push('Sign in');
      const tab = await opened;
      await tab.waitForURL(/#webhooks$/u);
      expect(await tab.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
      expect(await seen(visit.words('Waiting for you to finish signing in'))).toBe(true);
    });

    test('when the callback needs no pasting, the page goes on by itself and the focus goes with it', async () => {
      await toLink();
      visit.account.hold(FRONT);
      visit.account.become('linked');
      await visit.heading('Locks').waitFor();
      await expect.poll(async () => visit.card('Front door').isVisible()).toBe(true);
      await expect
        .poll(async () => visit.page.evaluate(() => document.activeElement?.textContent))
        .toBe('Locks');
    });

    test('the whole address can be pasted, without having started here, and leaves the page at once', async () => {
      visit.account.answers.set('link.finish', () => {
        visit.account.hold(FRONT);
        visit.account.become('linked');
        return { link: 'linked', accountChange: null };
      });
      const redirectedUrl = 'https://home.example/callback?code=c&state=s';
      await toLink();
      await visit.words('Paste the address instead').click();
      await visit.fill('Paste the address from your browser', redirectedUrl);
      await visit.push('Continue');
      await visit.heading('Locks').waitFor();
      expect(visit.inputsOf('link.finish')).toEqual([{ redirectedUrl }]);
      expect(await visit.page.content()).not.toContain('code=c');
      expect(visit.page.url()).not.toContain('code=c');
    });

    test("a refused address is explained in the service's words, with the next step", async () => {
      visit.account.answers.set('link.finish', () => {
        throw new FinalError('bad-request', 'The code was used already, or it is too old. Start again.');
      });
      await toLink();
      await visit.words('Paste the address instead').click();
      await visit.fill('Paste the address from your browser', 'not an address');
      expect(await seen(visit.words('This is not a whole address.'))).toBe(true);
      await visit.fill('Paste the address from your browser', 'https://home.example/callback?code=c');
      await visit.push('Continue');
      expect(await seen(visit.words('The code was used already, or it is too old. Start again.'))).toBe(true);
      await expect
        .poll(async () => visit.page.getByLabel('Paste the address from your browser').inputValue())
        .toBe('');
    });

    const endElsewhere = async (ended: typeof visit.account.link.ended): Promise<void> => {
      await toLink();
      visit.account.link = { ...visit.account.link, waiting: null, ended };
      visit.account.publish({ type: 'linking' });
    };

    test('a linking that ended in another tab is reported here, too', async () => {
      const denied = 'You denied access. Try again and choose Allow.';
      await endElsewhere({ outcome: 'denied', message: message(denied) });
      expect(await seen(visit.words(denied))).toBe(true);
    });

    test('credentials that fail at the service lead back to where they are entered', async () => {
      await endElsewhere({
        outcome: 'misconfigured',
        message: message('The service rejected the credentials.'),
      });
      await visit.push('Edit credentials');
      expect(await seen(visit.heading('Service details'))).toBe(true);
    });

    test('an unreachable plugin is reported, with the note that nothing was changed', async () => {
      visit.account.answers.set('link.start', () => {
        throw new RetryError('unreachable', 'The lock service could not be reached.');
      });
      await toLink();
      await visit.push('Sign in');
      expect(await seen(visit.words('Nothing was changed. Try again in a moment.'))).toBe(true);
    });
  });

  describe('another account', () => {
    const change = { missing: ['Front door'], added: ['Office'] };

    test.each([
      [true, 'Use this account'],
      [false, 'Disconnect'],
    ])('raises a question before anything leaves Home: keep %s', async (keep, action) => {
      visit.account.link = { ...visit.account.link, accountChange: change };
      visit.account.answers.set('link.confirm', () => {
        visit.account.link = {
          ...visit.account.link,
          accountChange: null,
          state: keep ? 'linked' : 'unlinked',
        };
        return visit.account.link;
      });
      await visit.openLinked();
      await visit.words('You connected a different account').waitFor();
      await visit.push('Answer');
      await visit.page.getByText('Office').waitFor();
      await visit.push(action);
      expect(await gone(visit.words('This looks like a different account'))).toBe(true);
      expect(visit.inputsOf('link.confirm')).toEqual([{ keep }]);
    });
  });

  describe('a link that is lost', () => {
    test('may be tried once more with the sign-in that is kept, which says why it failed or connects (faults#141)', async () => {
      visit.account.hold(FRONT);
      visit.account.answers.set('try-now', () => {
        throw new RetryError('server-fault', message('The service failed (HTTP 502).'));
      });
      visit.link();
      visit.account.link = { ...visit.account.link, state: 'expired', isRevivable: true };
      await visit.open();
      await visit.push('Connect again');
      await visit.words('Was it disconnected by mistake?').click();
      await visit.push('Try it once more');
      expect(await seen(visit.words('The service failed (HTTP 502).'))).toBe(true);
      visit.account.answers.set('try-now', () => {
        visit.account.link = { ...visit.account.link, state: 'linked', isRevivable: false };
        return visit.account.status();
      });
      await visit.push('Try it once more');
      await visit.page.getByRole('heading', { name: 'Connected' }).waitFor();
      expect(await gone(visit.button('Try it once more'))).toBe(true);
      expect(visit.inputsOf('try-now')).toHaveLength(2);
    });

    test('is shown on every page in one line with the button, at once, no door as locked, and gone when it is back', async () => {
      visit.account.hold(FRONT);
      await visit.openLinked();
      expect(await seen(visit.card('Front door').getByText('Locked', { exact: true }))).toBe(true);
      visit.account.become('revoked');
      const line = visit.words('The lock service disconnected this account');
      for (const name of ['Overview', 'Webhooks', 'Settings']) {
        await visit.show(name);
        expect(await seen(line)).toBe(true);
        await expect.poll(async () => visit.button('Connect again').count()).toBe(1);
      }
      expect(await seen(visit.card('Front door').getByText('Was locked'))).toBe(true);
      await visit.show('Overview');
      expect(await seen(visit.card('Front door').getByText('Was locked'))).toBe(true);
      await visit.push('Connect again');
      await line.waitFor();
      await visit.button('Sign in').waitFor();
      visit.account.become('linked');
      await visit.page.getByRole('heading', { name: 'Connected' }).waitFor();
      await visit.show('Settings');
      expect(await seen(visit.card('Front door').getByText('Locked ·'))).toBe(true);
      expect(await gone(line)).toBe(true);
    });
  });
});
