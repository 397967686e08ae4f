// Puts the pages into the document: within the Homebridge UI when its window is there, else as the dashboard.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { render, type VNode } from 'preact';
import { setLanguage } from '../../src/words/translate.ts';
import { PanelPage } from './frame/panel-page.tsx';
import { loadLanguage, windowLanguages } from './state/language.ts';

const LOGIN = '#login=';

/** Takes the login token out of the address and the history before anything else can see it. */
function takeLoginToken(): string | null {
  if (!location.hash.startsWith(LOGIN)) {
    return null;
  }
  const token = location.hash.slice(LOGIN.length);
  history.replaceState(null, '', location.pathname);
  return token;
}

// The dashboard's page comes with it; the Homebridge UI's has nothing but this script.
const root = document.querySelector<HTMLElement>('body > .latchkey') ?? document.createElement('div');
root.className = 'latchkey';
document.body.append(root);

// The Homebridge UI puts its object into the window before this script runs.
const homebridge: IHomebridgePluginUi | undefined = 'homebridge' in window ? window.homebridge : undefined;

/** Shows the page once its language is there; English needs no loading. */
async function show(page: VNode, wanted: readonly string[]): Promise<void> {
  const language = await loadLanguage(wanted);
  setLanguage(language);
  document.documentElement.lang = language.code;
  render(page, root);
}

if (homebridge === undefined) {
  root.dataset['place'] = 'panel';
  void show(<PanelPage loginToken={takeLoginToken()} />, navigator.languages);
  // Only https and this computer have it; without it the page is no less, but cannot be installed.
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.register('./offline-worker.js').catch(() => undefined);
  }
} else {
  root.dataset['place'] = 'homebridge-ui';
  const start = async (): Promise<void> => {
    // What config.json needs is no weight of the dashboard.
    const [{ HomebridgePage }, languages] = await Promise.all([
      import('./frame/homebridge-page.tsx'),
      windowLanguages(homebridge, navigator.languages),
    ]);
    await show(<HomebridgePage homebridge={homebridge} />, languages);
  };
  homebridge.addEventListener('ready', () => void start(), { once: true });
}
