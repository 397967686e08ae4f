// The overview: every door live, how the service and webhooks are doing, and what happened.
import type { VNode } from 'preact';
import type { CertificateView } from '../../../src/domain/account/certificate-policy.ts';
import type { WebhooksView } from '../../../src/panel/views/webhooks.ts';
import { certificateWords } from '../../../src/words/certificates.ts';
import { batteryWords, nameOf } from '../../../src/words/locks.ts';
import { listWords } from '../../../src/words/sentence.ts';
import { agoWords } from '../../../src/words/times.ts';
import { t } from '../../../src/words/translate.ts';
import { healthWords } from '../../../src/words/webhooks.ts';
import { Fold } from '../../shared/fold.tsx';
import { FEATURE_PAGES } from '../features.ts';
import { saveFile } from '../parts/files.ts';
import { readFreshList } from '../parts/fresh-list.ts';
import { isLow } from '../parts/lock-signs.ts';
import { Button, Fact, Failure, Notice, Part, useAge, useServiceNow } from '../parts/pieces.tsx';
import { NotInHome } from '../setup/step-left.tsx';
import { isPluginLost } from '../state/account-state.ts';
import { useAction, usePageContext } from '../state/page-context.ts';
import { needsRestart, standingOf } from '../state/standing.ts';
import { Activity } from './activity.tsx';
import { LockList } from './lock-list.tsx';

export function OverviewPage(): VNode {
  const { state, file } = usePageContext();
  const now = useServiceNow(state.aheadMs);
  return (
    <div class="overview">
      {!needsRestart(state, file) && <NotInHome />}
      <LowBatteries />
      {FEATURE_PAGES.map(({ name, Alarms }) => Alarms && <Alarms key={name} />)}
      <LockList now={now} />
      <Activity activity={state.activity ?? []} now={now} />
      <Health />
    </div>
  );
}

function Health(): VNode {
  const { state, file, may } = usePageContext();
  const { status, 'webhooks.status': webhooks } = state;
  const { isLive, words } = standingOf(state, file);
  const certificates = (status?.certificates ?? [])
    .map(certificateFaults)
    .filter((faults) => faults.length > 0);
  const isWell = isLive && certificates.length === 0 && (webhooks === null || areWell(webhooks));
  const facts = (
    <>
      <dl class="facts">
        <Fact name={t('Service')} tone={isLive ? 'good' : 'warning'}>
          {isLive ? t('Connected') : words}
        </Fact>
        <LastUpdated />
        {certificates.map((faults) => (
          <Fact key={faults.join(' ')} name={t('Certificate')} tone="warning">
            {faults.join(' ')}
          </Fact>
        ))}
        {webhooks !== null && <WebhookHealth webhooks={webhooks} />}
        <Fact name={t('Version')} tone="plain">
          {status?.version ?? ''}
        </Fact>
      </dl>
      {may('diagnostics') && <HealthDeeds />}
    </>
  );
  return (
    <Part title={t('Health')}>{isWell ? <Fold title={t('All is well')}>{() => facts}</Fold> : facts}</Part>
  );
}

function LastUpdated(): VNode {
  const { state } = usePageContext();
  const listedAgoMs = useAge(state.status?.lastListedAgoMs ?? null, state.statusAt);
  return (
    <Fact name={t('Last updated')} tone="plain">
      {listedAgoMs === null ? t('Not yet.') : agoWords(listedAgoMs)}
    </Fact>
  );
}

function areWell({ enabled, health }: WebhooksView): boolean {
  return !enabled || health === 'healthy';
}

/** What a person may do about it. */
function HealthDeeds(): VNode {
  const { call, read } = usePageContext();
  const working = useAction();
  return (
    <>
      <div class="pushes">
        <Button
          isBusy={working.isBusy}
          onPress={() => void working.run(async () => readFreshList({ call, read }))}
        >
          {t('Refresh now')}
        </Button>
        <Button
          isBusy={working.isBusy}
          onPress={() => void working.run(async () => saveDiagnostics(await call('diagnostics')))}
        >
          {t('Download diagnostics')}
        </Button>
      </div>
      <p class="about">{t('Diagnostics contain no names, addresses or secrets.')}</p>
      <Failure failure={working.failure} />
    </>
  );
}

/** Of a certificate of the account's own servers: what is wrong with it, and what to do; empty while all is well. */
function certificateFaults(certificate: CertificateView): readonly string[] {
  const fault = certificateWords(certificate);
  return [fault?.what ?? null, fault?.remedy ?? null, certificate.refused]
    .filter((each) => each !== null)
    .map((each) => t(each));
}

function WebhookHealth({ webhooks }: { readonly webhooks: WebhooksView }): VNode {
  const { state } = usePageContext();
  const lastEventAgoMs = useAge(webhooks.lastEventAgoMs, state.webhooksAt);
  return (
    <Fact name={t('Webhooks')} tone={areWell(webhooks) ? 'plain' : 'warning'}>
      {healthWords(webhooks, isPluginLost(state))}
      {lastEventAgoMs !== null && ` ${t('The last event came {ago}.', { ago: agoWords(lastEventAgoMs) })}`}
    </Fact>
  );
}

function saveDiagnostics(content: unknown): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  saveFile('latchkey-diagnostics.json', new Blob([text], { type: 'application/json' }));
}

function LowBatteries(): VNode | null {
  const { state } = usePageContext();
  const low = (state.locks ?? []).filter(({ battery }) => isLow(battery));
  return low.length === 0 ? null : (
    <Notice tone="warning">
      <p>
        {t('Change the batteries: {locks}', {
          locks: listWords(
            low.map((lock) =>
              t('{name} ({charge})', { name: nameOf(lock), charge: batteryWords(lock.battery) }),
            ),
          ),
        })}
      </p>
    </Notice>
  );
}
