// Puts the pages into the document: within the Homebridge UI when its window is there, else as the panel.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { render } from 'preact';
import { HomebridgePage } from './frame/homebridge-page.tsx';
import { PanelPage } from './frame/panel-page.tsx';

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

if (homebridge === undefined) {
  root.dataset['place'] = 'panel';
  render(<PanelPage loginToken={takeLoginToken()} />, root);
} else {
  root.dataset['place'] = 'homebridge-ui';
  document.documentElement.lang = 'en';
  const start = (): void => {
    render(<HomebridgePage homebridge={homebridge} />, root);
  };
  homebridge.addEventListener('ready', start, { once: true });
}
