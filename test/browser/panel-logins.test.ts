// Logins to the dashboard in a real browser: the list of them, and pages that offer what a login may do.
import { describe, expect, test } from 'vitest';
import type { PageOperation } from '../../src/panel/operations/panel-api.ts';
import { mayCall } from '../../src/panel/operations/role-table.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { aGuest, listCodes, onLock } from './scenes.ts';
import { gone, seen } from './visitor.ts';

describe.skipIf(CHROMIUM === undefined)('logins', () => {
  const visit = panelVisits({ isAlone: true });
  const front = aLock('Front door', { bolt: 'unsecured' });
  const back = aLock('Back door', { bolt: 'unsecured' });

  const hold = (): void => {
    visit.account.hold(front, back);
    visit.account.guests = [aGuest('Anna', [onLock(front, { kind: 'up-to-date' })], { id: 'g1' })];
    listCodes(visit.account, () => ({}));
  };

  const tabs = async (): Promise<readonly string[]> =>
    visit.page.locator('.tabs').getByRole('link').allInnerTexts();

  test('are listed with their device, what they may do and their last use, and another one is ended', async () => {
    hold();
    await visit.openLinked('#link');
    const other = await visit.visitor.open(visit.panel.url, async (context) =>
      visit.panel.admit(context, 'look'),
    );
    await other.getByRole('heading', { level: 2, name: 'Overview' }).waitFor();
    await visit.page.reload();
    const list = visit.page.getByRole('list', { name: 'Logins' });
    await expect.poll(async () => list.getByRole('listitem').allInnerTexts()).toHaveLength(2);
    const [own, second] = await list.getByRole('listitem').allInnerTexts();
    expect(own).toMatch(/this browser.*may do everything.*last used /su);
    expect(second).toMatch(/may only look.*last used .*End this login/su);
    expect(await axeFaults(visit.page)).toEqual([]);
    await list.getByRole('button').click();
    expect(await seen(other.getByLabel('Login address'))).toBe(true);
    await expect.poll(async () => list.getByRole('listitem').allInnerTexts()).toHaveLength(1);
  });

  test('that may only look see locks and history, and nothing that moves, changes or tells digits', async () => {
    hold();
    await visit.openLinked('#codes', 'look');
    expect(await tabs()).toEqual(['Overview', 'History', 'Alerts']);
    expect(await seen(visit.heading('Overview'))).toBe(true);
    expect(await seen(visit.card('Front door'))).toBe(true);
    expect(await seen(visit.words('This login may only look.'))).toBe(true);
    const names = await visit.page.locator('main').getByRole('button').allInnerTexts();
    expect(names.filter((name) => !/Log out|All is well|^\d|more/u.test(name))).toEqual([]);
    expect(await axeFaults(visit.page)).toEqual([]);
    await visit.page.getByRole('link', { name: 'Front door' }).click();
    expect(await seen(visit.page.getByRole('region', { name: 'Who may come in' }).getByText('Anna'))).toBe(
      true,
    );
    expect(await gone(visit.button('Manage codes'))).toBe(true);
    await visit.show('History');
    expect(await gone(visit.button('Erase …'))).toBe(true);
    const asked = new Set(visit.account.calls.map(([name]) => name));
    const refused = [...asked].filter((name: PageOperation) => !mayCall('look', name));
    expect(refused).toEqual([]);
  });

  test('for guests and codes have that page alone, and add a guest there', async () => {
    hold();
    const anna = visit.account.guests[0];
    visit.account.answers.set('guests.add', () => ({ kind: 'saved', guest: anna }));
    await visit.openLinked('', 'codes');
    expect(await tabs()).toEqual(['Codes']);
    expect(await seen(visit.person('Anna'))).toBe(true);
    expect(await seen(visit.words('This login is for guests and their codes only.'))).toBe(true);
    await visit.push('Add a guest');
    await visit.fill('Name', 'Ben');
    await visit.fill('Code', '0815');
    await visit.push('Add the guest');
    await expect.poll(() => visit.inputsOf('guests.add')).toHaveLength(1);
    expect(await axeFaults(visit.page)).toEqual([]);
  });
});
