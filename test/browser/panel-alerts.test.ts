// The page of alerts: set in a window like the Homebridge UI's, looked at on the dashboard.
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { aLock } from '../stand-ins/account/operations.ts';
import type { HomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { CHROMIUM } from './chromium.ts';
import { panelVisits } from './panel-visits.ts';
import { BLOCK } from './scenes.ts';
import { seen } from './visitor.ts';

const AFTER_RESTART = 'In Home after the next restart of Homebridge.';

describe.skipIf(CHROMIUM === undefined)('the page of alerts', () => {
  const visit = panelVisits();

  const openWindow = async (alerts?: object): Promise<HomebridgeWindow> => {
    visit.link();
    visit.account.hold(aLock('Front door'), aLock('Garage'));
    const homebridge = await visit.openWindow({
      blocks: [{ ...BLOCK, debug: true, ...(alerts === undefined ? {} : { alerts }) }],
    });
    await visit.show('Alerts');
    await visit.page.getByRole('heading', { name: 'For automations' }).waitFor();
    return homebridge;
  };
  const switchOf = (name: string): Locator => visit.page.getByLabel(new RegExp(`^${name}\\b`, 'u'));
  const turn = async (name: string): Promise<void> => switchOf(name).click();
  const alertsOf = (homebridge: HomebridgeWindow): unknown => homebridge.saved()[0]?.['alerts'];

  test('in the Homebridge UI a switch writes its alert into config.json, and nothing else changes there', async () => {
    const homebridge = await openWindow({ lowBattery: true });
    await turn('Jammed bolt');
    await turn('Wrong codes');
    await turn('Low battery');
    await expect
      .poll(() => alertsOf(homebridge))
      .toEqual({ jam: true, wrongCode: { enabled: true }, lowBattery: false });
    const [block] = homebridge.saved();
    expect(block).toEqual({ ...BLOCK, debug: true, alerts: alertsOf(homebridge) });
    expect(readConfig(block ?? {})).toMatchObject({ ok: true, config: { alerts: { jam: true } } });
    expect(await seen(visit.words(`Saved. ${AFTER_RESTART}`))).toBe(true);
  });

  test('an alert says where it appears in Home, and that a restart is to come until the plugin runs with it', async () => {
    await openWindow({ jam: true });
    const row = visit.page.getByRole('listitem').filter({ hasText: 'Alert while the bolt is jammed.' });
    expect(await row.innerText()).toContain('In Home: “Front door jammed”, on as long as it is so.');
    expect(await row.innerText()).toContain(AFTER_RESTART);
    visit.account.alerts = {
      ...visit.account.alerts,
      options: { ...visit.account.alerts.options, jam: true },
    };
    await visit.show('Overview');
    await visit.show('Alerts');
    await expect.poll(async () => row.innerText()).not.toContain(AFTER_RESTART);
  });

  test('minutes, names, ways and choices are written as the option table wants them', async () => {
    const homebridge = await openWindow();
    await turn('Left unlocked');
    await visit.fill('Minutes', '25');
    await visit.page.keyboard.press('Enter');
    await visit.fill('Unlocked by access code', 'Anna, Dog walker, Anna');
    await visit.page.keyboard.press('Enter');
    await switchOf('Auto-relock').click();
    await switchOf('Remotely').click();
    await switchOf('Remotely').click();
    await visit.page.getByLabel('Contact sensor (Home shows a door)').click();
    await visit.page.getByLabel('Locks only').click();
    const wanted = {
      leftUnlocked: 25,
      unlockedByCode: ['Anna', 'Dog walker'],
      movedBy: ['autoRelock'],
      boltSensor: 'contact',
      automationSwitch: 'lockOnly',
    };
    await expect.poll(() => alertsOf(homebridge)).toEqual(wanted);
    expect(readConfig(homebridge.saved()[0] ?? {})).toMatchObject({ ok: true, config: { alerts: wanted } });
  });

  test('what the option table would refuse is not saved, and the field says why', async () => {
    const homebridge = await openWindow({ leftUnlocked: 15 });
    await visit.fill('Minutes', '1441');
    await visit.page.keyboard.press('Enter');
    expect(await seen(visit.words('Enter a whole number from 1 to 1440.'))).toBe(true);
    await visit.fill('Unlocked by access code', 'A name of more than twenty-four letters');
    await visit.page.keyboard.press('Enter');
    expect(await seen(visit.words('At most 20 names, each of at most 24 letters.'))).toBe(true);
    await turn('Jammed bolt');
    await expect.poll(() => alertsOf(homebridge)).toEqual({ leftUnlocked: 15, jam: true });
  });

  test('the dashboard shows what is in force and when it was recorded last, and leads to where it is set', async () => {
    const [at, front] = [Date.now() - 60_000, aLock('Front door')];
    visit.account.hold(front);
    visit.account.alerts = {
      options: { ...visit.account.alerts.options, jam: true, boltSensor: 'occupancy' },
      last: { jam: { at, lock: front.id, lockName: 'Front door' } },
    };
    await visit.openLinked('#alerts');
    const jam = switchOf('Jammed bolt');
    await jam.waitFor();
    expect([await jam.isChecked(), await jam.isDisabled()]).toEqual([true, true]);
    const row = visit.page.getByRole('listitem').filter({ hasText: 'Alert while the bolt is jammed.' });
    expect(await row.innerText()).toMatch(/Last recorded: .*\d:\d\d\s[AP]M, Front door\./u);
    expect(await seen(visit.words('Turn it on in the plugin’s settings, then restart Homebridge.'))).toBe(
      true,
    );
    expect(await seen(visit.words('Occupancy sensor'))).toBe(true);
    expect(await visit.words(AFTER_RESTART).count()).toBe(0);
  });
});
