// The history page in a real browser: the timeline in pages, filters, the week, and files.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { aLock } from './pretend-account.ts';
import { gone, seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('the history page', () => {
  const visit = panelVisits();

  const open = async (): Promise<void> => {
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await visit.openLinked();
    await visit.page.getByRole('link', { name: 'History' }).click();
    await visit.page.getByRole('heading', { name: 'Timeline' }).waitFor();
  };

  test('says who came in today, by day what happened, and where something is not known', async () => {
    await open();
    expect(await seen(visit.words('2 times,'))).toBe(true);
    expect(await seen(visit.words('Unlocked by Dog walker (a code)').first())).toBe(true);
    expect(await seen(visit.words('Not known what happened since').first())).toBe(true);
    expect(visit.account.count('history.refresh')).toBeGreaterThan(0);
  });

  test('reads fifty lines at a time, each once', async () => {
    await open();
    const lines = visit.page.locator('.activity li');
    await expect.poll(async () => lines.count()).toBe(50);
    await visit.push('Show older entries');
    await expect.poll(async () => lines.count()).toBe(100);
    await visit.push('Show older entries');
    await expect.poll(async () => lines.count()).toBe(120);
    expect(await gone(visit.page.getByRole('button', { name: 'Show older entries' }))).toBe(true);
  });

  test('asks for what is filtered: lock, person and method', async () => {
    await open();
    await visit.page.getByLabel('Lock', { exact: true }).selectOption({ label: 'Back door' });
    await visit.page.getByLabel('Method').selectOption({ label: 'Access code' });
    await visit.page.getByLabel('Person or code').fill('dog w');
    await visit.page.getByLabel('Person or code').press('Tab');
    await expect
      .poll(() => visit.account.calls.findLast(([name]) => name === 'history.page')?.[1])
      .toEqual({
        locks: ['id-of-Back door'],
        person: 'dog w',
        methods: ['code'],
        below: null,
        limit: 50,
      });
    expect(await gone(visit.words('by hand').first())).toBe(true);
  });

  test('keeps what is typed while the plugin reports a change', async () => {
    await open();
    const person = visit.page.getByLabel('Person or code');
    await person.fill('Dog wal');
    const { id } = aLock('Back door');
    visit.account.emit(id, { description: aLock('Cellar').description });
    await visit.page.getByLabel('Lock', { exact: true }).getByText('Cellar').waitFor({ state: 'attached' });
    expect(await person.inputValue()).toBe('Dog wal');
  });

  test('shows the week as a table, and goes back week by week', async () => {
    await open();
    const table = visit.page.getByRole('table');
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(25);
    expect(await table.getByText('?', { exact: true }).count()).toBe(2);
    await visit.push('Week before');
    await expect
      .poll(() => visit.account.calls.findLast(([name]) => name === 'history.week')?.[1])
      .toMatchObject({ weeksAgo: 1 });
  });

  test.each(['CSV', 'JSON'])('saves all that matches as %s, over the login of the page', async (format) => {
    await open();
    const download = visit.page.waitForEvent('download');
    await visit.push(`Export ${format}`);
    const file = await download;
    expect(file.suggestedFilename()).toBe(`latchkey-history.${format.toLowerCase()}`);
    expect(readFileSync(await file.path(), 'utf8')).toBe('time,lock\n');
  });

  test('says when the newest may be missing', async () => {
    visit.account.answers.set('history.refresh', () => ({ unanswered: 'The service cannot be reached.' }));
    await open();
    expect(await seen(visit.words('The latest entries may be missing: The service cannot be reached.'))).toBe(
      true,
    );
  });
});
