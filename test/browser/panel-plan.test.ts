// A host with 40 flats on a phone: what needs a person today stands on top, and the plan shows all flats.
import { describe, expect, test } from 'vitest';
import { message } from '../../src/domain/language/message.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import { aCalendar, aStay } from '../stand-ins/account/stays.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { listCodes } from './scenes.ts';
import { seen } from './visitor.ts';

const PHONE = { width: 390, height: 844 };

describe.skipIf(CHROMIUM === undefined)('the plan of a host on the panel', () => {
  const visit = panelVisits();

  test('40 flats on a phone: what needs the host today is seen without scrolling, and no page is too wide', async () => {
    visit.account.hold(aLock('House door'));
    listCodes(visit.account, () => ({}));
    const flats = Array.from({ length: 40 }, (_, index) => {
      const number = String(index + 1);
      const trouble = index === 30 ? message('The portal refuses this calendar.') : null;
      return aCalendar({ id: `page:${number}`, name: `Flat ${number}`, trouble });
    });
    const late = {
      alarms: [message('The code is not on every lock.')],
      name: 'Stay 26-29 Nov',
      phase: 'preparing',
    } as const;
    const stays = flats.flatMap(({ id, name }, index) => {
      const of = { calendarId: id, calendarName: name, phase: 'ready' } as const;
      return [
        aStay(-2, 0, { ...of, id: `${id}a`, phase: 'arrived' }),
        aStay(index % 3, 4, {
          ...of,
          id: `${id}b`,
          ...(index === 17 ? { ...late, calendarName: name } : {}),
        }),
      ];
    });
    visit.account.stays = { calendars: flats, stays };
    await visit.openLinked('#stays');
    const { page } = visit;
    await page.setViewportSize(PHONE);
    expect(await seen(visit.words('Today: 14 arrive, 40 leave, 2 need you'))).toBe(true);
    const needing = page.getByRole('region', { name: 'Today' }).getByText('The code is not on every lock.');
    // A calendar that cannot be read is folded away among forty, so it counts here.
    expect(await seen(page.getByRole('region', { name: 'Today' }).getByText('The portal refuses this'))).toBe(
      true,
    );
    const box = await needing.boundingBox();
    expect(box === null ? Infinity : box.y + box.height).toBeLessThan(PHONE.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    expect(await page.getByRole('table').filter({ hasText: 'Flat 40' }).first().count()).toBe(1);
    const picture = process.env['LATCHKEY_PICTURES'];
    if (picture !== undefined) {
      await page.screenshot({ path: `${picture}/plan-top.png` });
      await page.getByRole('heading', { name: 'Plan' }).scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${picture}/plan.png` });
    }
  });
});
