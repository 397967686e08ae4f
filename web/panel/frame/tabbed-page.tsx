// One page of an account below the tabs that lead to all of them.

import type { RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { OverviewPage } from '../overview/overview-page.tsx';
import { PageHeading } from '../parts/pieces.tsx';
import { StepLeft } from '../setup/step-left.tsx';
import { type PageContext, StaysWayProvider } from '../state/page-context.ts';
import { needsRestart } from '../state/standing.ts';
import {
  CodesPage,
  CredentialsPage,
  HistoryPage,
  LinkPage,
  LocksPage,
  loadBeforehand,
  MqttPage,
  StaysPage,
  WebhooksPage,
} from './later-pages.tsx';
import { LogOut } from './log-out.tsx';
import { Loss } from './loss.tsx';
import { PageBar } from './page-bar.tsx';
import { PageLink } from './page-link.tsx';
import { type Shown, TITLES, VIEWS, type View } from './shown.ts';

export function TabbedPage(props: {
  readonly view: View;
  /** The person came here from another page. */
  readonly takesFocus: boolean;
  readonly context: PageContext;
  readonly onShow: (shown: Shown) => void;
}): VNode {
  const { view, takesFocus, context, onShow } = props;
  const show = (next: View): void => onShow({ view: next });
  const views = viewsOf(context);
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
                {t(TITLES[name])}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <Loss state={view === 'link' ? null : context.state} onLink={() => show('link')} />
      <PageHeading key={view} takesFocus={takesFocus}>
        {t(TITLES[view])}
      </PageHeading>
      {needsRestart(context.state, context.file) && <StepLeft />}
      <ChosenPage view={view} onStays={() => show('stays')} />
    </>
  );
}

function ChosenPage(props: { readonly view: View; readonly onStays: () => void }): VNode {
  const { view, onStays } = props;
  return (
    <>
      {view === 'overview' && (
        <StaysWayProvider value={onStays}>
          <OverviewPage />
        </StaysWayProvider>
      )}
      {view === 'locks' && <LocksPage />}
      {view === 'history' && <HistoryPage />}
      {view === 'codes' && (
        <StaysWayProvider value={onStays}>
          <CodesPage />
        </StaysWayProvider>
      )}
      {view === 'stays' && <StaysPage />}
      {view === 'credentials' && <CredentialsPage />}
      {view === 'webhooks' && <WebhooksPage />}
      {view === 'mqtt' && <MqttPage />}
      {view === 'link' && (
        <>
          <LinkPage />
          <LogOut />
        </>
      )}
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

/** Credentials and MQTT have a page only where config.json names the interface or the broker. */
function viewsOf({ state }: PageContext): readonly View[] {
  const hasCredentials = (state['partner.show']?.credentialsUrl ?? null) !== null;
  const hasMqtt = (state['mqtt.status']?.broker ?? null) !== null;
  return VIEWS.filter((name) => (name !== 'credentials' || hasCredentials) && (name !== 'mqtt' || hasMqtt));
}
