// History and access codes in a window like the Homebridge UI's: the same pages as on the dashboard.
import { beforeEach, describe, expect, test } from 'vitest';
import { aLock } from '../stand-ins/account/operations.ts';
import { CHROMIUM } from './chromium.ts';
import { overflowPixels, unnamedControls } from './page-checks.ts';
import { panelVisits } from './panel-visits.ts';
import { BLOCK, listCodes } from './scenes.ts';
import { seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('the window of the Homebridge UI', () => {
  const visit = panelVisits();

  beforeEach(async () => {
    visit.link();
    visit.account.hold(aLock('Front door'), aLock('Back door'));
    await visit.openWindow({ blocks: [BLOCK] });
  });

  test('the Homebridge UI has the same pages as the dashboard, the overview first', async () => {
    visit.account.partner = {
      ...visit.account.partner,
      credentialsUrl: 'https://credentials.partner.example',
    };
    visit.account.become('linked');
    const tabs = async (): Promise<readonly string[]> => {
      await visit.page.getByRole('link', { name: 'Credentials' }).waitFor();
      return visit.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allInnerTexts();
    };
    const here = await tabs();
    expect(here[0]).toBe('Overview');
    expect(await seen(visit.button('More, Front door'))).toBe(true);
    visit.page = await visit.visitor.open(visit.panel.url, async (context) => visit.panel.admit(context));
    expect(await tabs()).toEqual(here);
  });

  test('the Homebridge UI has the history: who came in today, the timeline and the week', async () => {
    await visit.show('History');
    expect(await seen(visit.words('Unlocked by Dog walker (a code)').first())).toBe(true);
    await visit.button('Show older entries').scrollIntoViewIfNeeded();
    await expect.poll(async () => visit.page.locator('.activity li').count()).toBeGreaterThanOrEqual(100);
    await visit.page.getByLabel('Lock', { exact: true }).selectOption({ label: 'Back door' });
    await expect
      .poll(() => visit.inputsOf('history.look').at(-1))
      .toMatchObject({ locks: ['id-of-Back door'] });
    expect(await visit.page.getByRole('table').getByRole('row').count()).toBe(25);
    expect(await visit.button(/^Export/u).count()).toBe(0);
    expect(await seen(visit.words('To save the history as a file, open the dashboard'))).toBe(true);
    expect(await visit.page.evaluate(overflowPixels)).toBe(0);
    expect(await visit.page.evaluate(unnamedControls)).toEqual([]);
  });

  test('the Homebridge UI has the access codes of each lock', async () => {
    const asked: unknown[] = [];
    listCodes(visit.account, (lock) => {
      asked.push(lock);
      const schedule = { kind: 'always' };
      return { codes: [{ id: 'c-1', name: 'Cleaner', pinLength: 4, readOnly: false, schedule }] };
    });
    await visit.show('Codes');
    expect(await seen(visit.person('Cleaner').first())).toBe(true);
    expect(asked).toContain('id-of-Front door');
  });
});
