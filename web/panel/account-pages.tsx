// One account's pages, in either place: the guide while nothing is linked, and afterwards one page for each concern.
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type AccountState, NOTHING_KNOWN, READINGS } from './account-state.ts';
import { Guide, type Step } from './guide.tsx';
import { KeyIcon } from './icons.tsx';
import { LinkPage } from './link-page.tsx';
import { LocksPage } from './locks-page.tsx';
import { OverviewPage } from './overview-page.tsx';
import { type AccountFile, type PageContext, PageContextProvider } from './page-context.ts';
import { Button, Failure, Notice, PageHeading } from './pieces.tsx';
import { StateStream } from './state-stream.ts';
import { needsRestart, StepLeft } from './step-left.tsx';
import type { Transport } from './transport.ts';
import { WebhooksPage } from './webhooks-page.tsx';
import { LINK_LOSS, missingWords } from './words.ts';

const TITLES = { overview: 'Overview', locks: 'Locks', webhooks: 'Webhooks', link: 'Account' } as const;

type View = keyof typeof TITLES;

const VIEWS: Readonly<Record<Transport['place'], readonly View[]>> = {
  panel: ['overview', 'locks', 'webhooks', 'link'],
  'homebridge-ui': ['link', 'locks', 'webhooks'],
};

/** Where one comes to when nothing has to be set up. */
const LANDING: Readonly<Record<Transport['place'], View>> = { panel: 'overview', 'homebridge-ui': 'locks' };

/** What is seen: a step of the guide or a page. Null before the account has spoken. */
type Shown = { readonly step: Step } | { readonly view: View };

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
    // Whoever comes back from the service's page wants to see the truth, whatever was missed meanwhile.
    const returned = (): void => {
      if (document.visibilityState === 'visible') {
        void watch.read('link.show', 'status', 'locks');
      }
    };
    document.addEventListener('visibilitychange', returned);
    window.addEventListener('focus', returned);
    return () => {
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
  return (
    <PageContextProvider value={context}>
      <header class="top">
        <h1>
          <KeyIcon />
          Latchkey
          <AccountName state={state} />
        </h1>
        {isConfigured && <Line state={state} />}
        {aside}
      </header>
      <main hidden={isCovered}>
        <Shown isConfigured={isConfigured} context={context} />
      </main>
    </PageContextProvider>
  );
}

function AccountName({ state: { status } }: { readonly state: AccountState }): VNode | null {
  const name = status?.accountName ?? 'Latchkey';
  return name === 'Latchkey' ? null : <span class="account">{name}</span>;
}

function Line({ state: { connected, troubles } }: { readonly state: AccountState }): VNode {
  const isLive = connected && ![...troubles.values()].some(({ code }) => code === 'unreachable');
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
  const go = (next: Shown): void => {
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
  const problems = file?.account.problems ?? [];
  return (
    <>
      {problems.length > 0 && (
        <Notice tone="bad">
          <p>This account can’t start until config.json is fixed:</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
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
          {VIEWS[context.place].map((name) => (
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
      {view === 'webhooks' && <WebhooksPage />}
      {view === 'link' && <LinkPage />}
    </>
  );
}

/** A link that is lost, or a question about it, in one line on every page but its own, which says more. */
function Loss(props: { readonly state: AccountState | null; readonly onLink: () => void }): VNode {
  const { state, onLink } = props;
  const words = state === null ? null : lossWords(state);
  return (
    <div role="alert">
      {words !== null && (
        <div class="notice bad loss">
          <p>{words.line}</p>
          {words.action !== null && (
            <Button kind="main" onPress={onLink}>
              {words.action}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function lossWords({
  'link.show': link,
  'partner.show': partner,
}: AccountState): { readonly line: string; readonly action: string | null } | null {
  if (link === null) {
    return null;
  }
  if (link.state === 'other-process') {
    return { line: 'Another Homebridge process is using this account right now.', action: null };
  }
  if (partner !== null && partner.missing.length > 0) {
    return { line: missingWords(partner.missing), action: 'Add it' };
  }
  if (link.state !== 'linked') {
    return { line: LINK_LOSS[link.state], action: 'Connect again' };
  }
  return link.accountChange === null
    ? null
    : { line: 'You connected a different account. Is it the one you want?', action: 'Answer' };
}

/** What is shown, and on the panel the page in the address, so that the browser's own way back works. */
function useShown(place: Transport['place']): readonly [Shown | null, (shown: Shown) => void] {
  const [shown, setShown] = useState<Shown | null>(place === 'panel' ? addressed() : null);
  useEffect(() => {
    const moved = (): void => {
      const view = addressed();
      if (view !== null) {
        setShown(view);
      }
    };
    window.addEventListener('popstate', moved);
    return () => {
      window.removeEventListener('popstate', moved);
    };
  }, []);
  const show = (next: Shown): void => {
    setShown(next);
    if (place === 'panel' && 'view' in next && addressed()?.view !== next.view) {
      // The way back leads to where the person was, not to before the page knew what to show.
      const note = shown === null ? 'replaceState' : 'pushState';
      history[note](null, '', `#${next.view}`);
    }
  };
  return [shown, show];
}

function addressed(): { readonly view: View } | null {
  const name = location.hash.slice(1);
  const view = VIEWS.panel.find((known) => known === name);
  return view === undefined ? null : { view };
}
