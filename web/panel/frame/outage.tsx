// One banner for a lost connection between the page and the locks: what is lost, since when, and when the next try is.

import type { VNode } from 'preact';
import { hostWords } from '../../../src/words/host.ts';
import { waitWords } from '../../../src/words/times.ts';
import { browserNow } from '../../shared/browser-clock.ts';
import { useTimeThere } from '../../shared/time-there.ts';
import { Button, Time } from '../parts/pieces.tsx';
import { type AccountState, type Outage, outageOf } from '../state/account-state.ts';
import { usePageContext } from '../state/page-context.ts';

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
  return waitMs < SECOND_MS ? <>Retrying now.</> : <>Retrying in {waitWords(waitMs)}.</>;
}
