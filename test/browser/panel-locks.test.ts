// The page of the locks, in a real browser: their options, and the reasons for an empty list.
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import { RetryError } from '../../src/support/errors.ts';
import { aLock, settingsOf } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { seen } from './visitor.ts';

const FRONT = aLock('Front door');

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  describe('the locks', () => {
    test('are hidden and shown with one click that is stored at once, and the page shows what Home makes of it', async () => {
      visit.account.hold(FRONT);
      visit.account.answers.set('locks.configure', () => {
        visit.account.settings = [settingsOf(FRONT, { hide: { value: true, from: 'page' } })];
        return visit.account.settings[0];
      });
      await visit.openLinked('#locks');
      await visit.page.getByLabel('Show in Home, Front door').click();
      await visit.words('It leaves Home with its room and automations.').waitFor();
      expect(visit.account.count('locks.configure')).toBe(0);
      await visit.push('Hide');
      expect(await seen(visit.words('Saved. Front door was removed from Home.'))).toBe(true);
      expect(visit.inputsOf('locks.configure')).toEqual([{ lock: FRONT.id, settings: { hide: true } }]);
      await expect
        .poll(async () => visit.page.getByLabel('Show in Home, Front door').isChecked())
        .toBe(false);
    });

    test('show a refused switch in its former position, with the reason', async () => {
      visit.account.hold(FRONT);
      visit.account.answers.set('locks.configure', () => {
        throw new RetryError('storage-failed', 'The settings could not be kept: the disk is full.');
      });
      await visit.openLinked('#locks');
      await visit.page.getByLabel('Show in Home, Front door').click();
      await visit.push('Hide');
      expect(await seen(visit.words('The settings could not be kept: the disk is full.'))).toBe(true);
      await expect.poll(async () => visit.page.getByLabel('Show in Home, Front door').isChecked()).toBe(true);
    });

    test('have options that show their faults as they are typed, are stored when left, and fall back when emptied', async () => {
      visit.account.hold(FRONT);
      visit.account.settings = [settingsOf(FRONT, { name: { value: 'Main', from: 'page' } })];
      visit.account.answers.set('locks.configure', (input) => {
        const isZone = JSON.stringify(input).includes('timeZone');
        visit.account.settings = visit.account.settings.map((one) => ({
          ...one,
          ...(isZone
            ? { timeZone: { value: 'Europe/Paris', from: 'page' } }
            : { name: { value: null, from: 'default' } }),
        }));
        return visit.account.settings[0];
      });
      await visit.openLinked('#locks');
      await visit.words('Name and options').click();
      await visit.fill('Time zone', 'Nowhere');
      await visit.words('This isn’t a time zone.').waitFor();
      await visit.page.keyboard.press('Tab');
      expect(visit.account.count('locks.configure')).toBe(0);
      await visit.fill('Time zone', 'Europe/Paris');
      await visit.page.keyboard.press('Enter');
      await visit.fill('Low-battery warning (%)', '96');
      await visit.words('Enter a whole number from 1 to 95.').waitFor();
      await visit.fill('Name in Home', '');
      await visit.page.keyboard.press('Tab');
      await expect
        .poll(() => visit.inputsOf('locks.configure'))
        .toEqual([
          { lock: FRONT.id, settings: { timeZone: 'Europe/Paris' } },
          { lock: FRONT.id, settings: { name: null } },
        ]);
    });

    test('are sent once by Enter and by leaving the field, also while the page still shows the former text', async () => {
      visit.account.hold(FRONT);
      visit.account.settings = [settingsOf(FRONT)];
      // The list of options does not follow at once.
      visit.account.answers.set('locks.configure', () => visit.account.settings[0]);
      await visit.openLinked('#locks');
      await visit.words('Name and options').click();
      await visit.fill('Time zone', 'Europe/Paris');
      await visit.page.keyboard.press('Enter');
      await visit.words('Saved. Its history uses this time zone.').waitFor();
      await visit.page.keyboard.press('Tab');
      await visit.fill('Low-battery warning (%)', '30');
      await visit.page.keyboard.press('Enter');
      await expect.poll(() => visit.account.count('locks.configure')).toBe(2);
    });

    test('keep the options that config.json sets, marked as such', async () => {
      visit.account.hold(FRONT);
      visit.account.settings = [
        settingsOf(FRONT, {
          hide: { value: false, from: 'config' },
          name: { value: 'Main', from: 'config' },
        }),
      ];
      await visit.openLinked('#locks');
      await expect.poll(async () => visit.page.getByLabel(/^Show in Home/u).isDisabled()).toBe(true);
      await visit.words('Name and options').click();
      expect(await seen(visit.card('Front door').getByText('Main'))).toBe(true);
      expect(await visit.page.getByLabel('Name in Home').count()).toBe(0);
    });

    test('and codes with markup in their names are text on every page, and none of it runs (faults#64)', async () => {
      const trap = '<img src=x onerror="window.sprung=1"><script>window.sprung=1</script>';
      const lock = aLock(trap, {
        lastMove: { to: 'secured', by: { method: 'access-code', id: null, name: trap }, at: Date.now() },
      });
      visit.account.hold(lock);
      visit.account.link = { ...visit.account.link, accountChange: { missing: [trap], added: [trap] } };
      const detail = { type: 'bolt', bolt: 'secured', move: lock.lastMove } as const;
      visit.account.activity = [{ number: 1, at: Date.now(), lock: { id: lock.id, name: trap }, detail }];
      await visit.openLinked();
      for (const name of ['Overview', 'Settings', 'Account']) {
        await visit.show(name);
        await visit.page.getByText(trap).first().waitFor();
        expect(await visit.page.locator('main img, main script').count()).toBe(0);
      }
      expect(await visit.page.evaluate(() => 'sprung' in window)).toBe(false);
    });
  });

  describe('an empty list', () => {
    test('is not blamed on the account while the service has not listed the locks', async () => {
      const refusal = 'The lock service accepts none of the subscription keys.';
      visit.account.failing = {
        forMs: 1_000,
        message: message(refusal),
        code: 'unreachable',
        retryInMs: 30_000,
      };
      visit.account.lastListedAgoMs = null;
      await visit.openLinked('#locks');
      expect(await seen(visit.words(refusal))).toBe(true);
      expect(await visit.words('No locks found in this account.').count()).toBe(0);
      await visit.show('Overview');
      await visit.page.getByRole('heading', { name: 'Activity' }).waitFor();
      expect(await visit.words('No locks found in this account.').count()).toBe(0);
      expect(await visit.words('Connected').count()).toBe(0);
    });

    test('is shown as such once the service has listed no lock', async () => {
      await visit.openLinked('#locks');
      expect(await seen(visit.words('No locks found in this account.'))).toBe(true);
    });
  });
});
