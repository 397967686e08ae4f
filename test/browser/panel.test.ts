// The panel's pages in a real browser, over an account of the tests' making: what each says, and what it asks for.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FinalError, RetryError } from '../../src/support/errors.ts';
import { CHROMIUM } from './chromium.ts';
import { aLock, PretendAccount, settingsOf } from './pretend-account.ts';
import { PretendPanel } from './pretend-panel.ts';
import { gone, seen, Visitor } from './visitor.ts';

if (CHROMIUM === undefined) {
  console.warn(
    'Skipped: there is no Chromium. Install one, or name its program in the environment variable CHROMIUM.',
  );
}

const FRONT = aLock('Front door');
const BACK = aLock('Back door');

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  let visitor: Visitor;
  let account: PretendAccount;
  let panel: PretendPanel;
  let page: Page;

  beforeAll(async () => {
    visitor = await Visitor.arrive();
  });

  afterAll(async () => {
    await visitor.goHome();
  });

  beforeEach(() => {
    account = new PretendAccount();
  });

  afterEach(async () => {
    await visitor.leave();
    await panel.close();
  });

  const open = async (path = ''): Promise<void> => {
    panel = await PretendPanel.start(account);
    page = await visitor.open(`${panel.url}${path}`);
    await page.getByRole('heading', { level: 2 }).waitFor();
  };
  const openLinked = async (path = ''): Promise<void> => {
    account.saveCredentials();
    account.link = { ...account.link, state: 'linked' };
    await open(path);
  };
  const push = async (name: string | RegExp): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const fill = async (label: string, text: string): Promise<void> =>
    page.getByLabel(label, { exact: true }).fill(text);
  const words = (text: string | RegExp): Locator => page.getByText(text);
  const heading = (name: string): Locator => page.getByRole('heading', { level: 2, name });
  const card = (name: string): Locator => page.getByRole('article', { name });

  describe('before you begin', () => {
    test('the redirect URI stands there letter by letter, and a button copies it', async () => {
      await open();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await expect
        .poll(async () => page.getByRole('textbox', { name: 'Redirect URI' }).inputValue())
        .toBe('https://home.example/callback');
      await push('Copy, Redirect URI');
      await words('Copied.').waitFor();
      expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(
        'https://home.example/callback',
      );
    });

    test('without a clipboard, as on plain http, the button copies all the same', async () => {
      await open();
      await page.evaluate(() => {
        Object.defineProperty(window, 'isSecureContext', { value: false });
      });
      await push('Copy, Redirect URI');
      expect(await seen(words('Copied.'))).toBe(true);
    });

    test('a field says what is wrong with it as it is typed, and nothing of a field nobody has been in', async () => {
      await open();
      expect(await page.getByText('Needed.').count()).toBe(0);
      await fill('Client secret', 'in two');
      expect(await seen(words('There is a space in the middle'))).toBe(true);
      await expect
        .poll(async () => page.getByLabel('Client secret').getAttribute('aria-invalid'))
        .toBe('true');
      await fill('Client secret', 'whole');
      expect(await gone(words('There is a space in the middle'))).toBe(true);
      await fill('Subscription key', 'k-1');
      await fill('Second subscription key, if there is one', 'k-1');
      expect(await seen(words('This is the first key again.'))).toBe(true);
    });

    test('what is missing is said at each field, and nothing is asked of the plugin', async () => {
      await open();
      await push('Save and continue');
      expect(await seen(words('marked at its field'))).toBe(true);
      await expect.poll(async () => page.getByText('Needed.').count()).toBe(3);
      expect(account.count('partner.save')).toBe(0);
    });

    test('secrets are typed unseen, sent once without the spaces around them, and never come back', async () => {
      await open();
      await fill('Client id', ' client-1 ');
      await fill('Client secret', 'hush-hush');
      await fill('Subscription key', 'key-one');
      for (const label of ['Client secret', 'Subscription key']) {
        await expect
          .poll(async () => page.getByLabel(label, { exact: true }).getAttribute('type'))
          .toBe('password');
      }
      await push('Save and continue');
      await heading('Link').waitFor();
      const input = account.calls.find(([name]) => name === 'partner.save')?.[1];
      expect(input).toEqual({
        clientId: 'client-1',
        clientSecret: 'hush-hush',
        subscriptionKeys: ['key-one'],
      });
      await push('Before you begin');
      await words('Kept, and not shown again').first().waitFor();
      expect(await page.content()).not.toMatch(/hush-hush|key-one/u);
      await push('Replace, Client secret');
      await expect.poll(async () => page.getByLabel('Client secret').inputValue()).toBe('');
    });

    test('what config.json fixes is shown as such and has no field', async () => {
      account.saveCredentials();
      account.partner = { ...account.partner, clientSecret: { from: 'config' } };
      await open();
      expect(await page.getByRole('button', { name: 'Replace, Client secret' }).count()).toBe(0);
      await expect.poll(async () => page.getByText('Client secret config.json').count()).toBe(1);
    });

    test('what the plugin refuses stands there in its words, and what was typed stays', async () => {
      account.answers.set('partner.save', () => {
        throw new FinalError('bad-request', 'clientId is written in config.json; change it there.');
      });
      await open();
      await fill('Client id', 'client-1');
      await fill('Client secret', 's');
      await fill('Subscription key', 'k');
      await push('Save and continue');
      expect(await seen(words('clientId is written in config.json; change it there.'))).toBe(true);
      await expect.poll(async () => page.getByLabel('Client id').inputValue()).toBe('client-1');
    });
  });

  describe('linking', () => {
    const toLink = async (): Promise<void> => {
      account.saveCredentials();
      await open();
      await push('Save and continue');
      await heading('Link').waitFor();
    };

    test('consent opens in a tab of its own that cannot reach this one', async () => {
      account.answers.set('link.start', () => ({
        ...account.startLinking(),
        authorizeUrl: `${panel.url}#webhooks`,
      }));
      await toLink();
      const opened = page.context().waitForEvent('page');
      await push('Go to the service');
      const tab = await opened;
      await tab.waitForURL(/#webhooks$/u);
      expect(await tab.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
      expect(await seen(words('Waiting for you to come back'))).toBe(true);
    });

    test('when the way back needs no pasting, the page goes on by itself and the focus goes with it', async () => {
      await toLink();
      account.hold(FRONT);
      account.become('linked');
      await heading('Locks').waitFor();
      await expect.poll(async () => card('Front door').isVisible()).toBe(true);
      await expect.poll(async () => page.evaluate(() => document.activeElement?.textContent)).toBe('Locks');
    });

    test('the whole address can be pasted, without having started here, and leaves the page at once', async () => {
      account.answers.set('link.finish', () => {
        account.hold(FRONT);
        account.become('linked');
        return { link: 'linked', accountChange: null };
      });
      await toLink();
      await fill(
        'Or paste the address that you were sent to',
        'https://home.example/callback?code=c&state=s',
      );
      await push('Finish linking');
      await heading('Locks').waitFor();
      expect(account.calls.find(([name]) => name === 'link.finish')?.[1]).toEqual({
        redirectedUrl: 'https://home.example/callback?code=c&state=s',
      });
      expect(await page.content()).not.toContain('code=c');
      expect(page.url()).not.toContain('code=c');
    });

    test('a refused address is said in the words that came, with the next step', async () => {
      account.answers.set('link.finish', () => {
        throw new FinalError(
          'bad-request',
          'The code was used already, or it is too old. Start linking again.',
        );
      });
      await toLink();
      await fill('Or paste the address that you were sent to', 'not an address');
      expect(await seen(words('This is not a whole address.'))).toBe(true);
      await fill('Or paste the address that you were sent to', 'https://home.example/callback?code=c');
      await push('Finish linking');
      expect(await seen(words('The code was used already, or it is too old. Start linking again.'))).toBe(
        true,
      );
      await expect
        .poll(async () => page.getByLabel('Or paste the address that you were sent to').inputValue())
        .toBe('');
    });

    test('how a linking ended elsewhere is said here, too', async () => {
      await toLink();
      const message =
        'Access was denied on the page of the lock service. Start again and choose to allow it.';
      account.link = { ...account.link, waiting: null, ended: { outcome: 'denied', message } };
      account.publish({ type: 'linking' });
      expect(await seen(words(message))).toBe(true);
    });

    test('an unreachable plugin says so, and that nothing was changed', async () => {
      account.answers.set('link.start', () => {
        throw new RetryError('unreachable', 'The lock service could not be reached.');
      });
      await toLink();
      await push('Go to the service');
      expect(await seen(words('Nothing was changed. Try again in a moment.'))).toBe(true);
    });
  });

  describe('another account', () => {
    const change = { missing: ['Front door'], added: ['Office'] };

    test.each([
      [true, 'Use this account'],
      [false, 'Unlink it again'],
    ])('is asked about before anything leaves Home: keep %s', async (keep, action) => {
      account.link = { ...account.link, accountChange: change };
      account.answers.set('link.confirm', () => {
        account.link = { ...account.link, accountChange: null, state: keep ? 'linked' : 'unlinked' };
        return account.link;
      });
      await openLinked();
      await words('You have linked another account than before').waitFor();
      await push('Answer');
      await page.getByText('Office').waitFor();
      await push(action);
      expect(await gone(words('Is this the account that you want?'))).toBe(true);
      expect(account.calls.find(([name]) => name === 'link.confirm')?.[1]).toEqual({ keep });
    });
  });

  describe('a link that is lost', () => {
    test('leaves no door that is said to be locked: only what it was', async () => {
      account.hold(FRONT);
      await openLinked();
      expect(await seen(card('Front door').getByText('Locked', { exact: true }))).toBe(true);
      account.become('revoked');
      expect(await seen(card('Front door').getByText('Was locked'))).toBe(true);
      await page.getByRole('link', { name: 'Locks', exact: true }).click();
      expect(await seen(card('Front door').getByText('Was locked'))).toBe(true);
      account.become('linked');
      expect(await seen(card('Front door').getByText('Locked ·'))).toBe(true);
    });

    test('is said on every page in one line with the button, at once, and gone when it is back', async () => {
      account.hold(FRONT);
      await openLinked();
      account.become('revoked');
      const line = words('The service no longer accepts this link');
      for (const name of ['Overview', 'Locks', 'Webhooks']) {
        await page.getByRole('link', { name, exact: true }).click();
        expect(await seen(line)).toBe(true);
        await expect.poll(async () => page.getByRole('button', { name: 'Link again' }).count()).toBe(1);
      }
      await push('Link again');
      await words('The service no longer accepts this link').waitFor();
      await page.getByRole('button', { name: 'Go to the service' }).waitFor();
      account.become('linked');
      await page.getByRole('heading', { name: 'Linked' }).waitFor();
      await page.getByRole('link', { name: 'Overview' }).click();
      expect(await gone(line)).toBe(true);
    });

    test.each(['expired', 'signed-out'] as const)(
      'for another reason (%s) has words of its own',
      async (state) => {
        await openLinked();
        account.become(state);
        expect(await seen(words('Home shows “No Response” until the account is linked again'))).toBe(true);
      },
    );
  });

  describe('the overview', () => {
    test('follows a door live, without a reload', async () => {
      account.hold(FRONT, BACK);
      await openLinked();
      await card('Front door').getByText('Locked', { exact: true }).waitFor();
      account.tell(FRONT.id, {
        bolt: 'unsecured',
        lastMove: {
          to: 'unsecured',
          by: { method: 'access-code', id: '1', name: 'Dog walker' },
          at: Date.now(),
        },
      });
      expect(await seen(card('Front door').getByText('Unlocked', { exact: true }))).toBe(true);
      expect(await seen(card('Front door').getByText('Unlocked by Dog walker (a code)'))).toBe(true);
      account.tell(FRONT.id, { bolt: 'jammed' });
      expect(await seen(card('Front door').getByText('Jammed'))).toBe(true);
      await expect
        .poll(async () => card('Back door').getByText('Locked', { exact: true }).isVisible())
        .toBe(true);
    });

    test('never calls a lock that cannot be reached locked', async () => {
      account.hold(aLock('Front door', { presence: 'offline' }));
      await openLinked();
      expect(await seen(card('Front door').getByText('Was locked'))).toBe(true);
      await expect.poll(async () => card('Front door').getAttribute('data-bolt')).toBe('unknown');
    });

    test('locks a door, and says so only when the lock does', async () => {
      account.hold(aLock('Front door', { bolt: 'unsecured' }));
      account.answers.set('lock', () => {
        account.tell(FRONT.id, { wish: 'secured' });
        return { kind: 'accepted' };
      });
      await openLinked();
      await push('Lock, Front door');
      await card('Front door').getByText('Locking …').waitFor();
      expect(await seen(words('It counts as locked when the lock itself says so.'))).toBe(true);
      account.tell(FRONT.id, { bolt: 'secured', wish: null });
      expect(await seen(card('Front door').getByText('Locked', { exact: true }))).toBe(true);
      expect(await gone(words('It counts as locked when'))).toBe(true);
      expect(account.calls.filter(([name]) => name === 'lock')).toEqual([['lock', { lock: FRONT.id }]]);
    });

    test('offers to lock and never to unlock, and neither where the account may only look', async () => {
      account.hold(
        FRONT,
        aLock('Cellar', { description: { ...FRONT.description, name: 'Cellar', role: 'reader' } }),
      );
      await openLinked();
      await card('Cellar').waitFor();
      expect(await page.getByRole('button', { name: /unlock/iu }).count()).toBe(0);
      expect(await card('Cellar').getByRole('button').count()).toBe(0);
    });

    test.each([
      [{ kind: 'refused', reason: 'role-may-not-command' }, 'This account may only look at the lock'],
      [{ kind: 'failed', disposition: 'wait', message: 'The lock is busy.' }, 'The lock is busy.'],
      [{ kind: 'uncertain' }, 'What the lock says next will tell'],
    ] as const)('says what became of a wish: %j', async (answer, said) => {
      account.hold(FRONT);
      account.answers.set('lock', () => answer);
      await openLinked();
      await push('Lock, Front door');
      expect(await seen(words(said))).toBe(true);
    });

    test('lists what happened, the newest first and a hundred at most, and corrects an entry', async () => {
      const lock = { id: FRONT.id, name: 'Front door' };
      account.happenings = Array.from({ length: 100 }, (_, index) => ({
        number: index + 1,
        at: Date.now(),
        lock,
        news: { type: 'alert', alert: 'wrong-code' },
      }));
      await openLinked();
      const entries = page.locator('.happenings li');
      await expect.poll(async () => entries.count()).toBe(100);
      const move = {
        to: 'unsecured',
        by: { method: 'access-code', id: null, name: 'Dog walker' },
        at: Date.now(),
      } as const;
      const news = { type: 'bolt', bolt: 'unsecured', move: null } as const;
      account.publish({ type: 'happening', happening: { number: 101, at: Date.now(), lock, news } });
      await entries.first().getByText('Unlocked').waitFor();
      account.publish({
        type: 'happening',
        happening: { number: 101, at: Date.now(), lock, news: { ...news, move } },
      });
      await entries.first().getByText('Unlocked by Dog walker (a code)').waitFor();
      await expect.poll(async () => entries.count()).toBe(100);
    });

    test('forgets a lock that left the account, after asking', async () => {
      account.hold(aLock('Front door', { presence: 'missing' }));
      account.answers.set('forget', () => {
        account.hold();
        return { forgotten: true };
      });
      await openLinked();
      await push('Forget this lock, Front door');
      expect(account.count('forget')).toBe(0);
      await words('It leaves Home with its room and automations.').waitFor();
      await push('Forget this lock');
      expect(await gone(card('Front door'))).toBe(true);
    });

    test('says for how long the service has not answered', async () => {
      account.failing = { forMs: 240_000, message: 'The lock service could not be reached.' };
      await openLinked();
      expect(
        await seen(words('The lock service could not be reached. For 4 min now; the plugin keeps asking.')),
      ).toBe(true);
    });

    test('hands the diagnostics out as a file', async () => {
      account.answers.set('diagnostics', () => ({ version: '0.1.0' }));
      await openLinked();
      const download = page.waitForEvent('download');
      await push('Download diagnostics');
      const file = await download;
      expect(file.suggestedFilename()).toBe('latchkey-diagnostics.json');
      expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toEqual({ version: '0.1.0' });
    });

    test('is live again after the plugin was restarted, with everything read anew', async () => {
      account.hold(FRONT);
      await openLinked();
      await words('Live').waitFor();
      account.answers.set('lock', () => ({ kind: 'already' }));
      const { port } = panel.server;
      await panel.close();
      await words('Connecting …').waitFor();
      account.hold(aLock('Front door', { bolt: 'unsecured' }), BACK);
      panel = await PretendPanel.start(account, { port });
      expect(await seen(card('Back door'))).toBe(true);
      await expect
        .poll(async () => card('Front door').getByText('Unlocked', { exact: true }).isVisible())
        .toBe(true);
      // The restarted plugin has other sessions: the page learns its word without being told.
      await push('Lock, Back door');
      expect(await seen(words('The lock says that it is locked already.'))).toBe(true);
    });
  });

  describe('the locks', () => {
    test('are hidden and shown with one click that is kept at once, and the page says what Home makes of it', async () => {
      account.hold(FRONT);
      account.answers.set('locks.configure', () => {
        account.settings = [settingsOf(FRONT, { hide: { value: true, from: 'page' } })];
        return account.settings[0];
      });
      await openLinked('#locks');
      await page.getByLabel('Show in Home, Front door').click();
      expect(await seen(words('Kept. Front door has left Home.'))).toBe(true);
      expect(account.calls.find(([name]) => name === 'locks.configure')?.[1]).toEqual({
        lock: FRONT.id,
        settings: { hide: true },
      });
      await expect.poll(async () => page.getByLabel('Show in Home, Front door').isChecked()).toBe(false);
    });

    test('show a switch that was refused as it is, with the reason', async () => {
      account.hold(FRONT);
      account.answers.set('locks.configure', () => {
        throw new RetryError('storage-failed', 'The settings could not be kept: the disk is full.');
      });
      await openLinked('#locks');
      await page.getByLabel('Show in Home, Front door').click();
      expect(await seen(words('The settings could not be kept: the disk is full.'))).toBe(true);
      await expect.poll(async () => page.getByLabel('Show in Home, Front door').isChecked()).toBe(true);
    });

    test('have options that say what is wrong as they are typed, are kept when left, and fall back when emptied', async () => {
      account.hold(FRONT);
      account.settings = [settingsOf(FRONT, { name: { value: 'Main', from: 'page' } })];
      account.answers.set('locks.configure', (input) => {
        const isZone = JSON.stringify(input).includes('timeZone');
        account.settings = account.settings.map((one) => ({
          ...one,
          ...(isZone
            ? { timeZone: { value: 'Europe/Paris', from: 'page' } }
            : { name: { value: null, from: 'default' } }),
        }));
        return account.settings[0];
      });
      await openLinked('#locks');
      await words('Name and options').click();
      await fill('Time zone of the door', 'Nowhere');
      await words('This is not a time zone.').waitFor();
      await page.keyboard.press('Tab');
      expect(account.count('locks.configure')).toBe(0);
      await fill('Time zone of the door', 'Europe/Paris');
      await page.keyboard.press('Enter');
      await fill('Battery is low from (percent)', '96');
      await words('Write a whole number from 1 to 95.').waitFor();
      await fill('Name in Home', '');
      await page.keyboard.press('Tab');
      await expect
        .poll(() => account.calls.filter(([name]) => name === 'locks.configure').map(([, input]) => input))
        .toEqual([
          { lock: FRONT.id, settings: { timeZone: 'Europe/Paris' } },
          { lock: FRONT.id, settings: { name: null } },
        ]);
    });

    test('keep what config.json fixes, marked as such', async () => {
      account.hold(FRONT);
      account.settings = [
        settingsOf(FRONT, {
          hide: { value: false, from: 'config' },
          name: { value: 'Main', from: 'config' },
        }),
      ];
      await openLinked('#locks');
      await expect.poll(async () => page.getByLabel(/^Show in Home/u).isDisabled()).toBe(true);
      await words('Name and options').click();
      expect(await seen(card('Front door').getByText('Main'))).toBe(true);
      expect(await page.getByLabel('Name in Home').count()).toBe(0);
    });

    test('and codes with markup in their names are text on every page, and none of it runs (faults#64)', async () => {
      const trap = '<img src=x onerror="window.sprung=1"><script>window.sprung=1</script>';
      const lock = aLock(trap, {
        lastMove: { to: 'secured', by: { method: 'access-code', id: null, name: trap }, at: Date.now() },
      });
      account.hold(lock);
      account.link = { ...account.link, accountChange: { missing: [trap], added: [trap] } };
      const news = { type: 'bolt', bolt: 'secured', move: lock.lastMove } as const;
      account.happenings = [{ number: 1, at: Date.now(), lock: { id: lock.id, name: trap }, news }];
      await openLinked();
      for (const name of ['Overview', 'Locks', 'Link']) {
        await page.getByRole('link', { name, exact: true }).click();
        await page.getByText(trap).first().waitFor();
        expect(await page.locator('main img, main script').count()).toBe(0);
      }
      expect(await page.evaluate(() => 'sprung' in window)).toBe(false);
    });
  });

  describe('an empty list', () => {
    test('is not blamed on the account while the service has not listed the locks', async () => {
      const message = 'The lock service accepts none of the subscription keys.';
      account.failing = { forMs: 1_000, message };
      account.lastListedAgoMs = null;
      await openLinked('#locks');
      expect(await seen(words(message))).toBe(true);
      expect(await words('The account lists no locks.').count()).toBe(0);
      await page.getByRole('link', { name: 'Overview' }).click();
      await words('What happened').waitFor();
      expect(await words('The account lists no locks.').count()).toBe(0);
      expect(await words('Answers.').count()).toBe(0);
    });

    test('is told as such when the service said so', async () => {
      await openLinked('#locks');
      expect(await seen(words('The account lists no locks.'))).toBe(true);
    });
  });

  describe('credentials that are missing', () => {
    test('are told as what is missing, not as a lost link, and entered where the button leads', async () => {
      account.partner = { ...account.partner, missing: ['partner.clientSecret'] };
      await open('#overview');
      expect(await seen(words('The service cannot be asked: the client secret is missing.'))).toBe(true);
      await push('Enter it');
      expect(await seen(page.getByLabel('Client secret', { exact: true }))).toBe(true);
    });
  });

  describe('webhooks', () => {
    const wanted = (): void => {
      account.webhooks = {
        ...account.webhooks,
        enabled: true,
        health: 'doubted',
        because: 'silent',
        listener: 'http://127.0.0.1:18581',
        publicUrl: 'https://home.example',
        registration: 'standing',
        lastEventAgoMs: 7_200_000,
      };
    };

    test('say how they are doing, with the age of the last event', async () => {
      wanted();
      await openLinked('#webhooks');
      expect(await seen(words('Nothing has come in for a long time.'))).toBe(true);
      expect(await seen(words('2 h ago'))).toBe(true);
      account.webhooks = { ...account.webhooks, health: 'proven', because: 'event' };
      account.publish({ type: 'webhooks' });
      expect(await seen(words('Events arrive.'))).toBe(true);
    });

    test.each([
      [
        'the port is taken',
        'Webhooks cannot be received on 127.0.0.1 port 18581: another program uses it.',
        'Nothing is received: Webhooks cannot be received on 127.0.0.1 port 18581: another program uses it.',
        'anything else is tried again every minute.',
      ],
      [
        'a file cannot be read',
        'webhooks.tls.certFile names a file that cannot be read: /nowhere.pem.',
        'Nothing is received: webhooks.tls.certFile names a file that cannot be read: /nowhere.pem.',
        'needs a restart of Homebridge then',
      ],
      [
        'another process has the account',
        null,
        'The process that owns the account does not receive them.',
        'Start Homebridge.',
      ],
    ])(
      'that are not received because %s say so, and what to do, until they are',
      async (_why, trouble, what, advice) => {
        wanted();
        const received = account.webhooks;
        account.webhooks = {
          ...received,
          health: 'absent',
          because: 'not-open',
          listener: null,
          registration: 'pending',
          trouble,
        };
        await openLinked('#webhooks');
        expect(await seen(words(what))).toBe(true);
        expect(await seen(words(advice))).toBe(true);
        expect(await page.getByRole('button', { name: 'Test the way' }).count()).toBe(0);
        account.webhooks = received;
        account.publish({ type: 'webhooks' });
        await page.getByRole('button', { name: 'Test the way' }).waitFor();
        expect(await words(what).count()).toBe(0);
      },
    );

    test('are tested, and the page says where the way is cut', async () => {
      wanted();
      const lastSelfTest = { finding: 'signature-removed', status: 401, tookMs: 12, at: Date.now() } as const;
      account.answers.set('webhooks.test', () => {
        account.webhooks = { ...account.webhooks, lastSelfTest };
        return lastSelfTest;
      });
      await openLinked('#webhooks');
      await push('Test the way');
      expect(await seen(words('It arrived without its signature'))).toBe(true);
    });

    test('have an address that is shown only to who asks for it', async () => {
      wanted();
      account.answers.set('webhooks.status', (input) => ({
        ...account.webhooks,
        address:
          input !== undefined && JSON.stringify(input).includes('true')
            ? 'https://home.example/unguessable'
            : null,
      }));
      await openLinked('#webhooks');
      await words('Reached from outside').waitFor();
      expect(await page.content()).not.toContain('unguessable');
      await push('Show the whole address');
      await expect
        .poll(async () => page.getByRole('textbox', { name: 'Whole address' }).inputValue())
        .toBe('https://home.example/unguessable');
    });

    test('that are others are removed only after asking, and ours not at all', async () => {
      wanted();
      account.answers.set('webhooks.list', () => [
        { id: 'a', origin: 'https://home.example', whose: 'ours', active: true },
        { id: 'b', origin: 'https://old.example', whose: 'former', active: false },
      ]);
      account.answers.set('webhooks.remove', () => ({ removed: 'b' }));
      await openLinked('#webhooks');
      await words('What the service holds').click();
      await push('Remove, https://old.example');
      await push('Remove');
      await expect
        .poll(() => account.calls.find(([name]) => name === 'webhooks.remove')?.[1])
        .toEqual({ id: 'b' });
      expect(await page.getByRole('button', { name: 'Remove, https://home.example' }).count()).toBe(0);
    });
  });

  describe('the check', () => {
    const toCheck = async (): Promise<void> => {
      account.saveCredentials();
      account.hold(aLock('Front door', { bolt: 'unsecured' }));
      await open();
      await push('Save and continue');
      await heading('Link').waitFor();
      account.become('linked');
      await heading('Locks').waitFor();
      await push('Continue');
      await heading('Webhooks').waitFor();
      await push('Continue');
    };

    test('reads the list before it says done, shows the doors as they stand, and where the code for Home is', async () => {
      let answer = (): void => {};
      account.answers.set(
        'refresh',
        async () =>
          new Promise((resolve) => {
            answer = () => {
              resolve(account.locks);
            };
          }),
      );
      await toCheck();
      await words('Reading the locks from the service').waitFor();
      expect(await words('Done.').count()).toBe(0);
      answer();
      await words('Done.').waitFor();
      await expect
        .poll(async () => page.locator('.doors-checked').innerText())
        .toMatch(/Front door\s+Unlocked/u);
      expect(await seen(words('scan the bridge’s own code'))).toBe(true);
      expect(await page.locator('main').innerText()).not.toMatch(/\d{3}-\d{2}-\d{3}/u);
      await push('Finish');
      expect(await seen(heading('Overview'))).toBe(true);
    });

    test('is not done when the service did not list the locks, and can be tried again', async () => {
      account.answers.set('refresh', () => {
        throw new RetryError('server-fault', 'The lock service failed.');
      });
      await toCheck();
      expect(await seen(words('The lock service failed.'))).toBe(true);
      expect(await words('Done.').count()).toBe(0);
      account.answers.set('refresh', () => account.locks);
      await push('Check again');
      expect(await seen(words('Done.'))).toBe(true);
    });
  });

  describe('with the keyboard alone', () => {
    const focused = async (): Promise<string> =>
      page.evaluate(() => {
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
        await page.keyboard.press('Tab');
        if ((await focused()) === name) {
          return;
        }
      }
      throw new Error(`No Tab leads to ${name}`);
    };

    test('one gets from the first field to the end of the guide, and sees where one is', async () => {
      await open();
      for (const label of ['Client id', 'Client secret', 'Subscription key']) {
        await tabTo(label);
        await page.keyboard.type('typed');
      }
      await page.keyboard.press('Enter');
      await heading('Link').waitFor();
      await expect.poll(focused).toBe('Link');
      await tabTo('Go to the service');
      const outline = await page
        .locator(':focus')
        .evaluate((element) => getComputedStyle(element).outlineStyle);
      expect(outline).toBe('solid');
      account.hold(FRONT);
      account.become('linked');
      await heading('Locks').waitFor();
      await expect.poll(focused).toBe('Locks');
      for (const next of ['Webhooks', 'Check']) {
        await tabTo('Continue');
        await page.keyboard.press('Enter');
        await heading(next).waitFor();
        await expect.poll(focused).toBe(next);
      }
      await words('Done.').waitFor();
      await tabTo('Finish');
      await page.keyboard.press('Space');
      await heading('Overview').waitFor();
      await tabTo('Lock, Front door');
    });

    test('a question takes the focus, and Cancel gives the button back', async () => {
      account.hold(aLock('Front door', { presence: 'missing' }));
      await openLinked();
      await tabTo('Forget this lock, Front door');
      await page.keyboard.press('Enter');
      await words('It leaves Home with its room').waitFor();
      await tabTo('Cancel');
      await page.keyboard.press('Enter');
      expect(await gone(words('It leaves Home with its room'))).toBe(true);
      await expect.poll(focused).toBe('Forget this lock, Front door');
      expect(account.count('forget')).toBe(0);
    });
  });

  describe('where a login is asked for', () => {
    test('the token of the address is used once and stands in no address and no history afterwards', async () => {
      account.hold(FRONT);
      account.link = { ...account.link, state: 'linked' };
      panel = await PretendPanel.start(account, { asksForLogin: true });
      const { token } = panel.server.mintLogin();
      page = await visitor.open('about:blank');
      await page.goto(`${panel.url}#login=${token}`);
      await card('Front door').waitFor();
      expect(page.url()).toBe(`${panel.url}#overview`);
      await page.reload();
      await card('Front door').waitFor();
      await page.goBack();
      expect(page.url()).toBe('about:blank');
    });

    test('a token that lets nobody in does not stay in the address either', async () => {
      panel = await PretendPanel.start(account, { asksForLogin: true });
      page = await visitor.open(`${panel.url}#login=used-already`);
      await words('This login address is wrong').waitFor();
      expect(page.url()).toBe(panel.url);
    });

    test('an address that is no login at all shows the page, and does not stay', async () => {
      panel = await PretendPanel.start(account, { asksForLogin: true });
      page = await visitor.open(`${panel.url}#login=%`);
      expect(await seen(words('This login address is wrong'))).toBe(true);
      expect(page.url()).toBe(panel.url);
    });

    test('a stranger is told how to come in, and a pasted address lets in', async () => {
      account.hold(FRONT);
      account.link = { ...account.link, state: 'linked' };
      panel = await PretendPanel.start(account, { asksForLogin: true });
      page = await visitor.open(panel.url);
      await words('latchkey panel --login').waitFor();
      await fill('Or paste that address here', 'wrong');
      await push('Log in');
      await words('This login address is wrong').waitFor();
      await fill('Or paste that address here', `${panel.url}#login=${panel.server.mintLogin().token}`);
      await page.keyboard.press('Enter');
      expect(await seen(card('Front door'))).toBe(true);
    });
  });
});
