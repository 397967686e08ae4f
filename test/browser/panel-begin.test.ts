// The pages on which a person begins, in a real browser: what proves the partner, typed, copied, kept and missing.
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import { FinalError } from '../../src/support/errors.ts';
import { REFUSED } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  describe('service details', () => {
    test('the redirect URI stands there letter by letter, and a button copies it', async () => {
      await visit.open();
      await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await expect
        .poll(async () => visit.page.getByRole('textbox', { name: 'Redirect URI' }).inputValue())
        .toBe('https://home.example/callback');
      await visit.push('Copy, Redirect URI');
      await visit.page.getByText('Copied', { exact: true }).waitFor();
      expect(await visit.page.evaluate(async () => navigator.clipboard.readText())).toBe(
        'https://home.example/callback',
      );
    });

    test('without a clipboard, as on plain http, the button copies all the same', async () => {
      await visit.open();
      await visit.page.evaluate(() => {
        Object.defineProperty(window, 'isSecureContext', { value: false });
      });
      await visit.push('Copy, Redirect URI');
      expect(await seen(visit.page.getByText('Copied', { exact: true }))).toBe(true);
    });

    test('a field shows its fault as it is typed, and an untouched field shows none', async () => {
      await visit.open();
      expect(await visit.page.getByText('Required.').count()).toBe(0);
      await visit.fill('Client secret', 'in two');
      expect(await seen(visit.words('There is a space in the middle'))).toBe(true);
      await expect
        .poll(async () => visit.page.getByLabel('Client secret').getAttribute('aria-invalid'))
        .toBe('true');
      await visit.fill('Client secret', 'whole');
      expect(await gone(visit.words('There is a space in the middle'))).toBe(true);
      await visit.fill('Subscription key', 'k-1');
      await visit.fill('Second subscription key (optional)', 'k-1');
      expect(await seen(visit.words('This is the first key again.'))).toBe(true);
    });

    test('a missing value is named at each field, and the plugin gets no call', async () => {
      await visit.open();
      await visit.push('Save and continue');
      expect(await seen(visit.words('3 fields need attention.'))).toBe(true);
      await expect
        .poll(async () =>
          visit.page.getByLabel('Client ID', { exact: true }).evaluate((field) => field.matches(':focus')),
        )
        .toBe(true);
      await expect.poll(async () => visit.page.getByText('Required.').count()).toBe(3);
      expect(visit.account.count('partner.save')).toBe(0);
    });

    test('secrets are typed unseen, sent once without the spaces around them, and never come back', async () => {
      await visit.open();
      await visit.fill('Client ID', ' client-1 ');
      await visit.fill('Client secret', 'hush-hush');
      await visit.fill('Subscription key', 'key-one');
      for (const label of ['Client secret', 'Subscription key']) {
        await expect
          .poll(async () => visit.page.getByLabel(label, { exact: true }).getAttribute('type'))
          .toBe('password');
      }
      await visit.push('Save and continue');
      await visit.heading('Connect').waitFor();
      const input = visit.account.calls.find(([name]) => name === 'partner.save')?.[1];
      expect(input).toEqual({
        clientId: 'client-1',
        clientSecret: 'hush-hush',
        subscriptionKeys: ['key-one'],
      });
      await visit.push('Service details');
      await visit.words('Saved').first().waitFor();
      expect(await visit.page.content()).not.toMatch(/hush-hush|key-one/u);
      await visit.push('Replace, Client secret');
      await expect.poll(async () => visit.page.getByLabel('Client secret').inputValue()).toBe('');
    });

    test('a value of config.json is marked as such and has no field', async () => {
      visit.account.saveCredentials();
      visit.account.partner = { ...visit.account.partner, clientSecret: { from: 'config' } };
      await visit.open();
      expect(await visit.page.getByRole('button', { name: 'Replace, Client secret' }).count()).toBe(0);
      await expect.poll(async () => visit.page.getByText('Client secret config.json').count()).toBe(1);
    });

    test('values of config.json are shown, and not asked for', async () => {
      const from = 'config' as const;
      visit.account.saveCredentials();
      visit.account.partner = {
        ...visit.account.partner,
        clientId: { from, value: 'client-1' },
        clientSecret: { from },
        subscriptionKeys: { from, count: 2 },
      };
      await visit.open();
      expect(await seen(visit.words('There is nothing to enter here.'))).toBe(true);
      expect(await visit.page.locator('input:not([readonly])').count()).toBe(0);
      expect(await visit.words('Stored in a private file').count()).toBe(0);
      await visit.push('Save and continue');
      expect(await seen(visit.heading('Connect'))).toBe(true);
    });

    test('a value that the service rejects is named at its field, until that field is changed', async () => {
      visit.account.check = { ...visit.account.check, authorization: REFUSED, keys: [{ ok: true }, REFUSED] };
      await visit.open();
      await visit.fill('Client ID', 'client-1');
      await visit.fill('Client secret', 'wrong');
      await visit.fill('Subscription key', 'key-one');
      await visit.fill('Second subscription key (optional)', 'key-two');
      await visit.push('Save and continue');
      expect(await seen(visit.words('3 fields need attention.'))).toBe(true);
      await expect
        .poll(async () => visit.words('The service rejected the client ID or secret.').count())
        .toBe(2);
      await expect.poll(async () => visit.words('The service rejected this key.').count()).toBe(1);
      await visit.fill('Client secret', 'right');
      expect(await gone(visit.words('The service rejected the client ID or secret.'))).toBe(true);
      expect(await seen(visit.words('1 field needs attention.'))).toBe(true);
      visit.account.check = { ...visit.account.check, authorization: { ok: true }, keys: [{ ok: true }] };
      await visit.push('Save and continue');
      expect(await seen(visit.heading('Connect'))).toBe(true);
    });

    test('a service without an answer is named at its address', async () => {
      const silent = {
        ok: false,
        disposition: 'retry',
        code: 'unreachable',
        message: message('Silent.'),
      } as const;
      visit.account.saveCredentials();
      visit.account.check = { ...visit.account.check, authorization: silent, keys: [silent] };
      await visit.open();
      await visit.push('Save and continue');
      await expect
        .poll(async () => visit.words('The service didn’t answer at this address.').count())
        .toBe(2);
      expect(await visit.heading('Connect').count()).toBe(0);
    });

    test('a refusal of the plugin is shown in its words, and the typed values stay', async () => {
      visit.account.answers.set('partner.save', () => {
        throw new FinalError('bad-request', 'clientId is written in config.json; change it there.');
      });
      await visit.open();
      await visit.fill('Client ID', 'client-1');
      await visit.fill('Client secret', 's');
      await visit.fill('Subscription key', 'k');
      await visit.push('Save and continue');
      expect(await seen(visit.words('clientId is written in config.json; change it there.'))).toBe(true);
      await expect.poll(async () => visit.page.getByLabel('Client ID').inputValue()).toBe('client-1');
    });
  });

  describe('credentials that are missing', () => {
    test('are named as missing, not as a lost link, and the button leads to their fields', async () => {
      visit.account.partner = { ...visit.account.partner, missing: ['partner.clientSecret'] };
      await visit.open('#overview');
      expect(await seen(visit.words('The client secret is missing, so the service can’t be reached.'))).toBe(
        true,
      );
      await visit.push('Add it');
      expect(await seen(visit.page.getByLabel('Client secret', { exact: true }))).toBe(true);
    });
  });
});
