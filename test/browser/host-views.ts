// What a host looks at: what today brings, the plan, and the sheets in which things are set up.
import type { Page } from 'playwright-core';

/** A page, or the frame that has it in the Homebridge UI. */
export type Shown = Pick<Page, 'locator' | 'getByText'>;

/** Pushes what shows this sentence; `t` brings it into the language of the page. */
type Act = (page: Shown, t: (text: string) => string) => Promise<void>;

export interface HostView {
  readonly name: string;
  readonly at: 'stays' | 'codes' | 'locks';
  /** It changes what the account has. */
  readonly isChanging?: true;
  /** Stands there once everything is there. */
  readonly shows: string;
  readonly act?: Act;
  /** It shows words that are in no language of the page: names of languages, and of codes. For pictures alone. */
  readonly isMixed?: true;
}

const pushText = async (page: Shown, text: string): Promise<void> =>
  page.getByText(text, { exact: true }).first().click();

const replace: Act = async (page, t) => pushText(page, t('A lock was replaced'));
const addCleaner: Act = async (page, t) => pushText(page, t('Add a cleaner'));

export const HOST_VIEWS: readonly HostView[] = [
  { name: 'plan of a host, below what today brings', at: 'stays', shows: 'table.plan' },
  {
    name: 'message to the guest of a stay',
    isMixed: true,
    at: 'stays',
    shows: 'dialog textarea',
    act: async (page, t) => {
      await page.locator('main table.people .dots').first().click();
      await pushText(page, t('Message to the guest'));
    },
  },
  {
    name: 'menu of a stay',
    at: 'stays',
    shows: '.menu-list',
    act: async (page) => page.locator('main table.people .dots').first().click(),
  },
  {
    name: 'sheet of a feed',
    at: 'stays',
    shows: 'dialog .push.main',
    act: async (page, t) => {
      await page.locator('.calendars .dots').last().click();
      await pushText(page, t('Share the stays'));
    },
  },
  {
    name: 'form of a stay by hand',
    at: 'stays',
    shows: 'dialog .field',
    act: async (page, t) => pushText(page, t('Add a stay')),
  },
  { name: 'form of a cleaner', at: 'stays', shows: 'dialog input[type=checkbox]', act: addCleaner },
  {
    name: 'digits of a new cleaner',
    isChanging: true,
    at: 'stays',
    shows: 'dialog .big-digits',
    act: async (page, t) => {
      await addCleaner(page, t);
      await page.locator('dialog .field input').first().fill('Cleaning');
      await page.locator('dialog input[type=checkbox]').first().check();
      await page.locator('dialog .push.main').click();
    },
  },
  {
    name: 'hours of single locks',
    isMixed: true,
    at: 'stays',
    shows: 'dialog .lock-hours',
    act: async (page, t) => {
      await page.locator('.calendars .dots').last().click();
      await pushText(page, t('Change'));
      await page.locator('dialog summary').first().click();
      await pushText(page, t('Hours of single locks'));
      await page.locator('dialog .lock-hours').last().scrollIntoViewIfNeeded();
    },
  },
  { name: 'cleaner among the codes', at: 'codes', shows: 'table.people' },
  {
    name: 'form of a guest',
    at: 'codes',
    shows: 'dialog .field',
    act: async (page, t) => {
      await page.locator('main table.people .dots').last().click();
      await pushText(page, t('Change'));
    },
  },
  { name: 'question about a replaced lock', at: 'locks', shows: 'dialog select', act: replace },
  {
    name: 'outcome of a replaced lock',
    isMixed: true,
    isChanging: true,
    at: 'locks',
    shows: 'dialog p:nth-of-type(3)',
    act: async (page, t) => {
      await replace(page, t);
      await page.locator('dialog .push.main').click();
    },
  },
];
