// The pages in other languages: nothing stays English, longer words fit, and a translation that does not come leaves English.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page, Response } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { translatedTexts } from '../../scripts/messages.ts';
import { isMessage, verbatim } from '../../src/domain/language/message.ts';
import { ALERT_NAMES, addedToHome } from '../../web/panel/alerts/alert-values.ts';
import { keyed } from '../../web/panel/state/sentence-key.ts';
import { StandInAccount } from '../stand-ins/account/operations.ts';
import { NAMES } from '../unit/languages/message-faults.ts';
import { pseudo } from '../unit/languages/pseudo-language.ts';
import type { AccountPanel } from './account-panel.ts';
import { CHEAP, CHROMIUM } from './chromium.ts';
import { HOST_VIEWS } from './host-views.ts';
import { KeptPage } from './kept-page.ts';
import { ALERTS, MORE_SCENES } from './more-scenes.ts';
import { overflowPixels } from './page-checks.ts';
import { lived, openScene, openSceneAnew, SCENES, type Scene } from './scenes.ts';
import { DESKTOP, PHONE, Visitor } from './visitor.ts';

const GERMAN = 'de-DE';

const ROOT = join(import.meta.dirname, '..', '..');

const SIZES = { '320 pixels': { width: 320, height: 640 }, 'a phone': PHONE, 'a desktop': DESKTOP };

/** What is read in the pseudo-language. */
interface Reading {
  readonly name: string;
  /** Whose account it is. */
  readonly scene: string;
  /** The page in the address of the dashboard. */
  readonly at?: string;
  /** Stands there once everything is there. */
  readonly shows: string;
  /** Brings the page there. Words of the page are in no language that the test knows. */
  readonly act?: (page: Page, account: StandInAccount) => Promise<void>;
}

const pushMain = async (page: Page): Promise<void> => page.locator('main .push.main').first().click();

const READINGS: readonly Reading[] = [
  { name: 'overview', scene: '6-overview', shows: 'article.door' },
  { name: 'overview of thirty locks in trouble', scene: '6-overview-many-troubles', shows: '.rows .row' },
  {
    name: 'overview in the seconds before all are locked',
    scene: '6-overview-many-troubles',
    shows: '.summary .undo',
    act: async (page) => page.locator('.summary > button').click(),
  },
  { name: 'overview of an account without locks', scene: '6-overview-empty', shows: '.glance > p' },
  { name: 'overview while the service is lost', scene: '6-overview-unanswered', shows: '.notice.loss' },
  {
    name: 'overview of an account that was disconnected',
    scene: '6-overview-revoked',
    shows: '.notice.loss',
  },
  { name: 'overview of the demo', scene: '6-overview-demo', shows: '.notice a' },
  { name: 'locks', scene: '3-locks', at: 'locks', shows: '.locks article' },
  {
    name: 'options of a lock',
    scene: '3-locks',
    at: 'locks',
    shows: 'dialog .field',
    act: async (page) => page.locator('.locks .push').first().click(),
  },
  {
    name: 'question before a lock is hidden',
    scene: '3-locks',
    at: 'locks',
    shows: 'dialog .asking',
    act: async (page) => page.locator('.locks input[role=switch]').first().click(),
  },
  { name: 'history', scene: '7-history', at: 'history', shows: '.activity li' },
  { name: 'codes', scene: 'guests and codes', at: 'codes', shows: '[role=rowgroup], tbody' },
  { name: 'stays', scene: 'stays', at: 'stays', shows: '[role=rowgroup], tbody' },
  {
    name: 'credentials',
    scene: 'credentials, with an import that waits',
    at: 'credentials',
    shows: 'main li',
  },
  {
    name: 'webhooks',
    scene: '4-webhooks',
    at: 'webhooks',
    shows: '.subscriptions li',
    act: async (page) => page.locator('summary').last().click(),
  },
  { name: 'webhooks that are off', scene: '4-webhooks-off', at: 'webhooks', shows: '.tasks > li' },
  {
    name: 'webhooks whose port is taken',
    scene: '4-webhooks-closed',
    at: 'webhooks',
    shows: '.notice strong',
  },
  { name: 'alerts', scene: '4-alerts', at: 'alerts', shows: '.alerts li' },
  { name: 'MQTT', scene: '4-mqtt', at: 'mqtt', shows: 'dl.facts' },
  { name: 'account', scene: '7-link', at: 'link', shows: '.confirmed' },
  { name: 'question about another account', scene: '7-another-account', at: 'link', shows: '.notice li' },
  { name: 'login', scene: '8-login', shows: 'form .field' },
  { name: 'first step of the setup guide', scene: '1-begin', shows: 'form .field' },
  { name: 'first step with faults', scene: '1-begin', shows: '[role=alert] .notice', act: pushMain },
  {
    name: 'second step, while it waits',
    scene: '2-link',
    shows: '.notice .wheel',
    act: async (page) => page.locator('.linking .push.main').click(),
  },
  {
    name: 'last step',
    scene: '5-check',
    shows: '.todo li',
    act: async (page, account) => {
      await pushMain(page);
      await page.locator('.linking').waitFor();
      account.become('linked');
      await page.locator('.locks').waitFor();
      await pushMain(page);
    },
  },
  ...HOST_VIEWS.filter(({ isMixed = false }) => !isMixed).map(({ name, at, shows, act }) => ({
    name,
    scene: `host, ${name}`,
    at,
    shows,
    act: async (page: Page): Promise<void> => act?.(page, pseudo),
  })),
  { name: 'first step in the Homebridge UI', scene: '9-homebridge-begin', shows: 'form .field' },
  { name: 'demo that waits for a restart', scene: '9-homebridge-demo', shows: '.notice em' },
];

