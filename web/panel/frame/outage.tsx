// One banner for a lost connection between the page and the locks: what is lost, since when, and when the next try is.

import type { VNode } from 'preact';
import { waitWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { browserNow } from '../../shared/browser-clock.ts';
import { useTimeThere } from '../../shared/time-there.ts';
import { Button, Failure, Time } from '../parts/pieces.tsx';
import { tRich } from '../parts/rich.tsx';
import { type AccountState, hostOf, type Outage, outageOf } from '../state/account-state.ts';
import { useAction, usePageContext } from '../state/page-context.ts';

const SECOND_MS = 1_000;

export function OutageBanner(props: {
  readonly state: AccountState;
  readonly onEditCredentials: () => void;
}): VNode {
  const outage = outageOf(props.state);
  const longPauseMs = outage?.lost === 'plugin' ? null : (props.state.status?.longPauseMs ?? null);
  return (
    <div role="alert">
      {outage !== null && <Banner outage={outage} onEditCredentials={props.onEditCredentials} />}
      {longPauseMs !== null && <LongPause restMs={longPauseMs} />}
    </div>
  );
}

/** A pause that no limit of the service explains: it may be a mistake, and a person need not wait for its end. */
function LongPause({ restMs }: { readonly restMs: number }): VNode {
  const { call, read } = usePageContext();
  const trying = useAction();
  return (
    <div class="notice bad loss">
      <div>
        <p>
          {t(
            'The lock service asked for a pause of {wait}, perhaps by mistake. Locking and unlocking is tried all the same.',
            { wait: waitWords(restMs) },
          )}
        </p>
        <Failure failure={trying.failure} />
      </div>
      <Button
        kind="main"
        isBusy={trying.isBusy}
        onPress={() => {
          void trying.run(async () => call('try-now').finally(() => void read('status')));
        }}
      >
        {t('Try now')}
      </Button>
    </div>
  );
}

function Banner(props: { readonly outage: Outage; readonly onEditCredentials: () => void }): VNode {
  const { state } = usePageContext();
  const { outage, onEditCredentials } = props;
  return (
    <div class="notice bad loss">
      <div>
        <p>
          <strong>{titleOf(outage, hostOf(state))}</strong>
        </p>
        <p>
          {tRich('Since {time}. Locks show their last known position.', {
            time: <Time at={outage.since} now={browserNow()} />,
          })}{' '}
          {/* A screen reader does not read every second. */}
          <span aria-live="off">
            <Retry outage={outage} />
          </span>
        </p>
      </div>
      {outage.lost === 'service' && outage.isRefusal && (
        <Button kind="main" onPress={onEditCredentials}>
          {t('Edit credentials')}
        </Button>
      )}
    </div>
  );
}

function titleOf(outage: Outage, host: string): string {
  if (outage.lost === 'plugin') {
    return t(
      'No connection to the plugin. Is {host, select, service {the service} other {Homebridge}} running?',
      { host },
    );
  }
  return outage.message ?? t('The lock service isn’t answering.');
}

function Retry({ outage }: { readonly outage: Outage }): VNode {
  const now = useTimeThere(0, SECOND_MS);
  const { place } = usePageContext();
  if (outage.lost === 'plugin') {
    return place === 'panel' ? (
      <>{t('Retrying every few seconds.')}</>
    ) : (
      // The window's own process may be gone, which only a new window brings back.
      <>{t('Reconnecting. If it takes longer than a minute, close this window and open it again.')}</>
    );
  }
  const waitMs = outage.retryAt === null ? 0 : outage.retryAt - now;
  return waitMs < SECOND_MS ? (
    <>{t('Retrying now.')}</>
  ) : (
    <>{t('Retrying in {wait}.', { wait: waitWords(waitMs) })}</>
  );
}
