// Each page beside the overview has a script of its own: it is loaded before it is wanted, and a missing one is reported.
import { describe, expect, test } from 'vitest';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { seen } from './visitor.ts';

/** Pages of which the dashboard of a linked account has a tab. */
const LATER = ['alerts', 'codes', 'credentials', 'history', 'mqtt', 'stays', 'webhooks'];

/** Sent as text: which pages have their script by now. */
const loadedPages = `performance.getEntriesByType('resource')
  .filter(({ responseEnd }) => responseEnd > 0)
  .flatMap(({ name }) => /\\/(\\w+)-page-/u.exec(name)?.[1] ?? [])`;

describe.skipIf(CHROMIUM === undefined)('the script of a page', () => {
  const visit = panelVisits({ isAlone: true });

  test('the script of a later page is loaded beforehand, so that the page opens although the plugin no longer answers', async () => {
    await visit.openLinked();
    // One after the other, when nothing else happens.
    await expect.poll(async () => visit.page.evaluate(loadedPages)).toEqual(expect.arrayContaining(LATER));
    await visit.panel.close();
    await visit.words('No connection to the plugin.').waitFor();
    await visit.show('Webhooks');
    expect(await seen(visit.words('Optional. Webhooks make changes appear instantly'))).toBe(true);
  });

  test('the script of a page that cannot be loaded is reported, and a reload brings it', async () => {
    await visit.openLinked();
    await visit.page.route(/\/webhooks-page-/u, async (route) => route.abort());
    await visit.page.reload();
    await visit.show('Webhooks');
    expect(await seen(visit.page.getByRole('alert').getByText('This page couldn’t be loaded.'))).toBe(true);
    await visit.page.unroute(/\/webhooks-page-/u);
    await visit.push('Reload');
    expect(await seen(visit.words('Optional. Webhooks make changes appear instantly'))).toBe(true);
    // That the script was kept back, the browser says on its console.
    expect(visit.visitor.complaints.splice(0).filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  });
});