/** What is the same in every language, or is not the page's own. */
const EXCEPTIONS: readonly (readonly [what: RegExp, why: string])[] = [
  [/\b(?:https?|mqtt):\/\/\S+|\b[\w.-]+\.example\b|\bconfig\.json\b/g, 'addresses and files'],
  [NAMES, 'names of products and standards'],
  [/\bLatchkey\b/g, 'the name of the plugin'],
  [/\b(?:\d+ ms|CSV|JSON|UUID)\b/g, 'units and formats'],
  [sensorNames(), 'what Home calls sensors, in English'],
  [calendarWords(), 'days and months as the browser writes them in German'],
  [/\bvor \d|\b(?:Sekunde|Minute|Stunde|Tag)e?n?\b/g, 'how long, as the browser writes it in German'],
  [/ und /g, 'between the last two of a list, as the browser writes it in German'],
];

/** Members of answers that a person or the service wrote. */
const FOREIGN: ReadonlySet<string> = new Set([
  'accountName',
  'added',
  'booking',
  'calendarName',
  'codeId',
  'host',
  'lockName',
  'lockNames',
  'missing',
  'model',
  'name',
  'siteName',
  'timeZone',
  'unlockedByCode',
  'username',
  'value',
]);

function sensorNames(): RegExp {
  // Names of codes are foreign, and were taken out before.
  const values = { ...new StandInAccount().alerts.options, ...ALERTS, unlockedByCode: [''] };
  const names = ALERT_NAMES.flatMap((name) => addedToHome(name, values));
  // In quotes behind the name of a lock: elsewhere "locked" is a word of the page. The longest first: one may be part of another.
  const longestFirst = names.toSorted((one, other) => other.length - one.length);
  return new RegExp(`(?:${longestFirst.join('|')})(?=\\s*”)`, 'gu');
}

function calendarWords(): RegExp {
  // Every month, and every day of the week.
  const words = Array.from({ length: 84 }, (_, index) => new Date(2027, index % 12, 1 + index)).flatMap(
    (day) =>
      (['long', 'short'] as const).flatMap((length) => [
        day.toLocaleDateString('de-DE', { month: length }),
        day.toLocaleDateString('de-DE', { weekday: length }),
      ]),
  );
  return new RegExp(`\\b(?:${words.map((word) => word.replace('.', '')).join('|')})\\b`, 'g');
}

const VERBATIM = verbatim('').text;

function foreignTexts(answer: unknown, member = ''): readonly string[] {
  if (typeof answer === 'string') {
    return FOREIGN.has(member) && answer !== '' ? [answer] : [];
  }
  if (isMessage(answer)) {
    return answer.text === VERBATIM
      ? foreignTexts(answer.values?.['text'], 'value')
      : foreignTexts(answer.values);
  }
  if (Array.isArray(answer)) {
    return answer.flatMap((inner: unknown) => foreignTexts(inner, member));
  }
  return typeof answer === 'object' && answer !== null
    ? Object.entries(answer).flatMap(([name, inner]) => foreignTexts(inner, name))
    : [];
}

/** Words that have a letter which the pseudo-language never leaves as it is. */
function englishWords(text: string, foreign: Iterable<string>): readonly string[] {
  // The longest first: one name may be part of another.
  const names = [...foreign].toSorted((one, other) => other.length - one.length);
  const without = names.reduce((rest, name) => rest.replaceAll(name, ' '), text);
  const left = EXCEPTIONS.reduce((words, [what]) => words.replace(what, ' '), without);
  return left.match(/[a-z]*[aceinosuyz][a-z]*/gi)?.filter((word) => word.length > 1) ?? [];
}

/** Everything that a person reads or hears, beside code and times. */
function shownTexts(): string[] {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const element = walker.currentNode.parentElement;
    const isRead = element !== null && (element.checkVisibility() || element.tagName === 'OPTION');
    if (isRead && element.closest('code, time') === null) {
      texts.push(walker.currentNode.textContent ?? '');
    }
  }
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'alt', 'placeholder', 'title']) {
      texts.push(element.getAttribute(name) ?? '');
    }
  }
  return texts.filter((text) => text.trim() !== '');
}

