// One page of an account below the tabs that lead to all of them.

import type { RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { nameOf } from '../../../src/words/locks.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_TABS } from '../features.ts';
import { OverviewPage } from '../overview/overview-page.tsx';
import { PageHeading } from '../parts/pieces.tsx';
import { StepLeft } from '../setup/step-left.tsx';
import { type PageContext, WayProvider } from '../state/page-context.ts';
import { needsRestart } from '../state/standing.ts';
import type { Place, View } from '../state/views.ts';
import {
  AlertsPage,
  CodesPage,
  HistoryPage,
  LinkPage,
  LockPage,
  LocksPage,
  LogOut,
  loadBeforehand,
  WebhooksPage,
} from './later-pages.tsx';
import { Loss } from './loss.tsx';
import { PageBar } from './page-bar.tsx';
import { PageLink } from './page-link.tsx';
import { TABS, titleOf } from './tabs.ts';

export function TabbedPage(props: {
  readonly place: Place;
  /** The person came here from another page. */
  readonly takesFocus: boolean;
  readonly context: PageContext;
  readonly onShow: (place: Place) => void;
}): VNode {
  const { takesFocus, context, onShow } = props;
  const views = viewsOf(context);
  const place = placeIn(views, props.place);
  const { view, lock } = place;
  const show = (next: View): void => onShow({ view: next });
  useEffect(loadBeforehand, []);
  const tabs = useChosenInSight(`${view} ${String(views.length)}`);
  return (
    <>
      {context.place === 'panel' && <PageBar view={view} views={views} onShow={show} />}
      <nav class="tab-row" aria-label={t('Pages')}>
        <ul ref={tabs} class="tabs">
          {views.map((name) => (
            <li key={name}>
              <PageLink
                name={name}
                view={view}
                onShow={show}
                onFocus={(link) => {
                  // A row that moved under a pointer would take the click away.
                  if (link.matches(':focus-visible')) {
                    toMiddle(tabs.current, link.parentElement);
                  }
                }}
              >
                {t(titleOf(name))}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <Loss state={view === 'link' ? null : context.state} onLink={() => show('link')} />
      <PageHeading key={`${view} ${lock ?? ''}`} takesFocus={takesFocus}>
        {headingOf(place, context)}
      </PageHeading>
      {needsRestart(context.state, context.file) && <StepLeft />}
      <WayProvider value={onShow}>
        <ChosenPage key={lock ?? ''} place={place} />
        {(view === 'link' || !context.may('partner.show')) && <LogOut />}
      </WayProvider>
    </>
  );
}

/** The name of the page; on the page of a lock, the lock's. */
function headingOf({ view, lock }: Place, { state }: PageContext): string {
  const known = view === 'overview' ? state.locks?.find(({ id }) => id === lock) : undefined;
  return known === undefined ? t(titleOf(view)) : nameOf(known);
}

function ChosenPage({ place: { view, lock } }: { readonly place: Place }): VNode {
  return (
    <>
      {view === 'overview' && (lock === undefined ? <OverviewPage /> : <LockPage id={lock} />)}
      {view === 'locks' && <LocksPage />}
      {view === 'history' && <HistoryPage lock={lock ?? null} />}
      {view === 'codes' && <CodesPage lock={lock ?? null} />}
      {view === 'alerts' && <AlertsPage />}
      {view === 'webhooks' && <WebhooksPage />}
      {view === 'link' && <LinkPage />}
      {FEATURE_TABS.filter((tab) => tab.view === view).map(({ Page }) => (
        <Page key={view} />
      ))}
    </>
  );
}

/** On a phone the tabs are one row that scrolls: the chosen one is brought to its middle. `changes`: when to look again. */
function useChosenInSight(changes: string): RefObject<HTMLUListElement | null> {
  const row = useRef<HTMLUListElement>(null);
  useEffect(
    () => toMiddle(row.current, row.current?.querySelector('[aria-current]')?.parentElement ?? null),
    [changes],
  );
  return row;
}

/** The browser alone leaves the edge of a focused tab out of sight. */
function toMiddle(row: HTMLElement | null, tab: HTMLElement | null): void {
  if (row !== null && tab !== null) {
    row.scrollTo({ left: tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2 });
  }
}

/** A page that this login does not have leads to its first one, but for a page that may come with a later answer. */
function placeIn(views: readonly View[], place: Place): Place {
  const [first = place.view] = views;
  const mayCome = TABS.some(({ view, isThere }) => view === place.view && isThere !== undefined);
  return views.includes(place.view) || mayCome ? place : { view: first };
}

function viewsOf({ state, may }: PageContext): readonly View[] {
  return TABS.filter(({ needed, isThere }) => may(needed) && isThere?.(state) !== false).map(
    ({ view }) => view,
  );
}
