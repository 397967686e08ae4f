// One banner for what is lost between the page and the locks: what, since when, and when it is tried again.

import type { VNode } from 'preact';
import { browserNow } from '../shared/browser-clock.ts';
import { useTimeThere } from '../shared/time-there.ts';
import { type AccountState, type Outage, outageOf } from './account-state.ts';
import { hostWords } from './host-words.ts';
import { usePageContext } from './page-context.ts';
import { Button, Time } from './pieces.tsx';
import { lengthWords } from './words.ts';

const SECOND_MS = 1_000;

export function OutageBanner(props: {
  readonly state: AccountState;
  readonly onEditCredentials: () => void;
}): VNode {
  const outage = outageOf(props.state);
  return (
    <div role="alert">
      {outage !== null && <Banner outage={outage} onEditCredentials={props.onEditCredentials} />}
    </div>
  );
}

function Banner(props: { readonly outage: Outage; readonly onEditCredentials: () => void }): VNode {
  const { state } = usePageContext();
  const host = hostWords(state);
  const { outage, onEditCredentials } = props;
  return (
    <div class="notice bad loss">
      <div>
        <p>
          <strong>{titleOf(outage, host.name)}</strong>
        </p>
        <p>
          Since <Time at={outage.since} now={browserNow()} />. Locks show their last known position.{' '}
          {/* A screen reader does not read every second. */}
          <span aria-live="off">
            <Retry outage={outage} />
          </span>
        </p>
      </div>
      {outage.lost === 'service' && outage.isRefusal && (
        <Button kind="main" onPress={onEditCredentials}>
          Edit credentials
        </Button>
      )}
    </div>
  );
}

function titleOf(outage: Outage, host: string): string {
  if (outage.lost === 'plugin') {
    return `No connection to the plugin. Is ${host} running?`;
  }
  return outage.message ?? 'The lock service isn’t answering.';
}

function Retry({ outage }: { readonly outage: Outage }): VNode {
  const now = useTimeThere(0, SECOND_MS);
  const { place } = usePageContext();
  if (outage.lost === 'plugin') {
    return place === 'panel' ? (
      <>Retrying every few seconds.</>
    ) : (
      // The window's own process may be gone, which only a new window brings back.
      <>Reconnecting. If it takes longer than a minute, close this window and open it again.</>
    );
  }
  const waitMs = outage.retryAt === null ? 0 : outage.retryAt - now;
  return waitMs < SECOND_MS ? <>Retrying now.</> : <>Retrying in {secondsWords(waitMs)}.</>;
}

function secondsWords(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  return lengthWords(ms) || `${String(seconds)} second${seconds === 1 ? '' : 's'}`;
}
