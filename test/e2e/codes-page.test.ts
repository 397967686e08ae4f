// The Codes page of the packed plugin, in a browser: a code that a person adds there opens the lock, and one that is removed does not.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CHEAP, CHROMIUM, launchChromium } from '../browser/chromium.ts';
import { freePort } from '../harness/free-port.ts';
import { type OpenedStage, openStage } from './stage.ts';

const DOOR = 'Front door';
const GUEST = 'Courier';
/** A code on its way to a lock and back, on a busy machine. */
const DONE = { timeout: 60_000, interval: 100 };

describe.skipIf(CHROMIUM === undefined)('the Codes page of the packed plugin', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      options: { panel: { enabled: true, port: await freePort() } },
    });
  });

  afterAll(async () => {
    await stage.leave();
  });

  it('adds a code to a lock, and removes it', async () => {
    const { world } = stage.simulator;
    const door = world.deviceIds().find((id) => world.inspect(id).name === DOOR) ?? expect.fail('no door');
    const onLock = (): readonly string[] => world.inspect(door).codesOnLock.map(({ name }) => name);
    const pages = await stage.pages();
    const { url } = await pages.call('panel.login', { role: 'all' });
    await pages.close();
    const browser = await launchChromium(CHEAP);
    try {
      const page = await browser.newPage({ locale: 'en-US' });
      await page.goto(url);
      await page.getByRole('link', { name: 'Codes' }).first().click();
      await page.getByRole('button', { name: 'Add a code', exact: true }).click();
      await page.getByLabel('Name', { exact: true }).fill(GUEST);
      await page.getByLabel('Code', { exact: true }).fill('6283');
      await page.getByRole('dialog').getByLabel(DOOR).check();
      await page.getByRole('button', { name: 'Add the code', exact: true }).click();
      await expect.poll(onLock, DONE).toContain(GUEST);
      expect(world.typeCode(door, '6283')).toBe('accepted');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `More, ${GUEST}` }).click();
      await page.getByRole('button', { name: `Remove, ${GUEST}` }).click();
      await page
        .getByRole('group', { name: `Remove, ${GUEST}` })
        .getByRole('button', { name: 'Remove' })
        .click();
      await expect.poll(onLock, DONE).not.toContain(GUEST);
    } finally {
      await browser.close();
    }
  });
});
