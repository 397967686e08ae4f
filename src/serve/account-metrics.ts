// The figures and the readiness of one account, without a name of a person or a lock.
import type { PanelApi } from '../panel/operations/panel-api.ts';
import { byLabel, type Metric, single } from '../support/server/prometheus.ts';

export type AccountOperations = Pick<PanelApi, 'status' | 'locks' | 'webhooks.status'>;

const MS_PER_SECOND = 1_000;

/** What is missing, beside the states of the link. */
export const UNREADY_WORDS = ['starting', 'service-failing', 'not-listed'] as const;

type Link = Awaited<ReturnType<AccountOperations['status']>>['link'];
type UnreadyWord = (typeof UNREADY_WORDS)[number] | Exclude<Link, 'linked'>;

/** Null once the account is owned and linked and the service has listed the locks; else the missing part, in a word. */
export async function accountUnready(operations: AccountOperations | null): Promise<UnreadyWord | null> {
  if (operations === null) {
    return 'starting';
  }
  const { link, failing, lastListedAgoMs } = await operations.status(undefined);
  if (link !== 'linked') {
    return link;
  }
  if (failing !== null) {
    return 'service-failing';
  }
  return lastListedAgoMs === null ? 'not-listed' : null;
}

export async function accountMetrics(operations: AccountOperations | null): Promise<readonly Metric[]> {
  const unready = await accountUnready(operations);
  return [
    gauge('latchkey_ready', '1 while the locks are served.', unready === null ? 1 : 0),
    ...(operations === null ? [] : await lockMetrics(operations)),
    ...(operations === null ? [] : await webhookMetrics(operations)),
    gauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
  ];
}

async function lockMetrics(operations: AccountOperations): Promise<readonly Metric[]> {
  const [status, locks] = await Promise.all([operations.status(undefined), operations.locks(undefined)]);
  const presence = { reachable: 0, offline: 0, missing: 0 };
  for (const lock of locks) {
    presence[lock.presence] += 1;
  }
  const listedAgo = seconds(status.lastListedAgoMs);
  const daysLeft = Object.fromEntries(status.certificates.map((each) => [each.option, each.daysLeft]));
  return [
    gauge('latchkey_linked', '1 while the account is connected.', status.link === 'linked' ? 1 : 0),
    gauge('latchkey_service_failing', '1 while the service fails.', status.failing === null ? 0 : 1),
    byLabel(
      'latchkey_certificate_days_left',
      'gauge',
      'Until a certificate of ours ends.',
      'option',
      daysLeft,
    ),
    gauge('latchkey_listing_age_seconds', 'Since the service last listed the locks.', listedAgo),
    byLabel('latchkey_locks', 'gauge', 'Known locks.', 'presence', presence),
  ];
}

async function webhookMetrics(operations: AccountOperations): Promise<readonly Metric[]> {
  const { health, answers, lastEventAgoMs, ignored } = await operations['webhooks.status'](undefined);
  const isHealthy = health === 'healthy' ? 1 : 0;
  const answersHelp = 'Webhook requests by answer, as docs/operate/webhooks.md names them.';
  return [
    gauge('latchkey_webhooks_healthy', '1 while webhooks are confirmed to arrive.', isHealthy),
    byLabel('latchkey_webhook_requests_total', 'counter', answersHelp, 'answer', answers),
    gauge('latchkey_last_event_age_seconds', 'Since the last event of the service.', seconds(lastEventAgoMs)),
    byLabel('latchkey_events_ignored_total', 'counter', 'Events that changed nothing.', 'reason', {
      ...ignored,
    }),
  ];
}

function gauge(name: string, help: string, value: number | null): Metric {
  return single(name, 'gauge', help, value);
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / MS_PER_SECOND;
}
