// The overview: every door live, how the service and webhooks are doing, and what happened.
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { WebhooksView } from '../../src/panel/webhook-view.ts';
import { every } from '../shared/browser-clock.ts';
import { isLinked, listTrouble } from './account-state.ts';
import { Activity } from './activity.tsx';
import { readFreshList } from './fresh-list.ts';
import { LockCard } from './lock-card.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Button, Failure, Part, useServiceNow } from './pieces.tsx';
import { healthWords } from './webhook-words.ts';
import { Fact } from './webhooks-page.tsx';
import { agoWords, lengthWords } from './words.ts';

/** Ages that no event tells of are asked for again after this time, in milliseconds: it is answered from memory. */
const REREAD_MS = 15_000;

export function OverviewPage(): VNode {
  const { state, read } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  useEffect(
    () =>
      every(REREAD_MS, () => {
        if (document.visibilityState === 'visible') {
          void read('status', 'webhooks.status');
        }
      }),
    [],
  );
  const hidden = new Set(state['locks.settings']?.flatMap(({ id, hide }) => (hide.value ? [id] : [])));
  return (
    <>
      <section class="doors" aria-label="Doors">
        {state.locks?.map((lock) => (
          <LockCard
            key={lock.id}
            lock={lock}
            isHidden={hidden.has(lock.id)}
            isLinked={isLinked(state)}
            now={now}
          />
        ))}
        {state.locks?.length === 0 && <p>{listTrouble(state) ?? 'No locks found in this account.'}</p>}
      </section>
      <div class="beside">
        <Health />
        <Activity activity={state.activity ?? []} now={now} />
      </div>
    </>
  );
}

function Health(): VNode {
  const { state, call, read } = usePageContext();
  const working = useAction();
  const { status, 'webhooks.status': webhooks } = state;
  const trouble = listTrouble(state);
  const failing = status?.failing ?? null;
  const listedAgoMs = status?.lastListedAgoMs ?? null;
  return (
    <Part title="Health">
      <dl class="facts">
        <Fact name="Service" tone={trouble === null ? 'good' : 'warning'}>
          {trouble ?? 'Connected'}
          {failing !== null &&
            ` For ${lengthWords(failing.forMs) || 'a moment'} now; the plugin keeps asking.`}
        </Fact>
        <Fact name="Last updated" tone="plain">
          {listedAgoMs === null ? 'Not yet.' : agoWords(listedAgoMs)}
        </Fact>
        {webhooks !== null && <WebhookHealth webhooks={webhooks} />}
        <Fact name="Version" tone="plain">
          {status?.version ?? ''}
        </Fact>
      </dl>
      <div class="pushes">
        <Button
          isBusy={working.isBusy}
          onPress={() => {
            void working.run(async () => readFreshList({ call, read }));
          }}
        >
          Refresh now
        </Button>
        <Button
          isBusy={working.isBusy}
          onPress={() => {
            void working.run(async () => {
              download('latchkey-diagnostics.json', await call('diagnostics'));
            });
          }}
        >
          Download diagnostics
        </Button>
      </div>
      <p class="about">Diagnostics contain no names, addresses or secrets.</p>
      <Failure failure={working.failure} />
    </Part>
  );
}

function WebhookHealth({ webhooks }: { readonly webhooks: WebhooksView }): VNode {
  const { enabled, health, lastEventAgoMs } = webhooks;
  return (
    <Fact name="Webhooks" tone={enabled && health !== 'healthy' ? 'warning' : 'plain'}>
      {healthWords(webhooks)}
      {lastEventAgoMs !== null && ` The last event came ${agoWords(lastEventAgoMs)}.`}
    </Fact>
  );
}

function download(name: string, content: unknown): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
