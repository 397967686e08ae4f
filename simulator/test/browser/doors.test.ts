// The doors page in a real browser: hands on it move bolts, and what happens elsewhere is seen without a reload.
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/support/clock.ts';
import { axeFaults } from '../../../test/browser/axe-faults.ts';
import { CHROMIUM } from '../../../test/browser/chromium.ts';
import {
  overflowPixels,
  paleTexts,
  smallTargets,
  structureFaults,
  unnamedControls,
} from '../../../test/browser/page-checks.ts';
import { DESKTOP, PHONE, seen, Visitor } from '../../../test/browser/visitor.ts';
import { Fixture } from '../server/partner.ts';
import { namesOf, specificationTables } from '../simulator-document.ts';
import { Receiver } from '../webhooks/receiver.ts';

/** A small phone, or a desk at 400 percent. */
const NARROW = 320;

if (CHROMIUM === undefined) {
  console.warn(
    'Skipped: there is no Chromium. Install one, or name its program in the environment variable CHROMIUM.',
  );
}

describe.skipIf(CHROMIUM === undefined)('the doors page', () => {
  let visitor: Visitor;
  let fixture: Fixture;
  let page: Page;

  beforeAll(async () => {
    visitor = await Visitor.ofTests();
  });

  beforeEach(async () => {
    fixture = await Fixture.start({ clock: systemClock, webhooks: { allowHttpToLoopback: true } });
    page = await visitor.open(fixture.simulator.url);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('article').first().waitFor();
  });

  afterEach(async () => {
    await visitor.leave();
    await fixture.close();
  });

  const card = (name = 'Front door'): Locator => page.getByRole('article', { name });
  const row = (what: string, name?: string): Locator => card(name).locator('.standing tr', { hasText: what });
  const button = (name: string | RegExp, of?: string): Locator =>
    card(of).getByRole('button', { name, exact: true });
  const world = () => fixture.simulator.world.inspect(fixture.lockId());

  const unfoldAll = async (): Promise<void> => {
    for (const summary of await page.locator('summary').all()) {
      await summary.click();
    }
  };

  const part = (title: string): Locator => page.getByRole('region', { name: title, exact: true });
  const unfolded = async (title: string): Promise<Locator> => {
    await part(title).locator('summary').click();
    return part(title);
  };
  const requests = (): Locator => page.getByRole('region', { name: 'List of requests' });
  /** The faults of a lock, and its supply. */
  const unfoldFaults = async (of?: string): Promise<void> => {
    await card(of).getByText('Battery and faults').click();
  };

  describe('the first view', () => {
    test('shows the doors, large; everything else is folded away below them', async () => {
      const front = await card().boundingBox();
      const door = await card().locator('.door').boundingBox();
      const around = await page.locator('.around').boundingBox();
      expect((front?.y ?? 0) + (front?.height ?? 0)).toBeLessThan(around?.y ?? 0);
      expect(door?.width).toBeGreaterThan(DESKTOP.width / 4);
      expect(door?.height).toBeGreaterThan(200);
      expect(await page.locator('.around h2').allTextContents()).toEqual([
        'Faults',
        'Booking calendars',
        'People',
        'Time',
        'Requests',
        'Webhooks',
        'Anything else',
      ]);
      expect(await page.locator('details').count()).toBeGreaterThan(6);
      expect(await page.locator('details[open]').count()).toBe(0);
      expect(await page.locator('.around').locator('button, select, table').count()).toBe(0);
    });

    test('has a summary on each folded part, such as "1 on"', async () => {
      await fixture.control('house/inject-fault', { kind: 'latency', delayMs: 1, often: { times: 9 } });
      await fixture.control('time/advance', { ms: 86_400_000 });
      const partner = await fixture.link();
      await partner.call('/devices');
      await part('Faults').getByText('1 on').waitFor();
      await part('People').getByText('1 connected').waitFor();
      await part('Time').getByText('moved ahead').waitFor();
      expect(await seen(part('Requests').getByText('GET /api/locks/devices, 200'))).toBe(true);
    });

    test('keeps what was unfolded and entered while the page is open, over a loss of the simulator', async () => {
      const port = Number(new URL(fixture.simulator.url).port);
      const faults = await unfolded('Faults');
      await faults.getByLabel('Where').selectOption('commands');
      await unfoldFaults();
      await faults.locator('summary').click();
      await expect.poll(async () => faults.getByLabel('Where').isVisible()).toBe(false);
      await faults.locator('summary').click();
      await fixture.close();
      await page.getByText('Connecting …').waitFor();
      fixture = await Fixture.start({ clock: systemClock, port });
      await page.getByText('Live', { exact: true }).waitFor();
      await fixture.control('locks/Garage/turn-thumbturn');
      await card('Garage').getByText('Unlocked, by hand').waitFor();
      expect(await faults.getByLabel('Where').locator('option:checked').textContent()).toBe('commands');
      expect(await faults.getByLabel('Where').isVisible()).toBe(true);
      expect(await button('Battery low, Front door').isVisible()).toBe(true);
      expect(await page.locator('details[open]').count()).toBe(2);
    });

    test('has a link that leads past the doors', async () => {
      for (let door = 0; door < 20; door += 1) {
        const name = `Flat ${String(door)}`;
        await fixture.control('house/add-lock', { name, type: 'WifiLever', roles: {} });
      }
      await card('Flat 19').waitFor();
      await page.getByRole('link', { name: 'Faults, people, time' }).click();
      await expect.poll(async () => page.evaluate(() => window.scrollY)).toBeGreaterThan(DESKTOP.height);
      await page.keyboard.press('Tab');
      await expect
        .poll(async () => page.evaluate(() => document.activeElement?.textContent))
        .toContain('Faults');
    });
  });

  describe('turning a bolt', () => {
    test('works by mouse: the door, the cloud and the diary follow without a reload', async () => {
      await page.evaluate(() => {
        document.body.dataset['sameDocument'] = 'yes';
      });
      await expect.poll(async () => row('Bolt').innerText()).toMatch(/Locked\s+Locked/);
      await button(/^Turn the thumbturn/).click();
      await row('Bolt').getByText('Unlocked').nth(1).waitFor();
      expect(world().bolt).toBe('Unlocked');
      await card().getByText('Unlocked, by hand').waitFor();
      await button('Turn the thumbturn, Front door, now Unlocked').click();
      await expect.poll(() => world().bolt).toBe('Locked');
      await card().getByText('Locked, by hand').first().waitFor();
      expect(await page.evaluate(() => document.body.dataset['sameDocument'])).toBe('yes');
    });

    test('works by keyboard: the first thumbturn follows the links, its focus is visible, Space turns it', async () => {
      for (const link of ['Faults, people, time', 'Download the log']) {
        await page.keyboard.press('Tab');
        await expect.poll(async () => page.evaluate(() => document.activeElement?.textContent)).toBe(link);
      }
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      await expect
        .poll(async () => focused.getAttribute('aria-label'))
        .toBe('Turn the thumbturn, Front door, now Locked');
      const outline = await focused.evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return `${outlineStyle} ${outlineWidth}`;
      });
      expect(outline).toBe('solid 3px');
      await page.keyboard.press('Space');
      await row('Bolt').getByText('Unlocked').nth(1).waitFor();
      expect(world().bolt).toBe('Unlocked');
      await page.keyboard.press('Enter');
      await expect.poll(() => world().bolt).toBe('Locked');
      await card().getByText('Locked, by hand').first().waitFor();
    });

    test('follows the visual order when the keyboard goes through a card', async () => {
      const stops: string[] = [];
      await button(/^Turn the thumbturn/).focus();
      for (let stop = 0; stop < 6; stop += 1) {
        await page.keyboard.press('Tab');
        stops.push(
          await page.evaluate(() => {
            const { activeElement } = document;
            const label =
              activeElement instanceof HTMLInputElement ? activeElement.labels?.[0] : activeElement;
            return activeElement?.getAttribute('aria-label') ?? label?.textContent ?? '';
          }),
        );
      }
      expect(stops).toEqual([
        'Code at the keypad',
        'Unlock by code, Front door',
        'Lock by code, Front door',
        'Resident 2580, fill in at Front door',
        'Other ways to lock and unlock, Front door',
        'Battery and faults, Front door',
      ]);
    });

    test('has words of its own in the diary for every kind of hand', async () => {
      await card().getByText('Other ways to lock and unlock').click();
      const ways = [
        ['Unlock button inside, Front door', 'Unlocked, by the unlock button inside'],
        ['Lock button inside, Front door', 'Locked, by the lock button inside'],
        ['Unlock from a smart home, Front door', 'Unlocked, from a smart home'],
        ['Lock on schedule, Front door', 'Locked, on schedule'],
        ['Unlock by NFC, Front door', 'Unlocked, by NFC'],
        ['Lock with the key of resident, Front door', 'Locked, with a virtual key (Resident)'],
        ['Activity alarm, Front door', 'The activity alarm went off'],
      ] as const;
      await fixture.control('locks/Front door/configure', { travelMs: 0 });
      for (const [name, words] of ways) {
        await button(name).click();
        await card().locator('.diary li').first().getByText(words).waitFor();
      }
      await button(/^Turn the thumbturn/).click();
      await button('One-touch, Front door').click();
      expect(await seen(card().locator('.diary li').first().getByText('Locked, by the button outside'))).toBe(
        true,
      );
    });
  });

  describe('the keypad', () => {
    test('refuses a wrong code and says so', async () => {
      await card().getByLabel('Code at the keypad').fill('9999');
      await page.keyboard.press('Enter');
      await card().locator('output', { hasText: 'Refused' }).waitFor();
      await card().getByText('Wrong code: 9999').waitFor();
      expect(world().bolt).toBe('Locked');
    });

    test('opens to a code that the lock holds', async () => {
      await button(/^Resident 2580/).click();
      await button('Unlock by code, Front door').click();
      await card().locator('output', { hasText: 'Accepted' }).waitFor();
      await card().getByText('Unlocked, with a code (Resident)').waitFor();
      expect(world().bolt).toBe('Unlocked');
    });
  });

  describe('trouble at the door', () => {
    test('leaves the bolt at an unknown position after a jam, until it is cleared', async () => {
      await fixture.control('locks/Front door/configure', { travelMs: 0 });
      await unfoldFaults();
      await button('Jam, Front door').click();
      await card().getByText('jams until cleared').waitFor();
      await fixture.control('locks/Front door/use-virtual-key', { userId: 'resident', to: 'Unlocked' });
      await card().locator('.diary').getByText('Jammed').waitFor();
      await row('Bolt').getByText('Unknown').nth(1).waitFor();
      await page.getByRole('button', { name: 'Jam, Front door', pressed: true }).click();
      await page.getByRole('button', { name: 'Jam, Front door', pressed: false }).waitFor();
      expect(world().jamsLeft).toBe(0);
    });

    test('without Wi-Fi shows the door and the cloud apart, each with its name', async () => {
      await unfoldFaults();
      await button('Cut Wi-Fi, Front door').click();
      await row('Wi-Fi').getByText('cut', { exact: true }).waitFor();
      await button(/^Turn the thumbturn/).click();
      await row('Bolt').locator('td').nth(0).getByText('Unlocked').waitFor();
      await expect.poll(async () => row('Bolt').locator('td').nth(1).innerText()).toContain('Locked ≠');
      await expect
        .poll(async () => row('Bolt').locator('td').nth(1).textContent())
        .toContain('not as at the door');
      await card().getByText('The cloud does not know how the door stands.').waitFor();
      await card().getByText('The bolt rests: Unlocked').waitFor();
      await page.getByRole('button', { name: 'Cut Wi-Fi, Front door', pressed: true }).click();
      await card().getByText('Unlocked, by an unknown person').waitFor();
      await row('Bolt').locator('td').nth(1).getByText('Unlocked').waitFor();
      expect(await card().locator('.differs').count()).toBe(0);
    });

    test('can be set by hand: batteries, travel time and the error of the next command', async () => {
      const partner = await fixture.link();
      await unfolded('Requests');
      await unfoldFaults();
      await button('Battery critical, Front door').click();
      await row('Battery').getByText('CriticallyLow, 5%').waitFor();
      await button('New batteries, Front door').click();
      await row('Battery').getByText('Normal, 100%').waitFor();
      await card().getByLabel('Travel time of the bolt, seconds').fill('0.4');
      await button('Set the travel time, Front door').click();
      await expect.poll(() => world().settings.travelMs).toBe(400);
      await card()
        .getByLabel('Error of the next command')
        .selectOption('6 Failed to delete the access code from the device');
      await button('Fail it, Front door').click();
      await partner.command(fixture.lockId(), 'ChangeLockState', { lockState: 'Unlocked' });
      await card()
        .getByText(/Command ChangeLockState: Failed with 6/)
        .waitFor();
      await requests().getByText('202').waitFor();
    });

    test('is explained in words when the simulator refuses an action, and the message can be closed', async () => {
      await unfoldFaults();
      await card().getByLabel('Travel time of the bolt, seconds').fill('90000');
      await button('Set the travel time, Front door').click();
      const alert = page.getByRole('alert');
      await alert.getByText(/travelMs: /).waitFor();
      await alert.getByRole('button', { name: 'Close' }).click();
      await expect.poll(async () => alert.textContent()).toBe('');
    });
  });

  describe('the controls around the doors', () => {
    test('a fault is switched on, strikes where it was aimed, and is switched off', async () => {
      const partner = await fixture.link();
      await unfolded('Requests');
      const faults = await unfolded('Faults');
      await faults.getByLabel('Fault of calls', { exact: true }).selectOption('500');
      await faults.getByLabel('Where').selectOption('the list of locks');
      await faults.getByRole('button', { name: 'Switch on, fault of calls' }).click();
      await faults.getByText(/^status: status 500/).waitFor();
      expect((await partner.call('/devices')).status).toBe(500);
      expect((await partner.call(`/devices/${fixture.lockId()}`)).status).toBe(200);
      await requests().getByText('500').waitFor();
      await faults.getByRole('button', { name: /^Switch off/ }).click();
      await faults.getByText(/^status: /).waitFor({ state: 'detached' });
      expect((await partner.call('/devices')).status).toBe(200);
    });

    test('requests come in with path and status, and never with a secret', async () => {
      const partner = await fixture.link();
      await partner.call('/devices');
      await partner.call('/devices/nobody');
      await unfolded('Requests');
      const list = requests();
      await list.locator('tr', { hasText: '/api/locks/devices/nobody' }).getByText('404').waitFor();
      await list.locator('tr', { hasText: '/auth/OAuth2/token' }).getByText('200').waitFor();
      const html = await page.content();
      const { clientSecret, subscriptionKeys } = fixture.client();
      for (const secret of [partner.accessToken, partner.refreshToken, clientSecret, ...subscriptionKeys]) {
        expect(html).not.toContain(secret);
      }
      expect(await list.getByText('/_control/').count()).toBe(0);
      await page.getByLabel('Include control calls').check();
      await list.getByText('/_control/').first().waitFor();
    });

    test('show webhooks: their receivers, their deliveries, and those that a fault kept back', async () => {
      const receiver = await Receiver.start();
      const partner = await fixture.link();
      await partner.call('/events/subscriptions', { method: 'POST', body: { url: receiver.url() } });
      await part('Webhooks').getByText('1 registered').waitFor();
      const webhooks = await unfolded('Webhooks');
      await webhooks.getByText(receiver.url()).waitFor();
      await button(/^Turn the thumbturn/).click();
      await webhooks.locator('tr', { hasText: 'DeviceLockStateChanged' }).getByText('204').waitFor();
      const faults = await unfolded('Faults');
      await faults.getByLabel('Fault of webhooks', { exact: true }).selectOption('Dropped');
      await faults.getByRole('button', { name: 'Switch on, fault of webhooks' }).click();
      await faults.getByText(/^drop: /).waitFor();
      await button(/^Turn the thumbturn/).click();
      expect(await seen(webhooks.getByText('dropped given up'))).toBe(true);
      await receiver.stop();
    });

    test('connections end by revocation and by signing out everywhere', async () => {
      const [resident, guest] = [await fixture.link(), await fixture.link('guest-of-house')];
      const people = await unfolded('People');
      await people.getByText('Resident has connected Homebridge Latchkey').waitFor();
      await people.getByRole('button', { name: /^Revoke .*, Resident$/ }).click();
      await people.getByText('Resident has no connected apps').waitFor();
      expect((await resident.call('/devices')).status).toBe(401);
      expect((await guest.call('/devices')).status).toBe(200);
      await people.getByRole('button', { name: 'Sign out everywhere, Guest of the house' }).click();
      await people.getByText('Guest of the house has no connected apps').waitFor();
      expect((await guest.call('/devices')).status).toBe(401);
    });

    test('time goes ahead by a button, and the page shows the new time', async () => {
      const time = await unfolded('Time');
      const shown = async () => Date.parse((await time.locator('time').getAttribute('datetime')) ?? '');
      const before = await shown();
      await time.getByRole('button', { name: '+ 1 day' }).click();
      await expect.poll(async () => (await shown()) - before).toBeGreaterThanOrEqual(86_400_000);
      expect(fixture.simulator.clock.aheadMs).toBe(86_400_000);
    });

    test('offer every action without a button with its details, and show its answer', async () => {
      const form = await unfolded('Anything else');
      await form.getByLabel('Action').selectOption('add-lock (house)');
      const details = { deviceId: 'shed', name: 'Shed', type: 'WifiLever', roles: { resident: 'owner' } };
      await form.getByLabel('Details, JSON').fill(JSON.stringify(details));
      await form.getByRole('button', { name: 'Do it' }).click();
      await form.getByText('Done: {"deviceId":"shed"}').waitFor();
      expect(await seen(card('Shed'))).toBe(true);
    });
  });

  describe('the connection to the simulator', () => {
    test('comes back by itself after a reset, with the new house', async () => {
      const locks = [{ name: 'Cellar', type: 'WifiDeadbolt', roles: { resident: 'owner' } }];
      await fixture.control('reset', { scenario: { locks } });
      await card('Cellar').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await fixture.control('locks/Cellar/turn-thumbturn');
      expect(await seen(card('Cellar').getByText('Unlocked, by hand'))).toBe(true);
    });
  });

  describe('accessibility of the doors page', () => {
    test('shows names with markup as text, and runs none of it (faults#64)', async () => {
      const markup = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>';
      await fixture.control('locks/Front door/rename', { name: markup });
      const accessCode = { name: markup, code: '445566' };
      await fixture.control(`locks/${fixture.lockId(markup)}/put-access-code`, { accessCode, side: 'both' });
      const user = { userId: markup, friendlyName: markup, email: 'x@home.example' };
      await fixture.control('house/add-user', user);
      await fixture.control(`locks/${fixture.lockId(markup)}/set-role`, { userId: markup, role: markup });
      await fixture.control(`locks/${fixture.lockId(markup)}/type-code`, { code: markup });
      await fixture.control('house/inject-fault', { kind: 'redirect', location: markup, often: 'always' });
      await page.getByRole('heading', { name: markup, exact: true }).waitFor();
      await page.getByText(`Wrong code: ${markup}`).first().waitFor();
      await (await unfolded('People')).getByText(markup).first().waitFor();
      await (await unfolded('Faults')).getByText(markup).waitFor();
      expect(await page.locator('img, body script').count()).toBe(0);
      expect(await page.title()).toBe('Doors');
    });

    test('has every control named with the text that is seen of it and a sound structure, can be read, and has no finding of axe, folded and unfolded: light, dark, in forced colours and on a phone', async () => {
      await fixture.link();
      await fixture.control('house/inject-fault', { kind: 'latency', delayMs: 1, often: { times: 9 } });
      await fixture.control('locks/Garage/turn-thumbturn');
      await part('Faults').getByText('1 on').waitFor();
      expect(await axeFaults(page), 'folded').toEqual([]);
      await unfoldAll();
      await button('Jam, Front door').click();
      await button('Cut Wi-Fi, Front door').click();
      await card('Front door').getByText('jams until cleared').waitFor();
      await requests().getByText('200').first().waitFor();
      await page.getByRole('button', { name: /^Switch off/ }).waitFor();
      expect(await page.evaluate(unnamedControls)).toEqual([]);
      expect(await page.evaluate(structureFaults)).toEqual([]);
      expect(await axeFaults(page), 'unfolded').toEqual([]);
      expect(await page.evaluate(paleTexts), 'light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await axeFaults(page, 'colours'), 'dark').toEqual([]);
      expect(await page.evaluate(paleTexts), 'dark').toEqual([]);
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
      expect(await axeFaults(page, 'colours'), 'forced colours').toEqual([]);
      await page.emulateMedia({ forcedColors: 'none' });
      await page.setViewportSize(PHONE);
      expect(await axeFaults(page), 'phone').toEqual([]);
    });

    test('has nothing beyond the edge on a phone, and every control fits a thumb', async () => {
      await page.setViewportSize(PHONE);
      await fixture.control('locks/Garage/rename', { name: 'Garage'.repeat(30) });
      await card('Garage'.repeat(30)).waitFor();
      await unfoldAll();
      for (const width of [DESKTOP.width, PHONE.width, NARROW]) {
        await page.setViewportSize({ ...PHONE, width });
        expect([width, await page.evaluate(overflowPixels)]).toEqual([width, 0]);
      }
      expect(await page.evaluate(smallTargets)).toEqual([]);
    });

    test('moves nothing for a person who asked for less motion', async () => {
      const transition = async (): Promise<string> =>
        card()
          .locator('.bolt')
          .evaluate((bolt) => getComputedStyle(bolt).transitionDuration);
      expect(await transition()).toBe('0s');
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      expect(await transition()).not.toBe('0s');
    });

    test('has every control that the documentation names', async () => {
      await fixture.link();
      await unfoldAll();
      await page.getByRole('button', { name: /^Revoke / }).waitFor();
      await page.getByLabel('Action').getByRole('option').first().waitFor({ state: 'attached' });
      const texts = await page.locator('button, a, label, option, h2').allTextContents();
      const isThere = (name: string): boolean => texts.some((text) => text.trim().startsWith(name));
      const named = specificationTables().flatMap(({ rows }) => rows.flatMap(([, cell]) => namesOf(cell)));
      expect(named.length).toBeGreaterThan(100);
      expect(named.filter((name) => !isThere(name))).toEqual([]);
    });

    test('shows and announces what another hand does, without a reload', async () => {
      await fixture.control('locks/Garage/turn-thumbturn');
      const news = page.getByRole('status');
      await expect.poll(async () => news.allTextContents()).toContain('Garage: Unlocked, by hand');
      expect(await seen(row('Bolt', 'Garage').getByText('Unlocked').nth(1))).toBe(true);
    });
  });
});
