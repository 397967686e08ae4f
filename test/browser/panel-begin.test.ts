// The pages on which a person begins, in a real browser: what proves the partner, typed, copied, kept and missing.
import { describe, expect, test } from 'vitest';
import { FinalError } from '../../src/support/errors.ts';
import { REFUSED } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { gone, seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  describe('service details', () => {
    /** `key`, `secondKey`: of the subscription. */
    const enter = async (
      clientId: string,
      secret: string,
      key: string,
      secondKey?: string,
    ): Promise<void> => {
      await visit.fill('Client ID', clientId);
      await visit.fill('Client secret', secret);
      await visit.fill('Subscription key', key);
      if (secondKey !== undefined) {
        await visit.fill('Second subscription key (optional)', secondKey);
      }
    };

    test('the redirect URI stands there letter by letter, and a button copies it, also without a clipboard, as on plain http', async () => {
      await visit.open();
      await visit.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const uri = 'https://home.example/callback';
      await expect
        .poll(async () => visit.page.getByLabel('Redirect URI', { exact: true }).inputValue())
        .toBe(uri);
      await visit.push('Copy, Redirect URI');
      await visit.page.getByText('Copied', { exact: true }).waitFor();
      expect(await visit.page.evaluate(async () => navigator.clipboard.readText())).toBe(uri);
      visit.spoil();
      await visit.page.evaluate(async () => {
        await navigator.clipboard.writeText('');
        Object.defineProperty(window, 'isSecureContext', { value: false });
      });
      await visit.push('Copy, Redirect URI');
      await expect
        .poll(async () => visit.page.evaluate(async () => navigator.clipboard.readText()))
        .toBe(uri);
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
      await enter(' client-1 ', 'hush-hush', 'key-one');
      for (const label of ['Client secret', 'Subscription key']) {
        await expect
          .poll(async () => visit.page.getByLabel(label, { exact: true }).getAttribute('type'))
          .toBe('password');
      }
      await visit.push('Save and continue');
      await visit.heading('Connect').waitFor();
      expect(visit.inputsOf('partner.save')).toEqual([
        { clientId: 'client-1', clientSecret: 'hush-hush', subscriptionKeys: ['key-one'] },
      ]);
      await visit.push('Service details');
      await visit.words('Saved').first().waitFor();
      expect(await visit.page.content()).not.toMatch(/hush-hush|key-one/u);
      await visit.push('Replace, Client secret');
      await expect.poll(async () => visit.page.getByLabel('Client secret').inputValue()).toBe('');
    });

    test('values of config.json are marked as such, have no fields, and are not asked for', async () => {
      const from = 'config' as const;
      visit.account.saveCredentials();
      visit.account.partner = {
        ...visit.account.partner,
        clientId: { from, value: 'client-1' },
        clientSecret: { from },
        subscriptionKeys: { from, count: 2 },
      };
      await visit.open();
      await visit.push('Service details');
      expect(await seen(visit.words('There is nothing to enter here.'))).toBe(true);
      expect(await visit.words('Client secret config.json').count()).toBe(1);
      expect(await visit.button('Replace, Client secret').count()).toBe(0);
      expect(await visit.page.locator('input:not([readonly])').count()).toBe(0);
      expect(await visit.words('Stored in a private file').count()).toBe(0);
      await visit.push('Save and continue');
      expect(await seen(visit.heading('Connect'))).toBe(true);
    });

    test('a value that the service rejects is named at its field, until that field is changed', async () => {
      visit.account.check = { ...visit.account.check, authorization: REFUSED, keys: [{ ok: true }, REFUSED] };
      await visit.open();
      await enter('client-1', 'wrong', 'key-one', 'key-two');
      await visit.push('Save and continue');
      expect(await seen(visit.words('3 fields need attention.'))).toBe(true);
      const rejected = visit.words('The service rejected the client ID or secret.');
      await expect.poll(async () => rejected.count()).toBe(2);
      await expect.poll(async () => visit.words('The service rejected this key.').count()).toBe(1);
      await visit.fill('Client secret', 'right');
      expect(await gone(rejected)).toBe(true);
      expect(await seen(visit.words('1 field needs attention.'))).toBe(true);
      visit.account.check = { ...visit.account.check, authorization: { ok: true }, keys: [{ ok: true }] };
      await visit.push('Save and continue');
      expect(await seen(visit.heading('Connect'))).toBe(true);
    });

    test('a service without an answer is named at its address', async () => {
      const silent = { ...REFUSED, disposition: 'retry', code: 'unreachable' } as const;
      visit.account.saveCredentials();
      visit.account.check = { ...visit.account.check, authorization: silent, keys: [silent] };
      await visit.open();
      await visit.push('Service details');
      await visit.push('Save and continue');
      const silence = visit.words('The service didn’t answer at this address.');
      await expect.poll(async () => silence.count()).toBe(2);
      expect(await visit.heading('Connect').count()).toBe(0);
    });

    test('a refusal of the plugin is shown in its words, and the typed values stay', async () => {
      visit.account.answers.set('partner.save', () => {
        throw new FinalError('bad-request', 'clientId is written in config.json; change it there.');
      });
      await visit.open();
      await enter('client-1', 's', 'k');
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
