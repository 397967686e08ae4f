// The page of webhooks, in a real browser: their health, the test, the address, and the service's registrations.
import { describe, expect, test } from 'vitest';
import { verbatim } from '../../src/domain/language/message.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  describe('webhooks', () => {
    const wanted = (): void => {
      visit.account.webhooks = {
        ...visit.account.webhooks,
        enabled: true,
        health: 'degraded',
        because: 'silent',
        listener: 'http://127.0.0.1:18581',
        publicUrl: 'https://home.example',
        registration: 'standing',
        lastEventAgoMs: 7_200_000,
      };
    };

    test('show their health, with the age of the last event', async () => {
      wanted();
      await visit.openLinked('#webhooks');
      expect(await seen(visit.words('Nothing has arrived for a long time.'))).toBe(true);
      expect(await seen(visit.words('2 hours ago'))).toBe(true);
      visit.account.webhooks = { ...visit.account.webhooks, health: 'healthy', because: 'event' };
      visit.account.publish({ type: 'webhooks' });
      expect(await seen(visit.words('Events arrive.'))).toBe(true);
    });

    test('that are not received show the reason and the next step, until they arrive', async () => {
      wanted();
      const received = visit.account.webhooks;
      const trouble = 'Webhooks cannot be received on 127.0.0.1 port 18581: another program uses it.';
      visit.account.webhooks = {
        ...received,
        health: 'absent',
        because: 'not-open',
        listener: null,
        registration: 'pending',
        trouble: verbatim(trouble),
      };
      await visit.openLinked('#webhooks');
      expect(await seen(visit.words(`Nothing is received: ${trouble}`))).toBe(true);
      expect(await seen(visit.words('otherwise it retries every minute.'))).toBe(true);
      expect(await visit.button('Test connection').count()).toBe(0);
      visit.account.webhooks = received;
      visit.account.publish({ type: 'webhooks' });
      await visit.button('Test connection').waitFor();
      expect(await visit.words(trouble).count()).toBe(0);
    });

    test('are tested, and the page shows where the path is cut', async () => {
      wanted();
      const lastSelfTest = { finding: 'signature-removed', status: 401, tookMs: 12, at: Date.now() } as const;
      visit.account.answers.set('webhooks.test', () => {
        visit.account.webhooks = { ...visit.account.webhooks, lastSelfTest };
        return lastSelfTest;
      });
      await visit.openLinked('#webhooks');
      await visit.push('Test connection');
      expect(await seen(visit.words('The test arrived without its signature'))).toBe(true);
    });

    test('have an address that is shown on request only', async () => {
      wanted();
      visit.account.answers.set('webhooks.status', (input) => ({
        ...visit.account.webhooks,
        address:
          input !== undefined && JSON.stringify(input).includes('true')
            ? 'https://home.example/unguessable'
            : null,
      }));
      await visit.openLinked('#webhooks');
      await visit.words('Reached from outside').waitFor();
      expect(await visit.page.content()).not.toContain('unguessable');
      await visit.push('Show the whole address');
      await expect
        .poll(async () => visit.page.getByRole('textbox', { name: 'Whole address' }).inputValue())
        .toBe('https://home.example/unguessable');
    });

    test('of other clients are removed only after a question, and ours not at all', async () => {
      wanted();
      visit.account.answers.set('webhooks.list', () => [
        { id: 'a', origin: 'https://home.example', whose: 'ours', active: true },
        { id: 'b', origin: 'https://old.example', whose: 'former', active: false },
      ]);
      visit.account.answers.set('webhooks.remove', () => ({ removed: 'b' }));
      await visit.openLinked('#webhooks');
      await visit.words('Registered addresses').click();
      await visit.push('Remove, https://old.example');
      await visit.push('Remove');
      await expect.poll(() => visit.inputsOf('webhooks.remove')).toEqual([{ id: 'b' }]);
      expect(await visit.button('Remove, https://home.example').count()).toBe(0);
    });
  });
});
