// What a host asks for every day, in the window of the real Homebridge UI on a phone, in three languages. The account is real.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import german from '../../languages/de.json' with { type: 'json' };
import japanese from '../../languages/ja.json' with { type: 'json' };
import { PanelClient } from '../../src/panel/socket/panel-client.ts';
import { HOST_VIEWS } from '../browser/host-views.ts';
import { linkAccount, ownerOf } from '../harness/link-account.ts';
import { SettingsWindow } from './settings-window.ts';
import { UiStage, WHY_NOT } from './ui-stage.ts';

const PHONE = { width: 390, height: 844 };
const NAME = 'Latchkey';
/** Codes reach both locks, each by a call of its own. */
const READY_WITHIN_MS = 60_000;
const DAY_MS = 86_400_000;

const stays = z.object({
  calendars: z.array(z.object({ id: z.string(), name: z.string() })),
  stays: z.array(z.object({ code: z.string() })),
});

const WORDS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  de: german,
  ja: japanese,
};

const TITLES = { stays: 'Stays', codes: 'Codes', locks: 'Settings' } as const;
/** Every page of the bar, and of the sheet behind its last place: an account without MQTT and credentials has no others. */
const PAGES = ['Overview', 'History', ...Object.values(TITLES), 'Alerts', 'Webhooks', 'Account'];

/** What stands in the account for the next language, too. */
const VIEWS = HOST_VIEWS.filter(({ isChanging = false }) => !isChanging);

describe.skipIf(WHY_NOT !== null)('a host in the Homebridge UI on a phone', () => {
  let runtime: UiStage;
  let window: SettingsWindow;
  let t: (text: string) => string;

  beforeAll(async () => {
    runtime = await UiStage.open({
      plugin: join(inject('packed').pluginsFolder, 'homebridge-latchkey'),
      isConfigured: true,
      scenario: {
        calendars: [
          {
            name: 'Flat 1',
            bookings: [
              { arrival: -2, nights: 3, phone: '+49 170 5550142' },
              { arrival: 1, nights: 3, phone: '+49 170 5550143' },
            ],
          },
        ],
      },
    });
    await linkAccount(runtime.ui.folder, NAME);
    await fill();
  });

  afterAll(async () => {
    await runtime.close();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      await window.picture('failed');
      console.log(runtime.ui.log);
    }
  });

  /** Two flats, guests of today and of later, one of them added by hand, and a cleaner. */
  async function fill(): Promise<void> {
    const pages = await PanelClient.connect(await ownerOf(runtime.ui.folder, NAME));
    try {
      const [house = '', flat = '', garage = ''] = runtime.simulator.world.deviceIds();
      const address = runtime.simulator.calendars[0]?.url;
      await pages.call('stays.add-calendar', { name: 'Flat 1', address, locks: [house, flat] });
      const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
      const byHand = { name: 'Uncle Jørgen', from: day(0), until: day(4), phone: '5550199' };
      await pages.call('stays.add', { ...byHand, locks: [garage] });
      const list = await vi.waitFor(async () => {
        const found = stays.parse(await pages.call('stays.list'));
        expect(found.stays.map(({ code }) => code)).toEqual(['hidden', 'hidden', 'hidden']);
        return found;
      }, READY_WITHIN_MS);
      await pages.call('guests.add-between', {
        name: 'Cleaning',
        pin: '7391',
        calendars: list.calendars.filter(({ name }) => name === 'Flat 1').map(({ id }) => id),
        until: '18:00',
      });
    } finally {
      await pages.close();
    }
  }

  /** A page of the bar at the foot, or of the sheet behind "More". */
  async function show(page: string): Promise<void> {
    const title = t(page);
    const link = window.inner.getByRole('link', { name: title, exact: true }).filter({ visible: true });
    if ((await link.count()) === 0) {
      await window.inner.locator('.page-bar button').click();
    }
    await link.first().click();
    await window.inner.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
  }

  /** What is amiss for listeners; at the edge; in the words of a choice; with a sheet for which one would have to look. */
  async function faults(): Promise<readonly unknown[]> {
    const sheet = window.inner.locator('dialog');
    const box = (await sheet.count()) === 0 ? null : await sheet.boundingBox();
    const isInSight = box === null || (box.y >= 0 && box.y + box.height <= PHONE.height);
    return [
      ...(await window.axeFaults()),
      ...((await window.reachesBeyond()) ? ['reaches beyond the edge'] : []),
      ...(await window.cutChoices()),
      ...(isInSight ? [] : [box]),
    ];
  }

  describe.each(['en', 'de', 'ja'])('%s', (language) => {
    beforeAll(async () => {
      const words = WORDS[language] ?? {};
      t = (text) => words[text] ?? text;
      await runtime.ui.stop();
      runtime.ui.speak(language);
      await runtime.ui.start();
      window = await SettingsWindow.open(runtime.visitor, runtime.ui, 'light', PHONE);
    });

    it.each(VIEWS)('shows the $name', async ({ name, at, shows, act }) => {
      await show(TITLES[at]);
      await act?.(window.inner, t);
      const place = window.inner.locator(shows).first();
      await place.waitFor();
      // A sheet has to be in sight by itself.
      if (!shows.startsWith('dialog')) {
        await place.scrollIntoViewIfNeeded();
      }
      await window.picture(`host-${language}-${name.replaceAll(/\W+/gu, '-')}`);
      expect(await faults()).toEqual([]);
      await window.inner.locator('body').press('Escape');
    });

    it.each(PAGES)('breaks no rule for screen readers, and fits, on the page "%s"', async (page) => {
      await show(page);
      await window.picture(`page-${language}-${page}`);
      expect(await faults()).toEqual([]);
    });

    it('makes the address of a feed, and withdraws it', async () => {
      await show(TITLES.stays);
      const view = VIEWS.find(({ name }) => name === 'sheet of a feed');
      await view?.act?.(window.inner, t);
      await window.push(t('Make an address'));
      await window.inner.locator('dialog textarea').waitFor();
      await window.picture(`host-${language}-address-of-a-feed`);
      expect(await faults()).toEqual([]);
      await window.push(t('Withdraw'));
      await window.inner.getByText(t('Withdrawn. The address no longer answers.')).waitFor();
      await window.inner.locator('body').press('Escape');
    });
  });
});
