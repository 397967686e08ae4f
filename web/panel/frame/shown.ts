// The visible part: a step of the guide or a page; on the dashboard the address names the page.
import { useEffect, useState } from 'preact/hooks';
import { type Message, message } from '../../../src/domain/language/message.ts';
import type { Transport } from '../state/transport.ts';
import type { Step } from './guide.tsx';

export const TITLES = {
  overview: message('Overview'),
  locks: message('Locks'),
  history: message('History'),
  codes: message('Codes'),
  stays: message('Stays'),
  credentials: message('Credentials'),
  webhooks: message('Webhooks'),
  mqtt: message('MQTT'),
  link: message('Account'),
} as const satisfies Readonly<Record<string, Message>>;

export type View = keyof typeof TITLES;

/** Pages in the order of their tabs, which is the same everywhere. */
export const VIEWS: readonly View[] = [
  'overview',
  'locks',
  'history',
  'codes',
  'stays',
  'credentials',
  'webhooks',
  'mqtt',
  'link',
];

/** Where one comes to when nothing has to be set up. */
export const LANDING: View = 'overview';

/** The visible step or page. Null before the account has answered. */
export type Shown = { readonly step: Step } | { readonly view: View };

/** What is shown, and on the panel the page in the address, so that the browser's Back button works. */
export function useShown(place: Transport['place']): readonly [Shown | null, (shown: Shown) => void] {
  const [shown, setShown] = useState<Shown | null>(place === 'panel' ? addressed() : null);
  useEffect(() => {
    const moved = (): void => {
      const view = addressed();
      if (view !== null) {
        setShown(view);
      }
    };
    window.addEventListener('popstate', moved);
    return () => window.removeEventListener('popstate', moved);
  }, []);
  const show = (next: Shown): void => {
    setShown(next);
    if (place === 'panel' && 'view' in next && addressed()?.view !== next.view) {
      // Back leads to the person's last place, not to the moment before the page knew what to show.
      const note = shown === null ? 'replaceState' : 'pushState';
      history[note](null, '', `#${next.view}`);
    }
  };
  return [shown, show];
}

function addressed(): { readonly view: View } | null {
  const name = location.hash.slice(1);
  const view = VIEWS.find((known) => known === name);
  return view === undefined ? null : { view };
}
