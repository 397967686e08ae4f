// One account's pages, in either place: the guide while nothing is linked, and afterwards one page for each concern.
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type AccountState, NOTHING_KNOWN, READINGS } from './account-state.ts';
import { CredentialsPage } from './credentials-page.tsx';
import { DemoNotice, DemoStarting } from './demo-offer.tsx';
import { Guide } from './guide.tsx';
import { KeyIcon } from './icons.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { LinkPage } from './link-page.tsx';
import { LocksPage } from './locks-page.tsx';
import { Loss } from './loss.tsx';
import { OutageBanner } from './outage.tsx';
import { OverviewPage } from './overview-page.tsx';
import { type AccountFile, type PageContext, PageContextProvider } from './page-context.ts';
import { Button, Failure, Notice, PageHeading } from './pieces.tsx';
import { LANDING, type Shown as ShownNow, TITLES, useShown, VIEWS, type View } from './shown.ts';
import { StateStream } from './state-stream.ts';
import { needsRestart, StepLeft } from './step-left.tsx';
import type { Transport } from './transport.ts';
import { watchWhileVisible } from './visible-watch.ts';
import { WebhooksPage } from './webhooks-page.tsx';

export function AccountPages(props: {
  readonly transport: Transport;
  readonly file: AccountFile | null;
  /** What stands at the end of the header. */
  readonly aside?: VNode | null;
  /** Something else has the window for a while. */
  readonly isCovered?: boolean;
}): VNode {
  const { transport, file, aside = null, isCovered = false } = props;
  const [state, setAccountState] = useState<AccountState>(NOTHING_KNOWN);
  const watch = useMemo(() => new StateStream(transport, setAccountState), [transport]);
  useEffect(() => {
    watch.start();
    const stopWatching = watchWhileVisible(watch);
    // Whoever comes back from the service's page wants to see the truth, whatever was missed meanwhile.
    const returned = (): void => {
      if (document.visibilityState === 'visible') {
        void watch.read('link.show', 'status', 'locks');
      }
    };
    document.addEventListener('visibilitychange', returned);
    window.addEventListener('focus', returned);
    return () => {
      stopWatching();
      watch.close();
      document.removeEventListener('visibilitychange', returned);
      window.removeEventListener('focus', returned);
    };
  }, [watch]);
  const isConfigured = file === null || file.account.configured;
  useEffect(() => {
    if (isConfigured) {
      void watch.read(...READINGS);
    }
  }, [isConfigured]);
  const context: PageContext = {
    place: transport.place,
    file,
    state,
    call: transport.call,
    read: async (...readings) => watch.read(...readings),
  };
  useKeptFocus();
  return (
    <PageContextProvider value={context}>
      {transport.place === 'panel' && <SkipLink />}
      <header class="top">
        <h1>
          <KeyIcon />
          Latchkey
          <AccountName state={state} />
        </h1>
        {isConfigured && <Line state={state} />}
        {aside}
      </header>
      <main id="content" hidden={isCovered}>
        <Shown isConfigured={isConfigured} context={context} />
      </main>
    </PageContextProvider>
  );
}

/** The first stop of the keyboard: past the header and the tabs. */
function SkipLink(): VNode {
  return (
    <a
      class="skip"
      href="#content"
      onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>('main h2')?.focus();
      }}
    >
      Skip to content
    </a>
  );
}

function AccountName({ state: { status } }: { readonly state: AccountState }): VNode | null {
  const name = status?.accountName ?? 'Latchkey';
  return name === 'Latchkey' ? null : <span class="account">{name}</span>;
}

function Line({ state: { connected, lostAt, troubles } }: { readonly state: AccountState }): VNode {
  const isLive =
    connected && lostAt === null && ![...troubles.values()].some(({ code }) => code === 'unreachable');
  return (
    <p class="line" role="status" data-live={isLive}>
      {isLive ? 'Live' : 'Connecting …'}
    </p>
  );
}

function Shown({
  isConfigured,
  context,
}: {
  readonly isConfigured: boolean;
  readonly context: PageContext;
}): VNode {
  const { state, place, file } = context;
  const link = state['link.show'];
  const [shown, setShown] = useShown(place);
  const [hasMoved, setMoved] = useState(false);
  const go = (next: ShownNow): void => {
    setMoved(true);
    setShown(next);
  };
  // Decided once, when the account has spoken: a person who is somewhere is not moved.
  useEffect(() => {
    if (shown === null && (!isConfigured || link !== null)) {
      setShown(!isConfigured || link?.state === 'unlinked' ? { step: 'begin' } : { view: LANDING[place] });
    }
  }, [shown, isConfigured, link]);
  if (shown === null) {
    return <Loading context={context} />;
  }
  if ('step' in shown && file?.account.demo === true) {
    return <DemoStarting />;
  }
  const problems = file?.account.problems ?? [];
  return (
    <>
      <DemoNotice />
      <ConfigProblems problems={problems} />
      <OutageBanner
        // The last step says by itself what failed.
        state={'step' in shown && shown.step !== 'locks' ? { ...state, status: null } : state}
        onEditCredentials={() => {
          go({ view: 'link' });
        }}
      />
      {'step' in shown ? (
        <Guide
          step={shown.step}
          takesFocus={hasMoved}
          onStep={(step) => {
            go({ step });
          }}
          onDone={() => {
            go({ view: LANDING[place] });
          }}
        />
      ) : (
        <Page view={shown.view} takesFocus={hasMoved} context={context} onShow={go} />
      )}
    </>
  );
}

function ConfigProblems({ problems }: { readonly problems: readonly string[] }): VNode | null {
  return problems.length === 0 ? null : (
    <Notice tone="bad">
      <p>This account can’t start until config.json is fixed:</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Until the account has answered: that it is asked, or why it cannot be. */
function Loading({ context }: { readonly context: PageContext }): VNode {
  const [trouble = null] = context.state.troubles.values();
  return trouble === null ? (
    <p class="quiet">Loading …</p>
  ) : (
    <>
      <h2>The account cannot be read</h2>
      <Failure failure={trouble} />
      <div class="pushes">
        <Button kind="main" onPress={() => void context.read(...READINGS)}>
          Try again
        </Button>
      </div>
    </>
  );
}

function Page(props: {
  readonly view: View;
  /** The person came here from another page. */
  readonly takesFocus: boolean;
  readonly context: PageContext;
  readonly onShow: (shown: ShownNow) => void;
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
      {view === 'credentials' && <CredentialsPage />}
      {view === 'webhooks' && <WebhooksPage />}
      {view === 'link' && <LinkPage />}
    </>
  );
}

/** Credentials have a page only where config.json names the interface for them. */
function viewsOf({ place, state }: PageContext): readonly View[] {
  const hasCredentials = (state['partner.show']?.credentialsUrl ?? null) !== null;
  return VIEWS[place].filter((name) => name !== 'credentials' || hasCredentials);
}
