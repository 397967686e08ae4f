// The visible part: a step of the guide or a page; on the dashboard the address names the page.
import { useEffect, useState } from 'preact/hooks';
import type { Transport } from '../state/transport.ts';
import { addressOf, type Place } from '../state/views.ts';
import type { Step } from './guide.tsx';
import { placeOf } from './tabs.ts';

/** The visible step or page. Null before the account has answered. */
export type Shown = { readonly step: Step } | Place;

/** What is shown, and on the dashboard the page in the address, so that the browser's Back button works. */
export function useShown(place: Transport['place']): readonly [Shown | null, (shown: Shown) => void] {
  const [shown, setShown] = useState<Shown | null>(place === 'panel' ? addressed() : null);
  useEffect(() => {
    const moved = (): void => {
      const there = addressed();
      if (there !== null) {
        setShown(there);
      }
    };
    window.addEventListener('popstate', moved);
    return () => window.removeEventListener('popstate', moved);
  }, []);
  const show = (wanted: Shown): void => {
    // Where a person went before the page knew what to show, it stays.
    const next = shown === null && place === 'panel' && 'view' in wanted ? (addressed() ?? wanted) : wanted;
    setShown(next);
    if (place === 'panel' && 'view' in next && location.hash.slice(1) !== addressOf(next)) {
      // Back leads to the person's last place, not to the moment before the page knew what to show.
      const note = shown === null ? 'replaceState' : 'pushState';
      history[note](null, '', `#${addressOf(next)}`);
    }
  };
  return [shown, show];
}

function addressed(): Place | null {
  return placeOf(location.hash.slice(1));
}