const PSEUDO = Object.fromEntries([...translatedTexts(ROOT)].map((text) => [text, pseudo(text)]));

function sceneOf(name: string): Scene {
  const scene = [...SCENES, ...MORE_SCENES].find((one) => one.name === name);
  if (scene === undefined) {
    throw new Error(`There is no scene "${name}"`);
  }
  return scene;
}

describe.skipIf(CHROMIUM === undefined)('a page in another language', () => {
  let visitor: Visitor;
  let account: StandInAccount;
  let panel: AccountPanel;
  /** Of everything that the page was told. */
  let foreign: Set<string>;
  let context: BrowserContext;

  const leave = async (): Promise<void> => {
    context.off('response', note);
    try {
      await visitor.leave();
    } finally {
      const kept = KeptPage.of(visitor);
      // A page that stays for long forgets the first of its answers, and with them what is foreign.
      kept.spoil();
      await (kept.has(panel) ? kept.leave() : panel.close());
    }
  };

  const note = async (response: Response): Promise<void> => {
    if (response.url().includes('/api/call/') && response.ok()) {
      // The visitor may have left by now.
      for (const text of foreignTexts(await response.json().catch(() => null))) {
        foreign.add(text);
      }
    }
  };

  beforeAll(async () => {
    // Nearly all are in German: a context of its own for each would start a process each time.
    visitor = await Visitor.arrive(CHEAP, { locale: GERMAN });
  });

  afterAll(async () => {
    await visitor.goHome();
  });

  afterEach(leave);

  const arrive = async (
    scene: Omit<Scene, 'name'>,
    locale: string,
    options: Parameters<typeof openScene>[2] = {},
  ): Promise<Page> => {
    foreign = new Set();
    const prepare = async (browser: BrowserContext): Promise<void> => {
      context = browser;
      context.on('response', note);
      await options.prepare?.(browser);
    };
    const opened =
      locale === GERMAN
        ? await openSceneAnew(visitor, scene, { ...options, prepare })
        : await openScene(await visitor.context({ locale }), scene, { ...options, prepare });
    ({ account, panel } = opened);
    return opened.page;
  };

  const openPseudo = async ({ scene, at = '', shows, act }: Reading): Promise<Page> => {
    const body = `export default ${JSON.stringify(keyed(PSEUDO, Object.keys(PSEUDO)))};`;
    const page = await arrive(sceneOf(scene), GERMAN, {
      at,
      language: 'de',
      prepare: async (browser) =>
        browser.route(/\/de-[\w-]+\.js$/u, async (route) =>
          route.fulfill({ contentType: 'text/javascript', body }),
        ),
    });
    await page.locator('main h2, main form').first().waitFor();
    await act?.(page, account);
    await page.locator(shows).first().waitFor();
    return page;
  };

  describe.each(READINGS)('the $name', (reading) => {
    test('shows no word of English, and fits 320 pixels, a phone and a desktop with words that are longer', async () => {
      const page = await openPseudo(reading);
      const unmarked = async (): Promise<readonly string[]> =>
        (await page.evaluate(shownTexts)).flatMap((text) =>
          englishWords(text, foreign).length === 0 ? [] : [text],
        );
      await expect.poll(unmarked).toEqual([]);
      for (const [name, size] of Object.entries(SIZES)) {
        await page.setViewportSize(size);
        const tooWide = Math.max(0, await page.evaluate(overflowPixels));
        expect({ name, tooWide }).toEqual({ name, tooWide: 0 });
      }
    });
  });

  test('the check of words sees English beside a name, and none in a marked sentence', () => {
    expect(englishWords('Front door: locked', ['Front door'])).toEqual(['locked']);
    expect(englishWords(pseudo('Front door: locked at 14:03 in config.json'), [])).toEqual([]);
  });

  test('a browser in French gets French, and the page says so to screen readers', async () => {
    const french = JSON.parse(readFileSync(join(ROOT, 'languages', 'fr.json'), 'utf8')) as Readonly<
      Record<string, string>
    >;
    const page = await arrive({ set: lived }, 'fr-FR');
    await page.getByRole('link', { name: french['History'] ?? '', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: french['History'] ?? '' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr');
    // The title follows the heading.
    await expect.poll(async () => page.title()).toBe(`${french['History'] ?? ''} · Latchkey`);
  });

  test('a translation that cannot be loaded leaves the page in English', async () => {
    const page = await arrive({ set: lived }, 'fr-FR', {
      prepare: async (browser) => browser.route(/\/fr-[\w-]+\.js$/u, async (route) => route.abort()),
    });
    await page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    // That the file was kept back, the browser says on its console.
    expect(visitor.complaints.splice(0).filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  });
});
