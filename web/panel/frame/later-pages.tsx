// The pages beside the overview, each with a script of its own, so that the first one is drawn soon.
import { after } from '../../shared/browser-clock.ts';
import { FEATURE_TABS } from '../features.ts';
import { laterPage } from '../parts/later.tsx';

export const Guide = laterPage(async () => (await import('./guide.tsx')).Guide);
export const LockPage = laterPage(async () => (await import('../lock/lock-page.tsx')).LockPage);
export const LocksPage = laterPage(async () => (await import('../settings/locks-page.tsx')).LocksPage);
export const HistoryPage = laterPage(async () => (await import('../history/history-page.tsx')).HistoryPage);
export const CodesPage = laterPage(async () => (await import('../codes/codes-page.tsx')).CodesPage);
export const AlertsPage = laterPage(async () => (await import('../alerts/alerts-page.tsx')).AlertsPage);
export const WebhooksPage = laterPage(
  async () => (await import('../settings/webhooks-page.tsx')).WebhooksPage,
);
export const LogOut = laterPage(async () => (await import('../setup/account-page.ts')).LogOut);
export const LinkPage = laterPage(async () => (await import('../setup/account-page.ts')).LinkPage);

/** By this time the first page has been drawn and has read its data, in milliseconds (our choice). */
const LOADED_AFTER_MS = 1_500;

/** Loads the scripts one after the other, so that each is there when its page is chosen, even without the plugin. */
export function loadBeforehand(): () => void {
  return after(LOADED_AFTER_MS, () => void loadAll());
}

async function loadAll(): Promise<void> {
  for (const page of [
    LockPage,
    LocksPage,
    HistoryPage,
    CodesPage,
    AlertsPage,
    LinkPage,
    LogOut,
    WebhooksPage,
    ...FEATURE_TABS.map(({ Page }) => Page),
  ]) {
    // A failed load is repeated, and reported, when the page is chosen.
    await page.load().catch(() => undefined);
  }
}
