// One page of an account below the tabs that lead to all of them.

import type { VNode } from 'preact';
import { CodesPage } from './codes-page.tsx';
import { CredentialsPage } from './credentials-page.tsx';
import { HistoryPage } from './history-page.tsx';
import { LinkPage } from './link-page.tsx';
import { LocksPage } from './locks-page.tsx';
import { Loss } from './loss.tsx';
import { MqttPage } from './mqtt-page.tsx';
import { OverviewPage } from './overview-page.tsx';
import type { PageContext } from './page-context.ts';
import { PageHeading } from './pieces.tsx';
import { type Shown, TITLES, VIEWS, type View } from './shown.ts';
import { needsRestart } from './standing.ts';
import { StepLeft } from './step-left.tsx';
import { WebhooksPage } from './webhooks-page.tsx';

export function TabbedPage(props: {
  readonly view: View;
  /** The person came here from another page. */
  readonly takesFocus: boolean;
  readonly context: PageContext;
  readonly onShow: (shown: Shown) => void;
}): VNode {
  const { view, takesFocus, context, onShow } = props;
  const show = (next: View): void => {
    onShow({ view: next });
  };
  return (
    <>
      <nav aria-label="Pages">
        <ul class="tabs">
          {viewsOf(context).map((name) => (
            <li key={name}>
              <a
                href={`#${name}`}
                aria-current={name === view ? 'page' : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  show(name);
                }}
              >
                {TITLES[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Loss
        state={view === 'link' ? null : context.state}
        onLink={() => {
          show('link');
        }}
      />
      <PageHeading key={view} takesFocus={takesFocus}>
        {TITLES[view]}
      </PageHeading>
      {needsRestart(context.state, context.file) && <StepLeft />}
      {view === 'overview' && <OverviewPage />}
      {view === 'locks' && <LocksPage />}
      {view === 'history' && <HistoryPage />}
      {view === 'codes' && <CodesPage />}
      {view === 'credentials' && <CredentialsPage />}
      {view === 'webhooks' && <WebhooksPage />}
      {view === 'mqtt' && <MqttPage />}
      {view === 'link' && <LinkPage />}
    </>
  );
}

/** Credentials and MQTT have a page only where config.json names the interface or the broker. */
function viewsOf({ state }: PageContext): readonly View[] {
  const hasCredentials = (state['partner.show']?.credentialsUrl ?? null) !== null;
  const hasMqtt = (state['mqtt.status']?.broker ?? null) !== null;
  return VIEWS.filter((name) => (name !== 'credentials' || hasCredentials) && (name !== 'mqtt' || hasMqtt));
}
