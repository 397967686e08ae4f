// One account's pages, in either place: the guide while nothing is linked, and afterwards one page for each concern.
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Message } from '../../../src/domain/language/message.ts';
import { WATCH_EVERY_MS } from '../../../src/panel/lock-watch.ts';
import { t } from '../../../src/words/translate.ts';
import { after } from '../../shared/browser-clock.ts';
import { KeyIcon } from '../parts/icons.tsx';
import { Button, Failure, Notice, PRODUCT } from '../parts/pieces.tsx';
import { DemoNotice, DemoStarting } from '../setup/demo-offer.tsx';
import { type AccountState, NOTHING_KNOWN, READINGS } from '../state/account-state.ts';
import { type AccountFile, type PageContext, PageContextProvider } from '../state/page-context.ts';
import { standingOf } from '../state/standing.ts';
import { StateStream } from '../state/state-stream.ts';
import type { Transport } from '../state/transport.ts';
import { LANDING } from '../state/views.ts';
import { Guide } from './later-pages.tsx';
import { OutageBanner } from './outage.tsx';
import { type Shown as ShownNow, useShown } from './shown.ts';
import { TabbedPage } from './tabbed-page.tsx';

export function AccountPages(props: {
  readonly transport: Transport;
  readonly file: AccountFile | null;
  /** The content at the end of the header. */
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
    // A person who comes back from the service's page wants to see the truth, whatever events were missed meanwhile.
    const returned = (): void => {
      if (document.visibilityState === 'visible') {
        void watch.read('link.show', 'status', 'locks');
        void watch.watch();
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
    ...transport,
    file,
    state,
    read: async (...readings) => watch.read(...readings),
  };
  useKeptFocus();
  return (
    <PageContextProvider value={context}>
      {transport.place === 'panel' && <SkipLink />}
      <header class="top">
        <h1>
          <KeyIcon />
          {PRODUCT}
          <AccountName state={state} />
        </h1>
        {isConfigured && <Line state={state} file={file} />}
        {aside}
      </header>
      <main id="content" hidden={isCovered}>
        <Shown isConfigured={isConfigured} isCovered={isCovered} context={context} />
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
      {t('Skip to content')}
    </a>
  );
}

/** Beside the plugin's own name, which most accounts begin with. */
function AccountName({ state: { status } }: { readonly state: AccountState }): VNode | null {
  const name = (status?.accountName ?? '').replace(/^Latchkey\b\s*/u, '');
  return name === '' ? null : <bdi class="account">{name}</bdi>;
}

function Line({ state, file }: { readonly state: AccountState; readonly file: AccountFile | null }): VNode {
  const { isLive, words } = standingOf(state, file);
  return (
    <p class="line" role="status" data-live={isLive}>
      {words}
    </p>
  );
}

function Shown(props: {
  readonly isConfigured: boolean;
  readonly isCovered: boolean;
  readonly context: PageContext;
}): VNode {
  const { isConfigured, isCovered, context } = props;
  const { state, place, file } = context;
  const link = state['link.show'];
  const partner = state['partner.show'];
  const [shown, setShown] = useShown(place);
  const [hasMoved, setMoved] = useState(false);
  const go = (next: ShownNow): void => {
    setMoved(true);
    setShown(next);
  };
  // The first page is chosen once, when the account has answered: a person who has moved on is not moved back.
  useEffect(() => {
    if (shown === null) {
      const first = context.may('partner.show') ? firstShown(isConfigured, state) : { view: LANDING };
      if (first !== null) {
        setShown(first);
      }
    }
  }, [shown, isConfigured, link, partner]);
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
        // The last step shows its failures itself.
        state={'step' in shown && shown.step !== 'locks' ? { ...state, status: null } : state}
        onEditCredentials={() => go({ view: 'link' })}
      />
      {'step' in shown ? (
        <Guide
          step={shown.step}
          isCovered={isCovered}
          takesFocus={hasMoved}
          onStep={(step) => go({ step })}
          onDone={() => go({ view: LANDING })}
        />
      ) : (
        <TabbedPage place={shown} takesFocus={hasMoved} context={context} onShow={go} />
      )}
    </>
  );
}

/** Where the window opens; null until that is known. A guide that was left after its first step goes on with its second. */
function firstShown(isConfigured: boolean, state: AccountState): ShownNow | null {
  const { 'link.show': link, 'partner.show': partner, troubles } = state;
  if (!isConfigured) {
    return { step: 'begin' };
  }
  if (link === null || link.state !== 'unlinked') {
    return link === null ? null : { view: LANDING };
  }
  if (partner === null) {
    return troubles.has('partner.show') ? { step: 'begin' } : null;
  }
  return { step: partner.missing.length > 0 ? 'begin' : 'link' };
}

function ConfigProblems({ problems }: { readonly problems: readonly Message[] }): VNode | null {
  return problems.length === 0 ? null : (
    <Notice tone="bad">
      <p>{t('This account can’t start until config.json is fixed:')}</p>
      <ul>
        {problems.map((problem) => (
          <li key={t(problem)}>{t(problem)}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** The notice until the account has answered: that it is asked, or why it cannot be. */
function Loading({ context }: { readonly context: PageContext }): VNode {
  const [trouble = null] = context.state.troubles.values();
  return trouble === null ? (
    <p class="quiet">{t('Loading …')}</p>
  ) : (
    <>
      <h2>{t('The account cannot be read')}</h2>
      <Failure failure={trouble} />
      <div class="pushes">
        <Button kind="main" onPress={() => void context.read(...READINGS)}>
          {t('Try again')}
        </Button>
      </div>
    </>
  );
}

function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = (): void => {
      last = document.activeElement;
    };
    const observer = new MutationObserver(() => {
      if (last !== null && !last.isConnected && document.activeElement === document.body) {
        document.querySelector<HTMLElement>('main h2')?.focus({ preventScroll: true });
      }
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, []);
}

/** While the page is looked at, the locks are listed every few seconds; a hidden page asks for nothing. */
function watchWhileVisible(stream: StateStream): () => void {
  let isOver = false;
  let callOff = (): void => undefined;
  const later = (ms: number): void => {
    callOff = after(ms, () => void poll());
  };
  const poll = async (): Promise<void> => {
    const nextMs = document.visibilityState === 'visible' ? await stream.watch() : WATCH_EVERY_MS;
    if (!isOver) {
      later(nextMs);
    }
  };
  later(WATCH_EVERY_MS);
  return () => {
    isOver = true;
    callOff();
  };
}
