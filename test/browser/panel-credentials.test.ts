// The page of credentials, in a real browser: only where there is an interface, and every step of it by hand.
import { describe, expect, test } from 'vitest';
import type { CredentialsView } from '../../src/features/credentials/panel/views.ts';
import { CHROMIUM } from './chromium.ts';
import { configureCredentials } from './credentialing.ts';
import { panelVisits } from './panel-visits.ts';
import { seen } from './visitor.ts';

const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';

describe.skipIf(CHROMIUM === undefined)('the panel', () => {
  const visit = panelVisits();

  const configure = (view: CredentialsView = { loginFrom: 'vault', import: null }): void =>
    configureCredentials(visit.account, view);
  const issue = (...sites: readonly string[]): void => {
    visit.account.answers.set('credentials.list', () => ({
      unreadable: 0,
      credentials: sites.map((siteId, index) => ({
        id: `c-${String(index)}`,
        userId: USER,
        mobileNumber: `+1555010012${String(index)}`,
        kind: 'card',
        cardFormat: '26A',
        cardNumber: index + 1,
        facilityCode: 12,
        isDownloaded: false,
        siteId,
        siteName: `Block ${siteId}`,
      })),
    }));
  };

  describe('credentials', () => {
    test('have no page where no interface is configured', async () => {
      await visit.openLinked('#locks');
      expect(await visit.page.getByRole('link', { name: 'Credentials' }).count()).toBe(0);
    });

    test('are listed, and found by site and by text', async () => {
      configure();
      issue('7', '8', '8');
      await visit.openLinked('#credentials');
      expect(await seen(visit.words('3 credentials.'))).toBe(true);
      await visit.page.getByLabel('Site', { exact: true }).selectOption('Block 8');
      expect(await seen(visit.words('2 of 3.'))).toBe(true);
      await visit.fill('Search', '0122');
      expect(await seen(visit.words('1 of 3.'))).toBe(true);
    });

    test('are deleted only after a question', async () => {
      configure();
      issue('7');
      visit.account.answers.set('credentials.delete', () => {
        issue();
        return { deleted: 'c-0' };
      });
      await visit.openLinked('#credentials');
      await visit.page.getByRole('button', { name: 'Delete, +15550100120' }).click();
      expect(visit.account.count('credentials.delete')).toBe(0);
      await visit.push('Delete');
      expect(await seen(visit.words('There are no credentials yet.'))).toBe(true);
    });

    test('are issued once every field is right', async () => {
      configure();
      visit.account.answers.set('credentials.create', () => {
        issue('7');
        return { id: 'c-0', cardNumber: 1, outcome: 'issued' };
      });
      await visit.openLinked('#credentials');
      await visit.push('Issue');
      expect(await seen(visit.words(/This must be a UUID/))).toBe(true);
      expect(visit.account.count('credentials.create')).toBe(0);
      await visit.fill('User ID', USER);
      await visit.fill('Mobile number', '+15550100120');
      await visit.fill('Facility code', '12');
      await visit.push('Issue');
      expect(await seen(visit.words(/^Issued\./))).toBe(true);
      expect(await seen(visit.words('1 credential.'))).toBe(true);
    });

    test('ask for the login first, and say why it was refused', async () => {
      configure({ loginFrom: null, import: null });
      visit.account.answers.set('credentials.login', () => {
        configure();
        return visit.account.answers.get('credentials.show')?.({});
      });
      await visit.openLinked('#credentials');
      await visit.push('Log in');
      expect(visit.account.count('credentials.login')).toBe(0);
      await visit.fill('User name', 'site-admin');
      await visit.fill('Password', 'a pretend password');
      await visit.push('Log in');
      expect(await seen(visit.words('There are no credentials yet.'))).toBe(true);
    });

    const planned = (change: object): void => {
      const plan = { faults: [], warnings: [], rows: 0, add: 0, unchanged: 0, different: 0, missing: 0 };
      visit.account.answers.set('credentials.plan', () => ({ ...plan, expectedMs: 60_000, ...change }));
    };
    const choose = async (text: string, encoding: BufferEncoding = 'utf8'): Promise<void> =>
      visit.page
        .getByLabel('File')
        .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });

    test('are imported from a file after a plan, with progress', async () => {
      configure();
      planned({ rows: 120, add: 120 });
      const become = (change: object): void => {
        const running = { remainingMs: 60_000, waitMs: 30_000, counts: {}, amiss: [], message: null };
        const going = { ...running, state: 'running' as const, done: 100, total: 120, ...change };
        configure({ loginFrom: 'vault', import: going });
      };
      visit.account.answers.set('credentials.import', () => {
        become({});
        return visit.account.answers.get('credentials.show')?.({});
      });
      await visit.openLinked('#credentials');
      await choose('userId\n');
      expect(await seen(visit.words(/120 to add/))).toBe(true);
      await visit.push('Start import');
      expect(await seen(visit.words('100 of 120 done'))).toBe(true);
      expect(await seen(visit.words('Paused 30 seconds (rate limit).'))).toBe(true);
      become({ state: 'finished', done: 120, counts: { created: 120 } });
      expect(await seen(visit.words(/Import finished\. 120 created/))).toBe(true);
    });

    test('show the faults of a file, and do not start', async () => {
      configure();
      planned({ faults: ['line 2: userId is missing'] });
      await visit.openLinked('#credentials');
      await choose('userId\n');
      expect(await seen(visit.words('line 2: userId is missing'))).toBe(true);
      expect(await visit.button('Start import').count()).toBe(0);
    });

    test('say what to do about a file in another encoding, and send nothing of it (faults#121)', async () => {
      configure();
      await visit.openLinked('#credentials');
      await choose('userId\nZoë\n', 'latin1');
      expect(await seen(visit.words(/no UTF-8 text\. Save it as UTF-8/))).toBe(true);
      expect(await visit.button('Start import').count()).toBe(0);
    });
  });
});
