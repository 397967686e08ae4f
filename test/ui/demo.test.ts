// From an installed plugin to three demo locks in Home with five clicks, in the real Homebridge UI; and back.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { gone, seen } from '../browser/visitor.ts';
import { Home } from '../harness/home.ts';
import { SettingsWindow } from './settings-window.ts';
import { UiStage, WHY_NOT } from './ui-stage.ts';

const LOCKS = ['Demo back door', 'Demo front door', 'Demo garage'];
/** The tile, the demo, "Save", "Save" of the child bridge that the UI offers, and "Restart". */
const MOST_CLICKS = 5;
const BANNER_WITHIN_MS = 5_000;
const RESTARTED_WITHIN_MS = 60_000;

describe.skipIf(WHY_NOT !== null)('the demo in the Homebridge UI', () => {
  let runtime: UiStage;
  let window: SettingsWindow;
  let home: Home | undefined;

  beforeAll(async () => {
    runtime = await UiStage.open({ plugin: join(inject('packed').pluginsFolder, 'homebridge-latchkey') });
  });

  afterAll(async () => {
    await home?.close();
    await runtime.close();
  });

  it('the demo is on after one click in the window that "Set Up" opens', async () => {
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light');
    await window.push('Try the demo');
    expect(await seen(window.ours.getByText('three demo locks to Home'))).toBe(true);
    expect(runtime.ui.blocks()).toEqual([{ platform: 'Latchkey', name: 'Latchkey', demo: true }]);
    expect(await window.axeFaults()).toEqual([]);
    await window.picture('demo-1-restart');
  });

  it('the demo is in Home after "Save" and "Restart"', async () => {
    await window.save();
    await window.frame.getByText('Use Child Bridge').waitFor();
    await window.save();
    await window.frame.getByText('Restart Required').waitFor();
    runtime.ui.holdToLoopback();
    const since = runtime.ui.log.length;
    await runtime.visitor.click(window.frame.getByRole('button', { name: 'Restart' }));
    console.log(`Clicks from installed to the demo: ${runtime.visitor.clicks}`);
    expect(runtime.visitor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
    const bridge = runtime.ui.childBridge();
    await runtime.ui.logged(/DEMO: the locks are simulated/u, RESTARTED_WITHIN_MS, since);
    const paired = await Home.pair(bridge);
    home = paired;
    await vi.waitFor(async () => {
      await paired.refresh();
      expect(paired.accessories.toSorted()).toEqual(LOCKS);
    }, RESTARTED_WITHIN_MS);
  });

  it('the demo is named as one in its settings, and its locks are turned by hand there', async () => {
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'dark');
    expect(await seen(window.ours.getByText('This is a demo.'))).toBe(true);
    expect(await seen(window.ours.getByRole('article', { name: 'Demo garage' }))).toBe(true);
    const doors = window.ours.getByRole('link', { name: 'page of the simulated doors' });
    expect((await fetch((await doors.getAttribute('href')) ?? '')).status).toBe(200);
    const garage = window.ours.getByRole('article', { name: 'Demo garage' });
    for (const bolt of ['Unlocked', 'Locked']) {
      await garage.getByRole('button', { name: 'Turn by hand' }).click();
      expect(await seen(garage.getByText(bolt, { exact: true }))).toBe(true);
    }
    expect(await window.axeFaults()).toEqual([]);
    await window.picture('demo-2-running');
  });

  it('every page can be read among the styles of the UI', async () => {
    const tabs = window.ours.getByRole('navigation').getByRole('link');
    const names = await tabs.allInnerTexts();
    expect(names).toEqual(expect.arrayContaining(['Overview', 'History', 'Codes', 'Stays']));
    for (const name of names) {
      await window.ours.getByRole('link', { name, exact: true }).click();
      await window.ours.getByRole('heading', { level: 2, name, exact: true }).waitFor();
      expect([name, await window.axeFaults()]).toEqual([name, []]);
      await window.picture(`demo-page-${name.toLowerCase()}`);
    }
    await window.ours.getByRole('link', { name: 'Overview', exact: true }).click();
  });

  it('the window reports within five seconds that Homebridge was killed, and clears that by itself (faults#96)', async () => {
    const garage = window.ours.getByRole('article', { name: 'Demo garage' });
    const banner = window.ours.getByText('No connection to the plugin.');
    await garage.getByText('Locked', { exact: false }).first().waitFor();
    const { plugin } = await window.processes('Latchkey');
    const lostAt = performance.now();
    process.kill(plugin, 'SIGKILL');
    await banner.waitFor();
    expect(performance.now() - lostAt).toBeLessThan(BANNER_WITHIN_MS);
    expect(await seen(garage.getByText('Was locked'))).toBe(true);
    await window.picture('demo-3-killed');
    // The UI starts Homebridge again.
    await banner.waitFor({ state: 'hidden', timeout: RESTARTED_WITHIN_MS });
    expect(await gone(garage.getByText('Was locked'))).toBe(true);
  });

  it('the window reports, too, when its own process was killed (faults#96)', async () => {
    // Homebridge has just been started again: first it has to know where the bolts are.
    await window.ours
      .getByText(/^Locked/u)
      .first()
      .waitFor();
    const { window: pid } = await window.processes('Latchkey');
    const lostAt = performance.now();
    process.kill(pid, 'SIGKILL');
    await window.ours.getByText('No connection to the plugin.').waitFor();
    expect(performance.now() - lostAt).toBeLessThan(BANNER_WITHIN_MS);
    expect(await seen(window.ours.getByText('Was locked'))).toBe(true);
  });

  it('the demo is ended with one click', async () => {
    window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light');
    await window.push('End the demo');
    await window.ours.getByText('That removes the demo locks.').waitFor();
    expect(runtime.ui.blocks()).toMatchObject([{ demo: false }]);
    await window.picture('demo-4-ended');
  });
});
