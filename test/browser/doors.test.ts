// The doors page in a real browser: hands on it move bolts, and what happens elsewhere is seen without a reload.
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/support/clock.ts';
import { Fixture } from '../simulator/server/partner.ts';
import { documentTables, namesOf } from '../simulator/simulator-document.ts';
import { Receiver } from '../simulator/webhooks/receiver.ts';
import { CHROMIUM, launchChromium } from './chromium.ts';
import { overflowPixels, paleTexts, smallTargets, structureFaults, unnamedControls } from './page-checks.ts';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 900 };
/** A small phone, or a desk at 400 percent. */
const NARROW = 320;

if (CHROMIUM === undefined) {
  console.warn(
    'Skipped: there is no Chromium. Install one, or name its program in the environment variable CHROMIUM.',
  );
}

describe.skipIf(CHROMIUM === undefined)('the doors page', () => {
  let browser: Browser;
  let fixture: Fixture;
  let page: Page;
  /** What the browser complained of: errors of scripts, and everything that the page's policy stopped. */
  let complaints: string[];

  beforeAll(async () => {
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  beforeEach(async () => {
    fixture = await Fixture.start({ clock: systemClock, webhooks: { allowHttpToLoopback: true } });
    complaints = [];
    page = await open();
  });

  afterEach(async () => {
    await page.context().close();
    await fixture.close();
    if (complaints.length > 0) {
      throw new Error(`The browser complained: ${complaints.join('; ')}`);
    }
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(10_000);
    const opened = await context.newPage();
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => {
      // A control call that is refused, or a stream that ends, is written to the console by the browser itself.
      if (message.type() === 'error' && !message.location().url.includes('/_control/')) {
        complaints.push(message.text());
      }
    });
    await opened.goto(fixture.simulator.url);
    await opened.getByText('Live', { exact: true }).waitFor();
    await opened.getByRole('article').first().waitFor();
    return opened;
  }

  const card = (name = 'Front door'): Locator => page.getByRole('article', { name });
  const row = (what: string, name?: string): Locator => card(name).locator('.standing tr', { hasText: what });
  const button = (name: string | RegExp, of?: string): Locator =>
    card(of).getByRole('button', { name, exact: true });
  const world = () => fixture.simulator.world.inspect(fixture.lockId());

  /** Waits until it can be seen; fails in the browser's words when it does not come. */
  const appears = async (locator: Locator): Promise<boolean> => {
    await locator.waitFor();
    return locator.isVisible();
  };

  const unfoldAll = async (): Promise<void> => {
    for (const summary of await page.locator('summary').all()) {
      await summary.click();
    }
  };

  describe('turning a bolt', () => {
    test('by mouse: the door, the cloud and the diary follow on the page as it stands', async () => {
      await page.evaluate(() => {
        document.body.dataset['sameDocument'] = 'yes';
      });
      await expect.poll(async () => row('Bolt').innerText()).toMatch(/Locked\s+Locked/);
      await button(/^Turn the thumbturn/).click();
      await row('Bolt').getByText('Unlocked').nth(1).waitFor();
      expect(world().bolt).toBe('Unlocked');
      await card().getByText('Unlocked, by hand').waitFor();
      await button('Turn the thumbturn, Front door, now Unlocked').click();
      await card().getByText('Locked, by hand').first().waitFor();
      expect(world().bolt).toBe('Locked');
      expect(await page.evaluate(() => document.body.dataset['sameDocument'])).toBe('yes');
    });

    test('by keyboard: the first stop after the link is the first thumbturn, its focus can be seen, Space turns it', async () => {
      await page.keyboard.press('Tab');
      await expect
        .poll(async () => page.evaluate(() => document.activeElement?.textContent))
        .toBe('Download the log');
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
      await card().getByText('Locked, by hand').first().waitFor();
      expect(world().bolt).toBe('Locked');
    });

    test('the keyboard goes through a card in the order of the eye', async () => {
      const stops: string[] = [];
      await button(/^Turn the thumbturn/).focus();
      for (let stop = 0; stop < 9; stop += 1) {
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
        'One-touch, Front door',
        'Jam, Front door',
        'Cut Wi-Fi, Front door',
        'Other ways to lock and unlock, Front door',
        'Battery and faults, Front door',
      ]);
    });

    test('a hand elsewhere is seen without a reload', async () => {
      await fixture.control('locks/Garage/turn-thumbturn', { to: 'Unlocked' });
      expect(await appears(row('Bolt', 'Garage').getByText('Unlocked').nth(1))).toBe(true);
    });

    test('every other hand has its own words in the diary', async () => {
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
      expect(
        await appears(card().locator('.diary li').first().getByText('Locked, by the button outside')),
      ).toBe(true);
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
    test('a jam leaves the bolt where nobody knows, until it is cleared', async () => {
      await fixture.control('locks/Front door/configure', { travelMs: 0 });
      await button('Jam, Front door').click();
      await card().getByText('jams until cleared').waitFor();
      await fixture.control('locks/Front door/use-virtual-key', { userId: 'resident', to: 'Unlocked' });
      await card().getByText('Jammed').waitFor();
      await row('Bolt').getByText('Unknown').nth(1).waitFor();
      await page.getByRole('button', { name: 'Jam, Front door', pressed: true }).click();
      await page.getByRole('button', { name: 'Jam, Front door', pressed: false }).waitFor();
      expect(world().jamsLeft).toBe(0);
    });

    test('without Wi-Fi the door and the cloud differ, and the page says which is which', async () => {
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

    test('batteries, travel time and the error of the next command are set by hand', async () => {
      const partner = await fixture.link();
      await card().getByText('Battery and faults').click();
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
      const request = page.getByRole('region', { name: 'List of requests' });
      await partner.command(fixture.lockId(), 'ChangeLockState', { lockState: 'Unlocked' });
      await card()
        .getByText(/Command ChangeLockState: Failed with 6/)
        .waitFor();
      await request.getByText('202').waitFor();
    });

    test('what the simulator refuses is said in words, and can be put away', async () => {
      await card().getByText('Battery and faults').click();
      await card().getByLabel('Travel time of the bolt, seconds').fill('90000');
      await button('Set the travel time, Front door').click();
      const alert = page.getByRole('alert');
      await alert.getByText(/travelMs: /).waitFor();
      await alert.getByRole('button', { name: 'Close' }).click();
      await expect.poll(async () => alert.textContent()).toBe('');
    });
  });

  describe('around the doors', () => {
    test('a fault is switched on, strikes where it was aimed, and is switched off', async () => {
      const partner = await fixture.link();
      const faults = page.getByRole('region', { name: 'Faults' });
      await faults.getByLabel('Fault of calls', { exact: true }).selectOption('500');
      await faults.getByLabel('Where').selectOption('the list of locks');
      await faults.getByRole('button', { name: 'Switch on, fault of calls' }).click();
      await faults.getByText(/^status: status 500/).waitFor();
      expect((await partner.call('/devices')).status).toBe(500);
      expect((await partner.call(`/devices/${fixture.lockId()}`)).status).toBe(200);
      await page.getByRole('region', { name: 'List of requests' }).getByText('500').waitFor();
      await faults.getByRole('button', { name: /^Switch off/ }).click();
      await faults.getByText(/^status: /).waitFor({ state: 'detached' });
      expect((await partner.call('/devices')).status).toBe(200);
    });

    test('requests come in with path and status, and never with a secret', async () => {
      const partner = await fixture.link();
      await partner.call('/devices');
      await partner.call('/devices/nobody');
      const list = page.getByRole('region', { name: 'List of requests' });
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

    test('a page that is opened late shows what happened before', async () => {
      const partner = await fixture.link();
      await partner.call('/devices');
      await fixture.control('locks/Garage/turn-thumbturn');
      await page.reload();
      await card('Garage').getByText('Unlocked, by hand').waitFor();
      expect(
        await appears(page.getByRole('region', { name: 'List of requests' }).getByText('/api/locks/devices')),
      ).toBe(true);
    });

    test('webhooks: who listens, what was delivered, and what a fault kept back', async () => {
      const receiver = await Receiver.start();
      const partner = await fixture.link();
      await partner.call('/events/subscriptions', { method: 'POST', body: { url: receiver.url() } });
      const part = page.getByRole('region', { name: 'Webhooks', exact: true });
      await part.getByText(receiver.url()).waitFor();
      await button(/^Turn the thumbturn/).click();
      await part.locator('tr', { hasText: 'DeviceLockStateChanged' }).getByText('204').waitFor();
      const faults = page.getByRole('region', { name: 'Faults' });
      await faults.getByLabel('Fault of webhooks', { exact: true }).selectOption('Dropped');
      await faults.getByRole('button', { name: 'Switch on, fault of webhooks' }).click();
      await faults.getByText(/^drop: /).waitFor();
      await button(/^Turn the thumbturn/).click();
      expect(await appears(part.getByText('dropped given up'))).toBe(true);
      await receiver.stop();
    });

    test('links end by revocation and by signing out everywhere', async () => {
      const [resident, guest] = [await fixture.link(), await fixture.link('guest-of-house')];
      const people = page.getByRole('region', { name: 'People and links' });
      await people.getByRole('button', { name: /^Revoke .*, Resident$/ }).click();
      await people.getByText('Resident has no linked apps').waitFor();
      expect((await resident.call('/devices')).status).toBe(401);
      expect((await guest.call('/devices')).status).toBe(200);
      await people.getByRole('button', { name: 'Sign out everywhere, Guest of the house' }).click();
      await people.getByText('Guest of the house has no linked apps').waitFor();
      expect((await guest.call('/devices')).status).toBe(401);
    });

    test('time goes ahead by a button, and the page shows the new time', async () => {
      const time = page.getByRole('region', { name: 'Time' });
      const shown = async () => Date.parse((await time.locator('time').getAttribute('datetime')) ?? '');
      const before = await shown();
      await time.getByRole('button', { name: '+ 1 day' }).click();
      await expect.poll(async () => (await shown()) - before).toBeGreaterThanOrEqual(86_400_000);
      expect(fixture.simulator.clock.aheadMs).toBe(86_400_000);
    });

    test('whatever has no button is done with its details, and its answer shown', async () => {
      const part = page.getByRole('region', { name: 'Anything else' });
      await part.getByLabel('Action').selectOption('add-lock (house)');
      const details = { deviceId: 'shed', name: 'Shed', type: 'WifiLever', roles: { resident: 'owner' } };
      await part.getByLabel('Details, JSON').fill(JSON.stringify(details));
      await part.getByRole('button', { name: 'Do it' }).click();
      await part.getByText('Done: {"deviceId":"shed"}').waitFor();
      expect(await appears(card('Shed'))).toBe(true);
    });
  });

  describe('the line to the simulator', () => {
    test('comes back by itself after a reset, with the new house', async () => {
      const locks = [{ name: 'Cellar', type: 'WifiDeadbolt', roles: { resident: 'owner' } }];
      await fixture.control('reset', { scenario: { locks } });
      await card('Cellar').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await fixture.control('locks/Cellar/turn-thumbturn');
      expect(await appears(card('Cellar').getByText('Unlocked, by hand'))).toBe(true);
    });

    test('is shown as broken while the simulator is gone, and is live again when it is back', async () => {
      const port = Number(new URL(fixture.simulator.url).port);
      await fixture.close();
      await page.getByText('Connecting …').waitFor();
      fixture = await Fixture.start({ clock: systemClock, port });
      await page.getByText('Live', { exact: true }).waitFor();
      await fixture.control('locks/Garage/turn-thumbturn');
      expect(await appears(card('Garage').getByText('Unlocked, by hand'))).toBe(true);
    });
  });

  describe('for everybody', () => {
    test('names with markup are shown as text, and none of it runs (faults#64)', async () => {
      const markup = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>';
      await fixture.control('locks/Front door/rename', { name: markup });
      const accessCode = { name: markup, code: '445566' };
      await fixture.control(`locks/${fixture.lockId(markup)}/put-access-code`, { accessCode, side: 'both' });
      await fixture.control('house/add-user', {
        userId: markup,
        friendlyName: markup,
        email: 'x@home.example',
      });
      await fixture.control(`locks/${fixture.lockId(markup)}/set-role`, { userId: markup, role: markup });
      await fixture.control(`locks/${fixture.lockId(markup)}/type-code`, { code: markup });
      await fixture.control('house/inject-fault', { kind: 'redirect', location: markup, often: 'always' });
      await page.getByRole('heading', { name: markup, exact: true }).waitFor();
      await page.getByText(`Wrong code: ${markup}`).first().waitFor();
      await page.getByRole('region', { name: 'People and links' }).getByText(markup).first().waitFor();
      await page.getByRole('region', { name: 'Faults' }).getByText(markup).waitFor();
      expect(await page.locator('img, body script').count()).toBe(0);
      expect(await page.title()).toBe('Doors');
    });

    test('every control has a name that holds what one sees of it, and the structure is sound', async () => {
      await fixture.control('house/add-lock', { name: 'Shed', type: 'WifiLever', roles: {} });
      await card('Shed').waitFor();
      await unfoldAll();
      await button('Jam, Front door').click();
      await fixture.control('house/inject-fault', { kind: 'latency', delayMs: 1, often: 'once' });
      await page.getByRole('button', { name: /^Switch off/ }).waitFor();
      expect(await page.evaluate(unnamedControls)).toEqual([]);
      expect(await page.evaluate(structureFaults)).toEqual([]);
    });

    test.each(['light', 'dark'] as const)('every text can be read in the %s', async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      await button('Jam, Front door').click();
      await button('Cut Wi-Fi, Front door').click();
      await card('Front door').getByText('jams until cleared').waitFor();
      await fixture.link();
      await page.getByRole('region', { name: 'List of requests' }).getByText('200').waitFor();
      expect(await page.evaluate(paleTexts)).toEqual([]);
    });

    test('on a phone nothing lies beyond the edge, and everything can be hit with a thumb', async () => {
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

    test('nothing moves for who does not want it to', async () => {
      const transition = async (): Promise<string> =>
        card()
          .locator('.bolt')
          .evaluate((bolt) => getComputedStyle(bolt).transitionDuration);
      expect(await transition()).toBe('0s');
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      expect(await transition()).not.toBe('0s');
    });

    test('every control that the documentation names is on the page', async () => {
      await fixture.link();
      await page.getByRole('button', { name: /^Revoke / }).waitFor();
      await page.getByLabel('Action').getByRole('option').first().waitFor({ state: 'attached' });
      await unfoldAll();
      const texts = await page.locator('button, a, label, option, h2').allTextContents();
      const isThere = (name: string): boolean => texts.some((text) => text.trim().startsWith(name));
      const named = documentTables().flatMap(({ rows }) => rows.flatMap(([, cell]) => namesOf(cell)));
      expect(named.length).toBeGreaterThan(100);
      expect(named.filter((name) => !isThere(name))).toEqual([]);
    });

    test('what happened last is said aloud', async () => {
      await fixture.control('locks/Garage/turn-thumbturn');
      await expect
        .poll(async () => page.getByRole('status').allTextContents())
        .toContain('Garage: Unlocked, by hand');
    });
  });
});
